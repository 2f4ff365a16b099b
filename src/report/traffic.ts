import { longestGapIntervals, type Tick } from '../validation/downtime/downtime-meter.ts';
import type { DowntimeLog } from '../validation/downtime/read-downtime-log.ts';
import { type CellLetter, type Span, type Strip, type StripPainter, stripPainter } from './strip.ts';

/** What the downtime log has for pictures: a strip for each span that was asked for, by its name. */
export interface Traffic {
  /** Of the monitor; undefined where there is no log. */
  readonly intervalSeconds: number | undefined;
  readonly strips: ReadonlyMap<string, Strip>;
}

/** Pure. A run that the pre-check stopped has no log, and no strips. */
export function trafficIn(
  log: DowntimeLog | undefined,
  spans: ReadonlyMap<string, Span>,
  mostCells: number = mostCellsOfPicture,
): Traffic {
  if (log?.settings === undefined) return { intervalSeconds: undefined, strips: new Map() };
  const { intervalSeconds, resolutionSeconds } = log.settings;
  const painters = [...spans].map(([name, span]) => ({ name, painter: stripPainter(span, mostCells) }));
  paintTicks(
    log.ticks,
    { intervalMs: intervalSeconds * 1000, resolutionMs: resolutionSeconds * 1000 },
    painters.map(({ painter }) => painter),
  );
  return { intervalSeconds, strips: new Map(painters.map(({ name, painter }) => [name, painter.end()])) };
}

/** Finer than a pixel of a telephone is of no use, and every bad sample has to stay wider than one. */
const mostCellsOfPicture = 240;

interface Spacing {
  readonly intervalMs: number;
  readonly resolutionMs: number;
}

/** What a tick says holds until the next one; in a longer gap nobody knows. */
function paintTicks(
  ticks: readonly Tick[],
  { intervalMs, resolutionMs }: Spacing,
  painters: readonly StripPainter[],
): void {
  const paint = (letter: CellLetter, from: number, to: number) => {
    for (const painter of painters) painter.paint(letter, from, to);
  };
  ticks.forEach((tick, index) => {
    const until = tick.at + (tick.unknownTicks ?? 1) * intervalMs;
    const next = ticks[index + 1]?.at ?? until;
    const known = next - until <= (longestGapIntervals - 1) * intervalMs + resolutionMs ? next : until;
    paint(letterOf(tick), tick.at, known);
    if (known < next) paint('u', known, next);
  });
}

function letterOf(tick: Tick): CellLetter {
  if (tick.unknownTicks !== undefined) return 'u';
  if (tick.kind === undefined) return 'g';
  return tick.kind === 'slow' ? 's' : 'b';
}
