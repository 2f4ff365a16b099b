import type { ExpectedStatuses } from '../../settings/expected-status.ts';

/** Settings that make a line quiet: a good sample, in order and on time. */
export interface QuietSettings {
  readonly intervalSeconds: number;
  readonly timeoutSeconds: number;
  readonly slowSeconds: number;
  readonly expect: ExpectedStatuses;
}

/**
 * Good samples of one target on new connections, one after the other without a gap, and nothing else but samples on a
 * kept connection. They are in the order of their starts, and so are the lines of more than a timeout before and after
 * them. Passing them on one by one would change nothing but these figures.
 */
export interface QuietRun {
  readonly settings: QuietSettings;
  /** Where its lines begin and end in the file. */
  readonly fromByte: number;
  readonly toByte: number;
  /** Starts of the first and the last sample, epoch milliseconds. */
  readonly firstAt: number;
  readonly lastAt: number;
  /** How long the first one took. */
  readonly firstMillis: number;
  readonly count: number;
  /** Pairs: milliseconds, and how many samples took so long. */
  readonly latencies: ArrayLike<number>;
}
