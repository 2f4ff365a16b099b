import { OperationError, UsageError } from '../../host/errors.ts';

/** What is refused before anything has begun is a mistake in the command: for `catch`, the answer of the outside as a `UsageError`. */
export function asUsageError(what: string, next?: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof OperationError)) throw error;
    throw new UsageError([`${what}: ${error.message}${next === undefined ? '' : `; ${next}`}.`]);
  };
}
