import { OperationError } from '../../host/errors.ts';
import { next } from '../record/states.ts';
import type { RunProgress } from './progress.ts';

/**
 * Does the work; an error of it becomes the event `failed`. An error that is no `OperationError` is a defect, and is
 * thrown again after that.
 */
export async function guarded(progress: RunProgress, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const failed = { type: 'failed', because: error instanceof Error ? error.message : String(error) } as const;
    if (next(progress.state, failed) !== undefined) await progress.advance(failed);
    if (!(error instanceof OperationError)) throw error;
  }
}
