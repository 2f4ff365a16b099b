/** One time limit for consecutive steps: the step under way when it expires is cancelled. */
export interface Deadline {
  readonly expired: () => boolean;
  /** Of the time; 0 when it is over. */
  readonly leftSeconds: () => number;
  /** Sets how to cancel the current step; calls it at once if the time is over already. */
  readonly during: (callOff: () => void) => void;
  /** Lets the time expire now. */
  readonly expire: () => void;
  readonly clear: () => void;
}

/**
 * The time counts from `begunAt` on, a moment of `performance.now()`, which may move on: it is read when the timer
 * rings, which is set again if that is too early. So a request of a load costs no timer.
 */
export function deadline(seconds: number, begunAt = constant(performance.now())): Deadline {
  const lastsMs = seconds * 1000;
  let expired = false;
  let current = () => {};
  const leftMs = () => (expired ? 0 : Math.max(0, begunAt() + lastsMs - performance.now()));
  const expire = () => {
    expired = true;
    clearTimeout(timer);
    current();
  };
  const ring = () => {
    const left = leftMs();
    if (left < timerMs) expire();
    else timer = setTimeout(ring, left);
  };
  let timer = setTimeout(ring, lastsMs);
  return {
    expired: () => expired,
    leftSeconds: () => leftMs() / 1000,
    during: (callOff) => {
      current = callOff;
      if (expired) callOff();
    },
    expire,
    clear: () => clearTimeout(timer),
  };
}

const constant = (value: number) => () => value;

/** A timer may ring so much before its time. */
const timerMs = 1;
