import { OperationError } from '../host/errors.ts';
import { ApiError } from './cluster.ts';

/** What is the same however often it is asked: the question is wrong, is not allowed, or asks for what there is not (RFC 9110, 15.5). */
const refusedForGood: readonly number[] = [400, 403, 404, 405, 422];

/**
 * Pure. Whether the same question may be answered a while later: after no answer at all, a server that is busy or breaks, and credentials
 * that are just not known (401). Never after a defect of the program or the abortion of what was asked.
 */
export function mayPass(error: unknown): error is OperationError {
  if (!(error instanceof OperationError)) return false;
  return !(error instanceof ApiError) || !refusedForGood.includes(error.status);
}
