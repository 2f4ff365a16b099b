import { OperationError, UsageError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import { reportJson } from '../../report/json.ts';
import { reportText } from '../../report/text.ts';
import { writeReports } from '../../report/write-reports.ts';
import { exitCodeOf } from '../../validation/exit-code.ts';
import { type ReadRun, readRun } from '../../validation/read-run.ts';
import type { Perform } from '../command.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { paint, text } from '../text.ts';
import { unusable } from '../unusable.ts';

/** `report RUN`: all reports again, from the journal and the downtime log alone. */
export const report: Perform = async ({ host, flags }, { operands }) => {
  const folder = operands[0] ?? '';
  const run = await readRun(host.files, folder).catch(unusable('the run cannot be read', 'name another run folder'));
  if (run === undefined) throw new UsageError([`${folder} holds no run: a run folder has a journal.jsonl.`]);
  return finishReports({ host, flags }, folder, run);
};

/** Shows the report that was asked for, then writes all of them, because a full disk must not hide the verdict; says how it ended. */
export async function finishReports(
  { host, flags }: Pick<Context, 'host' | 'flags'>,
  folder: string,
  { facts, result }: ReadRun,
): Promise<number> {
  const screen = { paint: paint(flags.color), columns: Math.min(host.out.columns, widest) };
  host.out.write(flags.json ? reportJson(result) : reportText(result, screen));
  const isWritten = await written(host, folder, writeReports(host.files, folder, { facts, result }));
  if (!flags.quiet) host.talk.write(`Run folder: ${folder}\n`);
  const exitCode = exitCodeOf(facts, result);
  return exitCode === exitCodes.done && !isWritten ? exitCodes.inconclusive : exitCode;
}

/** What could not be written is told, and takes nothing from the verdict but a pass. */
async function written({ talk }: Pick<Host, 'talk'>, folder: string, writing: Promise<void>): Promise<boolean> {
  try {
    await writing;
    return true;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    talk.write(text.mistakes([`${error.message}. Mend that, then: holdfast report ${folder}`]));
    return false;
  }
}

/** Longer lines are hard to read. */
const widest = 80;
