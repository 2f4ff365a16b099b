import { OperationError } from '../../host/errors.ts';
import type { Workspace } from '../run/run.ts';

/** Whether the work was done; an `OperationError` of it becomes a line of the log, which begins with `failure`. */
export async function isDone(run: Pick<Workspace, 'log'>, failure: string, work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    await run.log.line('ERROR', `${failure}: ${error.message}`);
    return false;
  }
}
