/** One time limit for consecutive steps: the step under way when it expires is cancelled. */
export interface Deadline {
  readonly expired: () => boolean;
  /** Of the time; 0 when it is over. */
  readonly leftSeconds: () => number;
  /** Sets how to cancel the current step; calls it at once if the time is over already. */
  readonly during: (callOff: () => void) => void;
  /** Lets the time expire now. */
  readonly expire: () => void;
  /** Restarts the time for the same step. */
  readonly restart: () => void;
  readonly clear: () => void;
}

export function deadline(seconds: number): Deadline {
  let endsAt = performance.now() + seconds * 1000;
  let expired = false;
  let current = () => {};
  const expire = () => {
    expired = true;
    current();
  };
  const timer = setTimeout(expire, seconds * 1000);
  return {
    expired: () => expired,
    leftSeconds: () => Math.max(0, (endsAt - performance.now()) / 1000),
    during: (callOff) => {
      current = callOff;
      if (expired) callOff();
    },
    expire,
    restart: () => {
      expired = false;
      endsAt = performance.now() + seconds * 1000;
      timer.refresh();
    },
    clear: () => clearTimeout(timer),
  };
}
