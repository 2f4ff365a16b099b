import type { Clock, Host, LoadCounted, LoadPlan } from '../host.ts';
import { counted } from './tally.ts';

/**
 * A worker that cannot begin within this time of the common start does not begin: the resolution of all that a run
 * measures, one probe interval.
 */
export const mostLateStartSeconds = 1;

/** One worker's part of a load, and how it ended. Instants are epoch milliseconds by the clock of its machine. */
export interface WorkerReport {
  readonly holdfast: 'load-worker';
  readonly version: 1;
  readonly index: number;
  /** Its share. */
  readonly requests: number;
  /** The common start; null if it was told none. */
  readonly startAt: number | null;
  /** When it was told. */
  readonly toldAt: number | null;
  /** Why it sent less than its share; absent if it sent all. */
  readonly amiss?: 'no-start' | 'late' | 'starved' | 'stopped';
  readonly startedAt: number;
  readonly seconds: number;
  readonly statuses: LoadCounted['statuses'];
  readonly errors: LoadCounted['errors'];
  /** Null where its generator tells none, or where there was no room for it. */
  readonly histogram: LoadCounted['histogram'] | null;
}

export interface Work {
  readonly index: number;
  readonly share: LoadPlan;
  /** Resolves with the common start; with undefined if it was stopped before. */
  readonly start: Promise<number | undefined>;
  /** The machine or the cluster wants the worker to end. */
  readonly stop: AbortSignal;
}

/**
 * Waits for the common start, makes its share of the requests, and says what came of it. A share that cannot begin in
 * time is not sent.
 */
export async function work(host: Pick<Host, 'clock' | 'load'>, work: Work): Promise<WorkerReport> {
  const { clock } = host;
  const { index, share, stop } = work;
  const startAt = (await work.start) ?? null;
  const toldAt = startAt === null ? null : clock.wallAt();
  const told = { holdfast: 'load-worker', version: 1, index, requests: share.requests, startAt, toldAt } as const;
  const lateSeconds = startAt === null ? 0 : (clock.wallAt() - startAt) / 1000;
  if (startAt === null) return { ...told, amiss: 'no-start', ...nothingSent(share, clock) };
  if (lateSeconds > mostLateStartSeconds) return { ...told, amiss: 'late', ...nothingSent(share, clock) };
  if (lateSeconds < 0) await clock.sleep(-lateSeconds, stop).catch(() => undefined);
  const { ended, isOver } = endOfShare(clock, share, stop);
  try {
    const { unsent = 0, startedAt, seconds, statuses, errors, histogram } = await host.load(share, undefined, ended);
    const amiss = unsent === 0 ? {} : { amiss: stop.aborted ? ('stopped' as const) : ('starved' as const) };
    return { ...told, ...amiss, startedAt, seconds, statuses, errors, histogram };
  } finally {
    isOver();
  }
}

function nothingSent(share: LoadPlan, clock: Pick<Clock, 'wallAt'>) {
  const histogram = { steps: [], maxSeconds: 0 };
  const none = counted({ ...share, startedAt: clock.wallAt(), seconds: 0, statuses: {}, errors: {}, histogram });
  const { startedAt, seconds, statuses, errors } = none;
  return { startedAt, seconds, statuses, errors, histogram };
}

/**
 * Aborted when the worker is stopped, or when its share would be over even if every request took the whole time limit.
 */
function endOfShare(clock: Clock, share: LoadPlan, stop: AbortSignal) {
  const over = new AbortController();
  clock.sleep(longestSeconds(share), AbortSignal.any([stop, over.signal])).then(
    () => over.abort('its time is over'),
    () => undefined,
  );
  return { ended: AbortSignal.any([stop, over.signal]), isOver: () => over.abort('it has ended') };
}

/** A worker that takes longer gets too little of its machine. */
export function longestSeconds({ requests, concurrency, timeoutSeconds, rate }: LoadPlan): number {
  const inTurn = Math.ceil(requests / Math.max(1, concurrency)) * timeoutSeconds;
  if (rate === undefined) return inTurn + timeoutSeconds;
  return (rate.first + requests * rate.every) / rate.perSecond + 2 * timeoutSeconds;
}

/** The line by which a worker's log ends. */
export const reportLine = (report: WorkerReport): string => `${JSON.stringify(report)}\n`;

/** What Kubernetes keeps of a container's last words (Kubernetes, "Determine the Reason for Pod Failure"). */
const mostOfTerminationMessage = 4096;

/** The report for the termination message; without the histogram where there is no room for it. */
export function terminationMessage(report: WorkerReport): string {
  const whole = JSON.stringify(report);
  return whole.length <= mostOfTerminationMessage ? whole : JSON.stringify({ ...report, histogram: null });
}
