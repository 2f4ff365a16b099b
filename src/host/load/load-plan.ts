import type { probeErrors } from '../probe/probe-errors.ts';
import type { Target } from '../probe/target.ts';

/**
 * Many GETs. Without a rate in a closed loop: `concurrency` kept connections, each with one request under way, until
 * all requests are made; the first are answered while the others are opened. With a rate each request is due at its own
 * time, is made on one of those connections, and its time counts from when it was due: one that had to wait for a
 * connection waited as a visitor does.
 */
export interface LoadPlan {
  readonly url: string;
  readonly requests: number;
  readonly concurrency: number;
  /** Limit for one request, with the connection that it has to open. */
  readonly timeoutSeconds: number;
  /** Absent: as fast as they are answered. */
  readonly rate?: Rate;
  /** How the request differs from a plain GET; only holdfast itself can make such requests. */
  readonly target?: Target;
  /** The program that makes the requests; absent: this one. */
  readonly generator?: string;
}
export interface Rate {
  /** Of all workers together. */
  readonly perSecond: number;
  /** Request number k of this load is number `first + k * every` of all. */
  readonly first: number;
  readonly every: number;
}
/**
 * `closed`: the server closed a kept connection while the request was on its way (RFC 9112, section 9.5). `client`:
 * this machine could not make the request (no port, no file descriptor), which says nothing about the target. `other`:
 * a generator that does not say why.
 */
export type LoadError = (typeof probeErrors)[number] | 'closed' | 'client' | 'other';
/** Every request is counted once, under its status, its error or as not sent. No request is retried. */
export interface LoadResult {
  /** Wall clock, epoch milliseconds. */
  readonly startedAt: number;
  readonly seconds: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly errors: Readonly<Partial<Record<LoadError, number>>>;
  /** Requests that were asked for and not sent; absent if there are none. */
  readonly unsent?: number;
  /**
   * A histogram of the requests with a status: `count` took at most `upToSeconds` and longer than the row before. The
   * first request of a connection includes opening it.
   */
  readonly latency: readonly { readonly upToSeconds: number; readonly count: number }[];
  /**
   * Percentiles of the time of requests with a status; all 0 without one, null where the generator does not tell them.
   */
  readonly percentiles: Percentiles | null;
}
export type Percentiles = Readonly<Record<'p50' | 'p90' | 'p99' | 'p999' | 'max', number>>;

/** How many requests took how long. Those of several loads are added step by step, so that nothing is lost. */
export interface Histogram {
  /** The steps that have a request, in order. A step's upper end is `growth ** step` microseconds. */
  readonly steps: readonly (readonly [step: number, count: number])[];
  /** The longest time, which is exact. */
  readonly maxSeconds: number;
}

/** What a load came to. */
export interface LoadTold extends LoadResult {
  /** Null where the generator does not tell it. */
  readonly histogram: Histogram | null;
}
/** A result that can be added to others. */
export interface LoadCounted extends LoadTold {
  readonly percentiles: Percentiles;
  readonly histogram: Histogram;
}
