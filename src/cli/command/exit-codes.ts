/** Contract section 2: every code, one line each. */
export const exitCodes = {
  /** Pass; verified, unchanged or updated; done, or nothing found. */
  done: 0,
  /** A criterion not met; a deploy aborted; a problem found. */
  failed: 1,
  /** Usage or settings: everything wrong listed at once. */
  usage: 2,
  /** The pre-check stopped the run; a deploy was rolled back and is healthy again. */
  stopped: 3,
  /** Not enough good evidence either way; rolled back and still unhealthy. */
  inconclusive: 4,
  /** Something could not be undone; the rollback itself failed. */
  notUndone: 5,
  /** Another run holds the lock. */
  locked: 6,
  /** A defect of the program. */
  defect: 70,
} as const;

/** 128 + n: stopped by signal n, and undone. */
export const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
