import type { Destination } from '../probe/destination.ts';
import type { KnownAnswer } from './answer-reader.ts';
import type { ReadBuffer } from './read-buffer.ts';
import type { Tally } from './tally.ts';

/** The state that the lanes of a load share. */
export interface Job {
  readonly to: Destination;
  readonly request: string;
  readonly tally: Tally;
  /**
   * Takes the next request that is still to be made; when it is or was due by `performance.now()`, undefined if none is
   * left.
   */
  readonly take: (now: number) => number | undefined;
  /** Whether the time of a request counts from when it was due. Without a rate it counts from when it began. */
  readonly isPaced: boolean;
  readonly timeoutSeconds: number;
  /**
   * When the request of each lane began, with the connection that it had to open; later than now for one that is not
   * due yet. Milliseconds of `performance.now()`.
   */
  readonly begunAt: Float64Array;
  /** From when its time counts. */
  readonly countedFrom: Float64Array;
  readonly stopped: () => boolean;
  /** For each lane that has a request under way, the function that cancels it. */
  readonly underWay: Set<() => void>;
  readonly readInto: ReadBuffer;
  readonly known: KnownAnswer;
}

/** A request of that lane begins now, which was due at `dueAt`. */
export function begin({ begunAt, countedFrom, isPaced }: Job, lane: number, dueAt: number, now: number): void {
  begunAt[lane] = now;
  // A timer may be a millisecond early.
  countedFrom[lane] = isPaced ? Math.min(dueAt, now) : now;
}
