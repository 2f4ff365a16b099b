import type { Destination } from '../probe/destination.ts';
import type { KnownAnswer } from './answer-reader.ts';
import type { ReadBuffer } from './read-buffer.ts';
import type { Tally } from './tally.ts';

/** The state that the lanes of a load share. */
export interface Job {
  readonly to: Destination;
  readonly request: string;
  readonly tally: Tally;
  /** Takes the next request that is still to be made; the seconds until it is due, undefined if none is left. */
  readonly take: (now: number) => number | undefined;
  readonly timeoutSeconds: number;
  /** When the request of each lane began, with the connection that it had to open; later than now for one that is not due yet. Milliseconds of `performance.now()`. */
  readonly begunAt: Float64Array;
  readonly stopped: () => boolean;
  /** For each lane that has a request under way, the function that cancels it. */
  readonly underWay: Set<() => void>;
  readonly readInto: ReadBuffer;
  readonly known: KnownAnswer;
}
