import { OperationError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import { writeReports } from '../../report/write-reports.ts';
import { exitCodeOf } from '../../validation/judge/exit-code.ts';
import type { ReadRun } from '../../validation/judge/read-run.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { text } from '../command/text.ts';

/** Writes all reports of a run, and gives its exit code. What could not be written is told, and takes nothing from the verdict but a pass. */
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
    talk.write(text.mistakes([`${error.message}. Mend that, then: holdfast report ${folder}`]));
    return exitCode === exitCodes.done ? exitCodes.inconclusive : exitCode;
  }
}
