import { UsageError } from '../../host/errors.ts';
import { githubAnnotations } from '../../report/annotations.ts';
import { reportJson } from '../../report/json.ts';
import { reportMarkdown } from '../../report/markdown.ts';
import { reportText } from '../../report/text.ts';
import { type ReadRun, readRun } from '../../validation/judge/read-run.ts';
import { runFiles } from '../../validation/record/run-folder.ts';
import { asUsageError } from '../command/as-usage-error.ts';
import type { Perform } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { pageOf } from '../command/page.ts';
import { keepReports } from '../runs/keep-reports.ts';
import { tellGithub } from '../terminal/github.ts';

/** `report RUN`: writes all reports again, from the journal and the downtime log alone. */
export const report: Perform = async (context, { operands }) => {
  const { host } = context;
  const folder = operands[0] ?? '';
  const run = await readRun(host.files, folder).catch(
    asUsageError('the run cannot be read', 'name another run folder'),
  );
  if (run === undefined) throw new UsageError([`${folder} is not a run folder: it has no journal.jsonl.`]);
  return finishReports(context, folder, run);
};

/** Prints the report, then writes all of them (a full disk must not hide the verdict). Returns the exit code of the run. */
export async function finishReports(
  { host, flags, environment = {} }: Pick<Context, 'host' | 'flags'> & Partial<Pick<Context, 'environment'>>,
  folder: string,
  run: ReadRun,
): Promise<number> {
  host.out.write(flags.json ? reportJson(run.result) : reportText(run.result, pageOf({ host, flags })));
  const exitCode = await keepReports(host, folder, run);
  const pictures = `${folder}/${runFiles.reportHtml}`;
  if (!flags.quiet && (await host.files.stat(pictures)) !== undefined) host.talk.write(`Pictures: ${pictures}\n`);
  if (!flags.quiet) host.talk.write(`Run folder: ${folder}\n`);
  await tellGithub({ host, environment }, githubAnnotations(run.result), () => reportMarkdown(run.result));
  return exitCode;
}
