import type { Files } from '../host/host.ts';
import type { ValidationFact } from '../validation/events.ts';
import { runFiles } from '../validation/run-folder.ts';
import type { RunResult } from '../validation/run-result.ts';
import { reportHtml } from './html.ts';
import { reportJson } from './json.ts';
import { reportJunit } from './junit.ts';
import { reportMarkdown } from './markdown.ts';
import { readTraffic } from './read-traffic.ts';
import { pictureSpans } from './reported-run.ts';

/** Writes every report of a run into its folder, each whole or not at all. The folder's downtime log is read once more, for the pictures. */
export async function writeReports(
  files: Pick<Files, 'replace' | 'chunks' | 'stat'>,
  folder: string,
  { facts, result }: { readonly facts: readonly ValidationFact[]; readonly result: RunResult },
): Promise<void> {
  const traffic = await readTraffic(files, `${folder}/${runFiles.downtimeLog}`, pictureSpans(result, facts));
  await files.replace(`${folder}/${runFiles.reportJson}`, reportJson(result));
  await files.replace(`${folder}/${runFiles.reportMarkdown}`, reportMarkdown(result));
  await files.replace(`${folder}/${runFiles.reportHtml}`, reportHtml({ facts, result, traffic }));
  await files.replace(`${folder}/${runFiles.junit}`, reportJunit(result));
}
