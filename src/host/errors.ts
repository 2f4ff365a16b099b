/** What a failed operation says: what was tried, on what, what came back, what to do next. */
export interface Failure {
  readonly tried: string;
  readonly on: string;
  readonly cameBack: string;
  readonly next?: string;
}

/** The outside world did not do what was asked of it. The message is one sentence made of the four parts of a `Failure`. */
export class OperationError extends Error {
  override readonly name: string = 'OperationError';
  readonly failure: Failure;
  constructor(failure: Failure, options?: ErrorOptions) {
    super(
      `${failure.tried} ${failure.on}: ${failure.cameBack}${failure.next === undefined ? '' : `. ${failure.next}`}`,
      options,
    );
    this.failure = failure;
  }
}

/** The person asked for something that cannot be: everything wrong at once, one sentence a mistake. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly mistakes: readonly string[];
  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'));
    this.mistakes = mistakes;
  }
}
