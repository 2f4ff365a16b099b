import { type Course, downMs } from './up-and-down.ts';

/** A prober of a course, whose clock is set while it runs. */
export interface Prober {
  /** Of the first probe of the interval, from the beginning of the course; and of the edges, if there are any. */
  readonly phaseMs: number;
  readonly edgePhaseMs?: number | undefined;
  /** How late each probe starts, in turn; the schedule stays. */
  readonly jitterMs: readonly number[];
  /** So long after the beginning its clock is set, ahead or (negative) back; in the order of their times. */
  readonly steps: readonly ClockSet[];
}

export interface ClockSet {
  readonly afterMs: number;
  readonly ms: number;
}

interface Probe {
  readonly startsAt: number;
  readonly endsAt: number;
  /** Behind the time of its line. */
  readonly words: string;
}

/** What a failing request takes: it may be under way when the clock is set. */
const hangsMs = 2500;
const header = '# holdfast downtime-log 1 target=http://app.example/ interval=1s timeout=3s slow=1s expect=200\n';

/**
 * The probes of a course, and the log that `holdfast monitor` writes of them: a line when one ends, with its start by
 * the clock as it is set then.
 */
export function probed(real: Course, prober: Prober): { readonly log: string; readonly starts: readonly number[] } {
  const { steps, phaseMs, edgePhaseMs } = prober;
  const every = probesOf(real, prober, { everyMs: 1000, phaseMs, words: '' });
  const edges =
    edgePhaseMs === undefined
      ? []
      : probesOf(real, prober, { everyMs: 100, phaseMs: edgePhaseMs, words: ' probe=edge' });
  const probes = [...every, ...edges];
  const aheadMs = (at: number) => steps.reduce((sum, { afterMs, ms }) => sum + (real.from + afterMs <= at ? ms : 0), 0);
  const lines = [
    ...steps.map(({ afterMs, ms }) => ({ at: real.from + afterMs, text: `# clock-step ${(ms / 1000).toFixed(3)}\n` })),
    ...probes.map(({ startsAt, endsAt, words }) => ({
      at: endsAt,
      text: `${new Date(startsAt + aheadMs(endsAt)).toISOString()} ${words}\n`,
    })),
  ].toSorted((a, b) => a.at - b.at);
  return { log: header + lines.map(({ text }) => text).join(''), starts: probes.map(({ startsAt }) => startsAt) };
}

function probesOf(
  real: Course,
  { jitterMs }: Prober,
  { everyMs, phaseMs, words }: { readonly everyMs: number; readonly phaseMs: number; readonly words: string },
): readonly Probe[] {
  return Array.from({ length: Math.floor((real.to - real.from - phaseMs) / everyMs) }, (_, index) => {
    const late = jitterMs[index % jitterMs.length] ?? 0;
    const startsAt = real.from + phaseMs + index * everyMs + late;
    if (downMs(real, startsAt, startsAt + 1) === 0)
      return { startsAt, endsAt: startsAt + 1, words: `200 0.001${words}` };
    return { startsAt, endsAt: startsAt + hangsMs, words: `000 ${(hangsMs / 1000).toFixed(3)} error=reset${words}` };
  });
}

/** The true seconds of the outages in which one of the probes began. */
export function metSeconds({ downs }: Course, starts: readonly number[]): number {
  const met = downs.filter(({ from, to }) => starts.some((at) => at >= from && at < to));
  return met.reduce((sum, { from, to }) => sum + to - from, 0) / 1000;
}
