import type { Tick } from '../validation/downtime/downtime-meter.ts';
import type { DowntimeLog } from '../validation/downtime/read-downtime-log.ts';
import { longestGapIntervals } from '../validation/downtime-log/longest-gap.ts';
import { type CellLetter, type Span, type Strip, type StripPainter, stripPainter } from './strip.ts';

/** The traffic for pictures: a strip for each span, by the span's name. */
export interface Traffic {
  /** Of the monitor; undefined without a log. */
  readonly intervalSeconds: number | undefined;
  readonly strips: ReadonlyMap<string, Strip>;
}

/** Without a log, as after a pre-check that stopped the run, there are no strips. */
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

/** So that a bad sample is wider than a pixel on a phone. */
const mostCellsOfPicture = 240;

interface Spacing {
  readonly intervalMs: number;
  readonly resolutionMs: number;
}

/** A tick's state holds until the next tick; a longer gap is unknown. */
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
