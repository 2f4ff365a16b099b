/** The parts of a `ClusterError`'s message: `Listening on 127.0.0.1:80: EACCES`. */
export interface ClusterFailure {
  /** A verb in -ing. */
  readonly tried: string;
  readonly on: string;
  readonly reason: string;
  /** What to do next, as a sentence without its full stop. */
  readonly next?: string;
}

/** Something outside the cluster failed: time that cannot move on, a port that cannot be listened on. */
export class ClusterError extends Error {
  override readonly name = 'ClusterError';
  readonly failure: ClusterFailure;
  constructor(failure: ClusterFailure, options?: ErrorOptions) {
    const next = failure.next === undefined ? '' : `. ${failure.next}`;
    super(`${failure.tried} ${failure.on}: ${failure.reason}${next}`, options);
    this.failure = failure;
  }
}
