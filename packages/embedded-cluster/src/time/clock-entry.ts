/**
 * A sleeper or held work in the queue of a virtual clock. The queue is ordered by instant, then by registration; time
 * cannot pass an entry that is not ready.
 */
export interface Entry {
  /** Milliseconds since the clock started. */
  readonly atMs: number;
  readonly sequence: number;
  /** What is awaited, for the error of a clock that stalls. */
  readonly what: string;
  ready: boolean;
  /** Undefined: cancelled. */
  fire: (() => void) | undefined;
  readonly signal: AbortSignal | undefined;
  reject: ((reason: unknown) => void) | undefined;
}
