import type { LineExtra } from './downtime-log.ts';
import { heldLines } from './held-lines.ts';

/** A line of the log as numbers: start (epoch milliseconds), status, milliseconds, and the words behind them. */
export type TakeLine<Extra> = (at: number, status: number, millis: number, extra: Extra) => void;

export interface InOrder<Extra> {
  readonly push: TakeLine<Extra>;
  /** Passes on what is still held back. */
  readonly flush: () => void;
}

/** Lines are written when a probe ends: late timers and queued writes delay that a little. */
const SLACK_MS = 1000;
/** More than a thousand targets at one a second with a timeout of 10 s have under way. A log that needs more is not sorted further. */
const MOST_HELD = 2 ** 14;

/**
 * Pure. Sorts the lines of a log by start: a line is held back until one has come that started a timeout later, because every line that
 * started earlier was written by then.
 * Lines with the same start keep their order.
 */
export function inOrder<Extra = LineExtra>(timeoutSeconds: number, next: TakeLine<Extra>): InOrder<Extra> {
  const held = heldLines<Extra>();
  const patienceMs = timeoutSeconds * 1000 + SLACK_MS;
  let newestAt = Number.NEGATIVE_INFINITY;
  const release = (startedBefore: number, most: number) => {
    while (held.count() > 0 && (held.firstAt() < startedBefore || held.count() > most)) held.shift(next);
  };
  return {
    push: (at, status, millis, extra) => {
      held.insert(at, status, millis, extra);
      if (at > newestAt) newestAt = at;
      release(newestAt - patienceMs, MOST_HELD);
    },
    flush: () => release(Number.POSITIVE_INFINITY, 0),
  };
}
