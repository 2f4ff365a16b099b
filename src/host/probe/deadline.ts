/** One time limit for steps that follow each other: whichever is under way when it expires is called off. */
export interface Deadline {
  readonly expired: () => boolean;
  /** The step that is now under way, by what calls it off; calls it at once when the time is over already. */
  readonly during: (callOff: () => void) => void;
  /** Ends the time now. */
  readonly expire: () => void;
  /** Begins the time anew, with the same step under way. */
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
