/** Every exit code (docs/contract.md, "Exit codes"). */
export const exitCodes = {
  /** A run passed; a deploy is verified, unchanged or updated; a command is done or found no problem. */
  done: 0,
  /** A criterion was not met; a deploy was aborted; a command found a problem. */
  failed: 1,
  /** The command line or the settings are wrong. */
  usage: 2,
  /** The pre-check stopped the run; a deploy was rolled back and the site is healthy again. */
  stopped: 3,
  /** A run is inconclusive; a deploy was rolled back and the site is still unhealthy. */
  inconclusive: 4,
  /** A change could not be undone; the rollback itself failed. */
  notUndone: 5,
  /** Another run holds the lock, or deploys are frozen. */
  locked: 6,
  /** A defect of the program. */
  defect: 70,
} as const;

/** 128 + n: stopped by signal n, with every change undone. */
export const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
