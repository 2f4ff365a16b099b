/** One time limit for consecutive steps: the step under way when it expires is cancelled. */
export interface Deadline {
  readonly expired: () => boolean;
  /** Sets how to cancel the current step; calls it at once if the time is over already. */
  readonly during: (callOff: () => void) => void;
  /** Lets the time expire now. */
  readonly expire: () => void;
  /** Restarts the time for the same step. */
  readonly restart: () => void;
  readonly clear: () => void;
}

export function deadline(seconds: number): Deadline {
  let expired = false;
  let current = () => {};
  const expire = () => {
    expired = true;
    current();
  };
  const timer = setTimeout(expire, seconds * 1000);
  return {
    expired: () => expired,
    during: (callOff) => {
      current = callOff;
      if (expired) callOff();
    },
    expire,
    restart: () => {
      expired = false;
      timer.refresh();
    },
    clear: () => clearTimeout(timer),
  };
}
