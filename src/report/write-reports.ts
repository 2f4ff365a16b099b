import type { Files } from '../host/host.ts';
import { type DowntimeLog, readDowntimeLog } from '../validation/downtime/read-downtime-log.ts';
import type { RunResult } from '../validation/judge/run-result.ts';
import type { ValidationFact } from '../validation/record/events.ts';
import { runFiles } from '../validation/record/run-folder.ts';
import { reportHtml } from './html.ts';
import { reportJson } from './json.ts';
import { reportJunit } from './junit.ts';
import { reportMarkdown } from './markdown.ts';
import { pictureSpans } from './reported-run.ts';
import { trafficIn } from './traffic.ts';

/** Writes every report of a run into its folder, each file atomically. Reads the folder's downtime log for the pictures. */
export async function writeReports(
  files: Files,
  folder: string,
  { facts, result }: { readonly facts: readonly ValidationFact[]; readonly result: RunResult },
): Promise<void> {
  const traffic = trafficIn(await readLog(files, folder), pictureSpans(result, facts));
  await files.replace(`${folder}/${runFiles.reportJson}`, reportJson(result));
  await files.replace(`${folder}/${runFiles.reportMarkdown}`, reportMarkdown(result));
  await files.replace(`${folder}/${runFiles.reportHtml}`, reportHtml({ facts, result, traffic }));
  await files.replace(`${folder}/${runFiles.junit}`, reportJunit(result));
}

/** Undefined without a log, as after a pre-check that stopped the run. */
async function readLog(files: Files, folder: string): Promise<DowntimeLog | undefined> {
  const path = `${folder}/${runFiles.downtimeLog}`;
  return (await files.stat(path)) === undefined ? undefined : readDowntimeLog(files, path);
}
