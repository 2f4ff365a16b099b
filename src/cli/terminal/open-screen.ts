import type { Host } from '../../host/host.ts';
import { printable } from '../../report/printable.ts';
import { fitted, hangingIndent } from '../command/hanging-indent.ts';
import { type Paint, paint } from '../command/text.ts';
import { lineWriter } from './line-writer.ts';
import { type Frame, liveRegion } from './live-region.ts';
import { isLive, type PaintedFrame, paintedMark, type Screen, timeOf, type Viewer } from './screen.ts';

/**
 * `ticks` is false for a rehearsal: its virtual time stands still while a real timer runs, and something happens all
 * the time anyway.
 */
export function openScreen(viewer: Viewer, frame: PaintedFrame, ticks = true): Screen {
  const { host, flags } = viewer;
  if (flags.quiet) return silent(host);
  const colors = paint(flags.talkColor === true);
  return isLive(viewer) ? terminal(host, colors, (columns) => frame(columns, colors), ticks) : lineWriter(viewer);
}

const silent = (host: Host): Screen => ({
  host,
  finished: () => {},
  line: () => {},
  section: () => {},
  touch: () => {},
  end: () => {},
});

function terminal(host: Host, colors: Paint, frame: Frame, ticks: boolean): Screen {
  const { talk, clock, input } = host;
  const region = liveRegion(talk, clock, frame, ticks);
  return {
    host: {
      ...host,
      talk: {
        isTTY: true,
        write: (text) => region.write(isSentence(text) ? `${fitted(talk, '', text.trimEnd(), 2)}\n` : text),
        get columns() {
          return talk.columns;
        },
        get rows() {
          return talk.rows;
        },
      },
      input: {
        ...input,
        async line(signal) {
          const line = await input.line(signal);
          region.show();
          return line;
        },
      },
    },
    finished(mark, at, sentence) {
      const head = `${paintedMark(mark, colors)} ${colors.faint(timeOf(at))} `;
      const { columns } = talk;
      region.write(`${hangingIndent({ columns, isBroken: true }, head, printable(sentence), indentOf(columns))}\n`);
    },
    line: () => {},
    section: () => {},
    touch: region.touch,
    end: region.end,
  };
}

/** Under the words, or under the time where the screen is narrow. */
const indentOf = (columns: number): number => (columns < 60 ? 2 : 11);

/** Of several lines some may be commands to copy, and a question waits for its answer. */
const isSentence = (text: string): boolean => /^[^\n]+\n$/.test(text);
