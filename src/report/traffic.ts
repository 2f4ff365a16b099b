import type { Files } from '../host/host.ts';
import type { LineExtra } from '../validation/downtime-log.ts';
import { type JudgedListener, judgedLog } from '../validation/judged-log.ts';
import { type LogPart, logReader } from '../validation/log-reader.ts';
import type { OutageKind } from '../validation/outage-kind.ts';
import { type CellLetter, type Span, type Strip, stripPainter } from './strip.ts';

/** What the downtime log has for pictures: a strip for each span that was asked for, by its name. */
export interface Traffic {
  /** Of the monitor; undefined where there is no log. */
  readonly intervalSeconds: number | undefined;
  readonly strips: ReadonlyMap<string, Strip>;
}

/** Reads the log once, in memory that does not grow with it: the first target's new connections, as outages are told from. */
export async function readTraffic(
  files: Pick<Files, 'chunks' | 'stat'>,
  path: string,
  spans: ReadonlyMap<string, Span>,
): Promise<Traffic> {
  const painter = trafficPainter(spans);
  if ((await files.stat(path)) === undefined) return painter.end();
  const reader = logReader(judgedLog(painter.listener));
  for await (const chunk of files.chunks(path)) reader.push(chunk);
  reader.end();
  return painter.end();
}

/** Finer than a pixel of a telephone is of no use, and every bad sample has to stay wider than one. */
const mostCells = 240;
/** As outages are told: two starts further apart than this many intervals have an unknown tick between them (facts 6.5). */
const longestGap = 1.5;

interface Tick {
  readonly at: number;
  readonly letter: CellLetter;
}

function trafficPainter(spans: ReadonlyMap<string, Span>): {
  readonly listener: JudgedListener;
  readonly end: () => Traffic;
} {
  const painters = [...spans].map(([name, span]) => ({ name, ...stripPainter(span, mostCells) }));
  let part: LogPart | undefined;
  let last: Tick | undefined;
  const isOurs = ({ connection, target }: LineExtra) =>
    connection === 'new' && (target === undefined || target === part?.targets[0]);
  const paint = (letter: CellLetter, from: number, to: number) => {
    for (const painter of painters) painter.paint(letter, from, to);
  };
  const until = (at: number) => {
    if (last === undefined) return;
    const intervalMs = (part?.intervalSeconds ?? 1) * 1000;
    const known = at - last.at <= longestGap * intervalMs ? at : last.at + intervalMs;
    paint(last.letter, last.at, known);
    if (known < at) paint('u', known, at);
  };
  const take = (at: number, letter: CellLetter) => {
    until(at);
    last = { at, letter };
  };
  return {
    listener: {
      part: (next) => {
        part = next;
      },
      sample: (at, _millis, kind, _status, extra) => {
        if (isOurs(extra)) take(at, letterOf(kind));
      },
      unknown: (at, ticks, extra) => {
        if (!isOurs(extra)) return;
        take(at, 'u');
        if (ticks > 1) take(at + (ticks - 1) * (part?.intervalSeconds ?? 1) * 1000, 'u');
      },
      clockStep: () => {},
    },
    end: () => {
      if (last !== undefined) until(last.at + (part?.intervalSeconds ?? 1) * 1000);
      return {
        intervalSeconds: part?.intervalSeconds,
        strips: new Map(painters.map(({ name, end }) => [name, end()])),
      };
    },
  };
}

function letterOf(kind: OutageKind | undefined): CellLetter {
  if (kind === undefined) return 'g';
  return kind === 'slow' ? 's' : 'b';
}
