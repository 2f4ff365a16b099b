import { UsageError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import { comparison } from '../../report/comparison.ts';
import { comparisonText } from '../../report/comparison-text.ts';
import { trendOf, trendText } from '../../report/trend.ts';
import { exitCodeOf } from '../../validation/judge/exit-code.ts';
import { type ReadRun, readRun } from '../../validation/judge/read-run.ts';
import { runFiles } from '../../validation/record/run-folder.ts';
import { asUsageError } from '../command/as-usage-error.ts';
import type { Context } from '../command/context.ts';
import { pageOf } from '../command/page.ts';

/** The run of a folder; a folder without one is a `UsageError`. */
export async function runIn({ files }: Pick<Host, 'files'>, folder: string): Promise<ReadRun> {
  const run = await readRun(files, folder).catch(asUsageError('the run cannot be read', 'name another run folder'));
  if (run === undefined)
    throw new UsageError([
      `${folder} is not a run folder, because it has no journal.jsonl: name one, such as those in runs/.`,
    ]);
  return run;
}

/**
 * `report RUN --against OTHER`: what became better or worse since the other run. The exit code is that of RUN, as
 * without `--against`.
 */
export async function reportAgainst({ host, flags }: Context, folder: string, other: string): Promise<number> {
  const [after, before] = [await runIn(host, folder), await runIn(host, other)];
  const compared = comparison(before.result, after.result);
  host.out.write(flags.json ? `${JSON.stringify(compared)}\n` : comparisonText(compared, pageOf({ host, flags })));
  return exitCodeOf(after.facts, after.result);
}

/** `report RUN… --trend`: a row for each run. The exit code is that of the last one. */
export async function reportTrend({ host, flags }: Context, operands: readonly string[]): Promise<number> {
  const folders = (await Promise.all(operands.map((operand) => runFoldersIn(host, operand)))).flat();
  const runs: { readonly folder: string; readonly run: ReadRun }[] = [];
  for (const folder of folders) runs.push({ folder, run: await runIn(host, folder) });
  const trend = trendOf(runs.map(({ folder, run }) => ({ folder, result: run.result })));
  host.out.write(flags.json ? `${JSON.stringify(trend)}\n` : trendText(trend, pageOf({ host, flags })));
  const last = runs.find(({ folder }) => folder === trend.runs.at(-1)?.folder)?.run;
  return last === undefined ? 0 : exitCodeOf(last.facts, last.result);
}

/** The folder itself where it holds a run, else the run folders in it. */
async function runFoldersIn({ files }: Pick<Host, 'files'>, folder: string): Promise<readonly string[]> {
  const isRun = async (path: string): Promise<boolean> =>
    (await files.stat(`${path}/${runFiles.journal}`)) !== undefined;
  if (await isRun(folder)) return [folder];
  const inside = (await files.list(folder)).map((name) => `${folder.replace(/\/$/, '')}/${name}`);
  const found = await Promise.all(inside.map(async (path) => ((await isRun(path)) ? [path] : [])));
  if (found.flat().length === 0)
    throw new UsageError([
      `${folder} is not a run folder, and holds none: name runs, or a folder of them such as runs/.`,
    ]);
  return found.flat();
}
