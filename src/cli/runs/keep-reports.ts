import { OperationError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import { writeReports } from '../../report/write-reports.ts';
import { exitCodeOf } from '../../validation/judge/exit-code.ts';
import type { ReadRun } from '../../validation/judge/read-run.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { sayMistakes } from '../command/say.ts';

/**
 * Writes all reports of a run and returns its exit code. If they cannot be written it prints why, and a pass becomes 4.
 */
export async function keepReports(
  { files, talk }: Pick<Host, 'files' | 'talk'>,
  folder: string,
  run: ReadRun,
): Promise<number> {
  const exitCode = exitCodeOf(run.facts, run.result);
  try {
    await writeReports(files, folder, run);
    return exitCode;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    sayMistakes(talk, [`${error.message}. Remove the cause, then write the reports with: holdfast report ${folder}`]);
    return exitCode === exitCodes.done ? exitCodes.inconclusive : exitCode;
  }
}
