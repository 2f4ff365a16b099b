import { UsageError } from '../../host/errors.ts';
import { reportJson } from '../../report/json.ts';
import { reportText } from '../../report/text.ts';
import { type ReadRun, readRun } from '../../validation/judge/read-run.ts';
import { asUsageError } from '../command/as-usage-error.ts';
import type { Perform } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { paint } from '../command/text.ts';
import { keepReports } from '../runs/keep-reports.ts';

/** `report RUN`: writes all reports again, from the journal and the downtime log alone. */
export const report: Perform = async ({ host, flags }, { operands }) => {
  const folder = operands[0] ?? '';
  const run = await readRun(host.files, folder).catch(
    asUsageError('the run cannot be read', 'name another run folder'),
  );
  if (run === undefined) throw new UsageError([`${folder} is not a run folder: it has no journal.jsonl.`]);
  return finishReports({ host, flags }, folder, run);
};

/** Prints the report, then writes all of them (a full disk must not hide the verdict). Returns the exit code of the run. */
export async function finishReports(
  { host, flags }: Pick<Context, 'host' | 'flags'>,
  folder: string,
  run: ReadRun,
): Promise<number> {
  const screen = { paint: paint(flags.color), columns: Math.min(host.out.columns, widest) };
  host.out.write(flags.json ? reportJson(run.result) : reportText(run.result, screen));
  const exitCode = await keepReports(host, folder, run);
  if (!flags.quiet) host.talk.write(`Run folder: ${folder}\n`);
  return exitCode;
}

/** Longer lines are hard to read. */
const widest = 80;
