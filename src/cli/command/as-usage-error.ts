import { OperationError, UsageError } from '../../host/errors.ts';

/**
 * For `catch` before anything has begun: throws an `OperationError` as a `UsageError`, `what: message; next.`; any
 * other error as it is.
 */
export function asUsageError(what: string, next?: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof OperationError)) throw error;
    throw new UsageError([`${what}: ${error.message}${next === undefined ? '' : `; ${next}`}.`]);
  };
}
