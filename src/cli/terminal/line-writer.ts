import { hangingIndent } from '../command/hanging-indent.ts';
import type { Screen, Viewer } from './screen.ts';
import { sectionsOf } from './sections.ts';

/** A log of a CI system stays readable, and under a megabyte, whatever a run tells. */
const mostBytesInCi = 512 * 1024;

/** One line a fact, for logs, pipes, CI systems and terminals that cannot move their cursor. */
export function lineWriter({ host, environment }: Viewer): Screen {
  const { talk, clock } = host;
  const sections = sectionsOf(environment);
  let number = 0;
  let isOpen = false;
  let left = sections === undefined ? Number.POSITIVE_INFINITY : mostBytesInCi;
  const now = (): number => clock.wallAt() / 1000;
  const write = (text: string): void => {
    if (left < 0) return;
    left -= Buffer.byteLength(text);
    talk.write(left < 0 ? `${leftOut}\n` : text);
  };
  const section = (title?: string): void => {
    if (sections === undefined) return;
    if (isOpen) talk.write(sections.end(number, now()));
    isOpen = title !== undefined;
    if (title !== undefined) talk.write(sections.begin(title, ++number, now()));
  };
  return {
    host,
    finished: () => {},
    line: (text) =>
      write(`${talk.isTTY ? hangingIndent({ columns: talk.columns, isBroken: true }, '', text, 4) : text}\n`),
    section,
    touch: () => {},
    end: () => section(),
  };
}

const leftOut = 'This log has grown to 512 KiB: what the run tells from here on is only in the journal of its folder.';
