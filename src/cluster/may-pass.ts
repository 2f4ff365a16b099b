import { OperationError } from '../host/errors.ts';
import { ApiError } from './cluster.ts';

/**
 * Repeating the request does not change these: it is malformed, forbidden, or asks for something that does not exist
 * (RFC 9110, 15.5).
 */
const refusedForGood: readonly number[] = [400, 403, 404, 405, 422];

/**
 * Whether the same request may succeed a while later: after no answer, from a server that is busy or failing, and after
 * a 401, because credentials may not be known yet. Never after a defect of the program or an aborted request.
 */
export function mayPass(error: unknown): error is OperationError {
  if (!(error instanceof OperationError)) return false;
  return !(error instanceof ApiError) || !refusedForGood.includes(error.status);
}
