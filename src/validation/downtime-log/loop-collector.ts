import type { Column } from '../loop-log/columns.ts';
import { loopLog } from '../loop-log/loop-log.ts';
import type { LoopSample } from '../loop-log/loop-sample.ts';
import { defaultHeader, type LineExtra, type LoggedSample, type LogHeader } from './downtime-log.ts';
import { localHours } from './local-hours.ts';
import type { LogListener } from './log-listener.ts';

/** A loop's log has no settings: the defaults of `holdfast monitor`, without a target and a timeout, both unknown. */
export const loopSettings: LogHeader = { ...defaultHeader, timeoutSeconds: 0 };

/** So many samples that a few requests that hang do not change the median gap. */
const estimateFrom = 1000;

export interface LoopCollector {
  readonly line: (line: string) => void;
  /** Removes and returns the lines that were not passed on yet; call it when the log turns out not to be a loop's. */
  readonly takeBack: () => readonly string[];
  /** Says what the columns hold, if they are not learnt yet. */
  readonly name: (columns: readonly Column[]) => void;
  /** Call when this loop's lines have ended. */
  readonly end: () => void;
  /** What the columns hold; empty before they are learnt. */
  readonly columns: () => readonly Column[];
}

export type LoopPartListener = Pick<LogListener, 'part' | 'sample' | 'clockStep'> & {
  readonly unread: (line: string) => void;
};

interface Collecting {
  readonly to: LoopPartListener;
  /** Until the interval is estimated. */
  held: LoopSample[] | undefined;
  intervalSeconds: number;
  resolutionSeconds: number;
  readonly extras: Map<string | undefined, LineExtra>;
}

/**
 * Turns the log of a loop into a part and its samples, with a part more for each target that comes later. The interval
 * is the median gap between the first thousand starts of one target.
 */
export function loopCollector(to: LoopPartListener, given?: readonly Column[]): LoopCollector {
  const collecting: Collecting = {
    to,
    held: [],
    intervalSeconds: loopSettings.intervalSeconds,
    resolutionSeconds: 0,
    extras: new Map(),
  };
  const hours = localHours((step) => {
    to.clockStep(step);
    if (step.aheadMs > 0) pass(collecting, missingHour(step.at + step.aheadMs));
  });
  const next = (sample: LoopSample) => {
    const at = hours.timeOf(sample, collecting.intervalSeconds);
    pass(collecting, { ...sample, at });
  };
  const begin = () => {
    const { held } = collecting;
    if (held === undefined || held.length === 0) return;
    collecting.held = undefined;
    collecting.intervalSeconds = typicalGapSeconds(held);
    collecting.resolutionSeconds = held.some(({ fine }) => fine) ? 0 : 1;
    for (const { target } of held) if (!collecting.extras.has(target)) collecting.extras.set(target, extraOf(target));
    tell(collecting);
    held.forEach(next);
  };
  const loop = loopLog(
    {
      sample: (sample) => {
        if (collecting.held === undefined) return next(sample);
        collecting.held.push(sample);
        if (collecting.held.length >= estimateFrom) begin();
      },
      unread: to.unread,
    },
    given,
  );
  return {
    line: loop.line,
    name: loop.name,
    takeBack: loop.takeBack,
    end: () => {
      loop.end();
      begin();
    },
    columns: loop.columns,
  };
}

/** A line of a loop that was read as if it were ours. */
export const textOf = ({ at, status, millis }: LoggedSample, words: string): string =>
  `${new Date(at).toISOString()} ${String(status).padStart(3, '0')} ${(millis / 1000).toFixed(3)}${words}`;

/** An hour that local time leaves out, or in which nothing was probed. */
const missingHour = (at: number): LoopSample & { readonly unknownSeconds: number } => ({
  at,
  fine: false,
  zoneless: true,
  unknownSeconds: 3600,
});

const extraOf = (target: string | undefined): LineExtra => ({
  connection: 'new',
  ...(target === undefined ? {} : { target }),
});

function tell({ to, intervalSeconds, resolutionSeconds, extras }: Collecting): void {
  const targets = [...extras.keys()].filter((target) => target !== undefined);
  to.part({ ...loopSettings, targets, format: 'curl', intervalSeconds, resolutionSeconds });
}

function pass(collecting: Collecting, sample: LoopSample & { readonly unknownSeconds?: number }): void {
  const { at, result, target, unknownSeconds = 0 } = sample;
  let extra = collecting.extras.get(target);
  if (extra === undefined) {
    extra = extraOf(target);
    collecting.extras.set(target, extra);
    if (target !== undefined) tell(collecting);
  }
  const { status, millis } = result ?? { status: 0, millis: 0 };
  const ticks = Math.max(Number(result === undefined), Math.round(unknownSeconds / collecting.intervalSeconds));
  collecting.to.sample({ at, status, millis, extra, unknownTicks: ticks });
}

/**
 * The median gap between the starts of one target. Where it is 0, because the times are whole seconds and the loop is
 * faster, the mean gap; 1 if that is 0 too.
 */
export function typicalGapSeconds(samples: readonly Pick<LoopSample, 'at' | 'target'>[]): number {
  const ofEach = Map.groupBy(samples, ({ target }) => target);
  const gaps = [...ofEach.values()].flatMap((own) =>
    own.slice(1).map(({ at }, index) => (at - (own[index]?.at ?? at)) / 1000),
  );
  const forward = gaps.filter((gap) => gap >= 0).sort((a, b) => a - b);
  const median = forward[Math.floor(forward.length / 2)] ?? 0;
  const mean = forward.reduce((sum, gap) => sum + gap, 0) / forward.length;
  return median || Math.round(mean * 1000) / 1000 || 1;
}
