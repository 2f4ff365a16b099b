/** The clock of a cluster: a virtual one, or the machine's. */
export interface Clock {
  /** Wall-clock time, epoch milliseconds. */
  wallAt(): number;
  /** Monotonic time since an arbitrary origin. */
  monotonicSeconds(): number;
  /** Rejects with the signal's reason when it is aborted first. */
  sleep(seconds: number, signal?: AbortSignal): Promise<void>;
  /** Awaits real work (a file, a socket), during which virtual time stands still. `what` names it in errors. */
  hold<T>(what: string, work: () => Promise<T>): Promise<T>;
}
