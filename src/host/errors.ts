/**
 * The four parts of an `OperationError`'s message: `GET https://api.example: no answer within 8 s. Name another
 * server.`
 */
export interface Failure {
  /** The attempt: a verb in -ing (`Writing the journal`), or the name of a request (`GET`, `DescribeInstances`). */
  readonly tried: string;
  /** The object of the attempt: a path, an address, a name. */
  readonly on: string;
  /** What came back instead of success. */
  readonly reason: string;
  /** What the person can do next, as a sentence without its full stop. */
  readonly next?: string;
}

/** An operation outside the process failed. The message is made of the four parts of the `Failure`. */
export class OperationError extends Error {
  override readonly name: string = 'OperationError';
  readonly failure: Failure;
  constructor(failure: Failure, options?: ErrorOptions) {
    super(
      `${failure.tried} ${failure.on}: ${failure.reason}${failure.next === undefined ? '' : `. ${failure.next}`}`,
      options,
    );
    this.failure = failure;
  }
}

/** The command line or the settings are wrong: every mistake at once, one sentence each. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly mistakes: readonly string[];
  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'));
    this.mistakes = mistakes;
  }
}
