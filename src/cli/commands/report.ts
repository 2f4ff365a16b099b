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
import { pageOf } from '../command/page.ts';
import { readFlags } from '../command/read-flags.ts';
import { reportAgainst, reportTrend, runIn } from '../runs/compare-runs.ts';
import { keepReports } from '../runs/keep-reports.ts';
import { metricsFlag, sendMetrics } from '../runs/send-metrics.ts';
import { tellGithub } from '../terminal/github.ts';

const schema = z.strictObject({
  against: z.string().exactOptional(),
  trend: z.boolean().default(false),
  metrics: metricsFlag.exactOptional(),
});

/** `report RUN`: writes all reports again, from the journal and the downtime log alone; or compares runs, and writes nothing. */
export const report: Perform = async (context, { operands, options }) => {
  const { against, trend, metrics } = readFlags(schema, options);
  const [folder = '', ...more] = operands;
  if (trend && against === undefined && metrics === undefined) return reportTrend(context, operands);
  const mistakes = [
    ...(trend ? ['--against and --trend exclude each other: one compares two runs, the other many.'] : []),
    ...(metrics !== undefined && (trend || against !== undefined)
      ? ['--metrics is of one run: leave out --against and --trend.']
      : []),
    ...(more.length > 0 ? [`report takes one run, not ${operands.length}: add --trend for a row for each.`] : []),
  ];
  if (mistakes.length > 0) throw new UsageError(mistakes);
  if (against !== undefined) return reportAgainst(context, folder, against);
  return finishReports(context, folder, await runIn(context.host, folder), metrics);
};

/** Prints the report, then writes all of them (a full disk must not hide the verdict). Returns the exit code of the run. */
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
