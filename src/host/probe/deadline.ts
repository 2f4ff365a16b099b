/** One time limit for consecutive steps: the step under way when it expires is cancelled. */
export interface Deadline {
  readonly expired: () => boolean;
  /** Of the time; 0 when it is over. */
  readonly leftSeconds: () => number;
  /** Sets how to cancel the current step; calls it at once if the time is over already. */
  readonly during: (callOff: () => void) => void;
  /** Lets the time expire now. */
  readonly expire: () => void;
  /** Restarts the time for the same step, from this moment of `performance.now()` on. */
  readonly restart: (now: number) => void;
  readonly clear: () => void;
}

/** A restart only moves the end: the timer stays, and sets itself again when it rings too early. So it costs nothing for each request of a load. */
export function deadline(seconds: number): Deadline {
  const lastsMs = seconds * 1000;
  let endsAt = performance.now() + lastsMs;
  let expired = false;
  let current = () => {};
  const leftMs = () => Math.max(0, endsAt - performance.now());
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
    restart: (now) => {
      endsAt = now + lastsMs;
      if (expired) timer = setTimeout(ring, lastsMs);
      expired = false;
    },
    clear: () => clearTimeout(timer),
  };
}

/** A timer may ring so much before its time. */
const timerMs = 1;
