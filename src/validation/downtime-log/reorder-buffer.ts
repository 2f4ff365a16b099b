import type { LineExtra, TakeLine } from './downtime-log.ts';

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

/** Lines in the order of their starts. */
export interface HeldLines<Extra> {
  readonly count: () => number;
  /** The start of the first one; only where there is one. */
  readonly firstAt: () => number;
  /** Behind those with the same start. */
  readonly insert: TakeLine<Extra>;
  /** Hands the first one over and forgets it; only where there is one. */
  readonly shift: (next: TakeLine<Extra>) => void;
}

/** A ring of a power of two, in columns: one line more costs no allocation. */
export interface Columns<Extra> {
  readonly size: number;
  readonly at: Float64Array;
  readonly status: Uint16Array;
  readonly millis: Float64Array;
  readonly extra: (Extra | undefined)[];
}

export const FIRST_SIZE = 64;

export function heldLines<Extra>(): HeldLines<Extra> {
  let ring = columns<Extra>(FIRST_SIZE);
  let head = 0;
  let tail = 0;
  return {
    count: () => tail - head,
    firstAt: () => ring.at[head & (ring.size - 1)] as number,
    insert: (at, status, millis, extra) => {
      if (tail - head === ring.size) {
        ring = wider(ring, head);
        tail -= head;
        head = 0;
      }
      const last = ring.size - 1;
      let place = tail++;
      for (; place > head && (ring.at[(place - 1) & last] as number) > at; place--)
        copy(ring, (place - 1) & last, ring, place & last);
      place &= last;
      ring.at[place] = at;
      ring.status[place] = status;
      ring.millis[place] = millis;
      ring.extra[place] = extra;
    },
    shift: (next) => {
      const place = head++ & (ring.size - 1);
      next(
        ring.at[place] as number,
        ring.status[place] as number,
        ring.millis[place] as number,
        ring.extra[place] as Extra,
      );
    },
  };
}

export function columns<Extra>(size: number): Columns<Extra> {
  return {
    size,
    at: new Float64Array(size),
    status: new Uint16Array(size),
    millis: new Float64Array(size),
    extra: new Array<Extra | undefined>(size).fill(undefined),
  };
}

export function wider<Extra>(ring: Columns<Extra>, head: number): Columns<Extra> {
  const twice = columns<Extra>(ring.size * 2);
  for (let i = 0; i < ring.size; i++) copy(ring, (head + i) & (ring.size - 1), twice, i);
  return twice;
}

export function copy<Extra>(from: Columns<Extra>, place: number, to: Columns<Extra>, target: number): void {
  to.at[target] = from.at[place] as number;
  to.status[target] = from.status[place] as number;
  to.millis[target] = from.millis[place] as number;
  to.extra[target] = from.extra[place];
}
