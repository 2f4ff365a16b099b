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
/** More than a thousand targets at 10 Hz with a timeout of 10 s have in flight. A log that needs more is not sorted further. */
const MOST_HELD = 2 ** 17;

/**
 * Pure. Sorts the lines of a log by start: a line is held back until one was written so late that none that started earlier can follow.
 * Lines with the same start keep their order.
 */
export function inOrder<Extra = LineExtra>(timeoutSeconds: number, next: TakeLine<Extra>): InOrder<Extra> {
  const held = heldLines<Extra>();
  const patienceMs = timeoutSeconds * 1000 + SLACK_MS;
  let writtenAt = Number.NEGATIVE_INFINITY;
  const release = (startedBefore: number, most: number) => {
    while (held.count() > 0 && (held.firstAt() < startedBefore || held.count() > most)) held.shift(next);
  };
  return {
    push: (at, status, millis, extra) => {
      held.insert(at, status, millis, extra);
      if (at + millis > writtenAt) writtenAt = at + millis;
      release(writtenAt - patienceMs, MOST_HELD);
    },
    flush: () => release(Number.POSITIVE_INFINITY, 0),
  };
}
