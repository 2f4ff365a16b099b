import * as z from 'zod';
import { UsageError } from '../../host/errors.ts';
import { githubAnnotations } from '../../report/annotations.ts';
import { reportJson } from '../../report/json.ts';
import { reportMarkdown } from '../../report/markdown.ts';
import { reportText } from '../../report/text.ts';
import type { ReadRun } from '../../validation/judge/read-run.ts';
import { runFiles } from '../../validation/record/run-folder.ts';
import type { Perform } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { pageOf } from '../command/page.ts';
import { readFlags } from '../command/read-flags.ts';
import { sayMistakes } from '../command/say.ts';
import { reportAgainst, reportTrend, runIn } from '../runs/compare-runs.ts';
import { keepReports } from '../runs/keep-reports.ts';
import { metricsFlag, sendMetrics } from '../runs/send-metrics.ts';
import { writeStatusPage } from '../runs/write-status-page.ts';
import { writtenBy } from '../runs/written-by.ts';
import { tellGithub } from '../terminal/github.ts';

const schema = z.strictObject({
  against: z.string().exactOptional(),
  trend: z.boolean().default(false),
  statusPage: z.string().min(1).exactOptional(),
  metrics: metricsFlag.exactOptional(),
});

/**
 * `report RUN`: writes all reports again, from the journal and the downtime log alone; or compares runs, and writes
 * nothing.
 */
export const report: Perform = async (context, { operands, options }) => {
  const { statusPage, ...rest } = readFlags(schema, options);
  const { against, trend, metrics } = rest;
  if (statusPage !== undefined) return writeStatusPage(context, statusPage, operands, rest);
  const [folder = '', ...more] = operands;
  if (trend && against === undefined && metrics === undefined) return reportTrend(context, operands);
  const mistakes = mistakesIn(rest, more.length + 1);
  if (mistakes.length > 0) throw new UsageError(mistakes);
  if (against !== undefined) return reportAgainst(context, folder, against);
  const run = await runIn(context.host, folder);
  return (await saysThatItGoesOn(context, folder, run))
    ? exitCodes.locked
    : finishReports(context, folder, run, metrics);
};

/** Options that contradict each other, or the number of runs. */
function mistakesIn({ against, trend, metrics }: Omit<z.output<typeof schema>, 'statusPage'>, count: number) {
  return [
    ...(trend ? ['--against and --trend exclude each other: one compares two runs, the other many.'] : []),
    ...(metrics !== undefined && (trend || against !== undefined)
      ? ['--metrics is of one run: leave out --against and --trend.']
      : []),
    ...(count > 1 ? [`report takes one run, not ${count}: add --trend for a row for each.`] : []),
  ];
}

/**
 * Whether a process still writes the journal of the run, which is said then: a report of it would be one of a run that
 * was killed.
 */
async function saysThatItGoesOn({ host }: Context, folder: string, { facts }: ReadRun): Promise<boolean> {
  if (facts.some(({ type }) => type === 'run-finished')) return false;
  const writer = await writtenBy(host.files, `${folder}/${runFiles.journal}`);
  if (writer === undefined) return false;
  sayMistakes(host.talk, [
    `the run in ${folder} goes on: process ${writer} writes its journal. Wait for its end, or look on with holdfast dashboard; nothing was written.`,
  ]);
  return true;
}

/**
 * Prints the report, then writes all of them (a full disk must not hide the verdict). Returns the exit code of the run.
 */
export async function finishReports(
  { host, flags, environment = {} }: Pick<Context, 'host' | 'flags'> & Partial<Pick<Context, 'environment'>>,
  folder: string,
  run: ReadRun,
  metrics?: string,
): Promise<number> {
  host.out.write(flags.json ? reportJson(run.result) : reportText(run.result, pageOf({ host, flags })));
  const exitCode = await keepReports(host, folder, run);
  await sendMetrics(host, metrics, run);
  const pictures = `${folder}/${runFiles.reportHtml}`;
  if (!flags.quiet && (await host.files.stat(pictures)) !== undefined) host.talk.write(`Pictures: ${pictures}\n`);
  if (!flags.quiet) host.talk.write(`Run folder: ${folder}\n`);
  await tellGithub({ host, environment }, githubAnnotations(run.result), () => reportMarkdown(run.result));
  return exitCode;
}
