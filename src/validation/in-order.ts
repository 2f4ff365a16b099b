import type { LineExtra } from './downtime-log.ts';

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

interface HeldLines<Extra> {
  readonly count: () => number;
  readonly firstAt: () => number;
  readonly insert: TakeLine<Extra>;
  readonly shift: (next: TakeLine<Extra>) => void;
}

/** A ring in columns: one line more costs no allocation. */
function heldLines<Extra>(): HeldLines<Extra> {
  let size = 64;
  let at = new Float64Array(size);
  let status = new Uint16Array(size);
  let millis = new Float64Array(size);
  let extra: (Extra | undefined)[] = new Array(size);
  let head = 0;
  let tail = 0;

  const move = (to: number, from: number) => {
    at[to] = at[from] as number;
    status[to] = status[from] as number;
    millis[to] = millis[from] as number;
    extra[to] = extra[from];
  };
  const grow = () => {
    const order = Array.from({ length: size }, (_, i) => (head + i) & (size - 1));
    const column = <T extends Float64Array | Uint16Array>(old: T, wider: T): T => {
      order.forEach((from, to) => {
        wider[to] = old[from] as number;
      });
      return wider;
    };
    at = column(at, new Float64Array(size * 2));
    status = column(status, new Uint16Array(size * 2));
    millis = column(millis, new Float64Array(size * 2));
    extra = [...order.map((from) => extra[from]), ...new Array(size)];
    head = 0;
    tail = size;
    size *= 2;
  };
  return {
    count: () => tail - head,
    firstAt: () => at[head & (size - 1)] as number,
    insert: (startedAt, code, length, words) => {
      if (tail - head === size) grow();
      let slot = tail++;
      for (; slot > head && (at[(slot - 1) & (size - 1)] as number) > startedAt; slot--) move(slot & (size - 1), (slot - 1) & (size - 1));
      const place = slot & (size - 1);
      at[place] = startedAt;
      status[place] = code;
      millis[place] = length;
      extra[place] = words;
    },
    shift: (next) => {
      const place = head++ & (size - 1);
      next(at[place] as number, status[place] as number, millis[place] as number, extra[place] as Extra);
    },
  };
}
