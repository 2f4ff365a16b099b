import { OperationError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import { type ReadRun, readRun } from '../../validation/judge/read-run.ts';
import { sayMistakes } from '../command/say.ts';

/**
 * Waits for the end of a run and reads its folder. If the journal could not be written to its end, as on a full disk,
 * it prints why and returns what was written: that is less than was done, never more.
 */
export async function readEndedRun(
  host: Pick<Host, 'files' | 'talk'>,
  folder: string,
  ended: Promise<void>,
): Promise<ReadRun> {
  const trouble = await ended.then(() => undefined, operationError);
  const run = await readRun(host.files, folder);
  if (run === undefined) throw trouble ?? new Error(`the run left no journal in ${folder}`);
  if (trouble !== undefined) sayMistakes(host.talk, [trouble.message]);
  return run;
}

function operationError(error: unknown): OperationError {
  if (error instanceof OperationError) return error;
  throw error;
}
