import type { Files } from '../host/host.ts';
import { applicationsOf, namesOf } from '../validation/applications.ts';
import { type DowntimeLog, readDowntimeLog } from '../validation/downtime/read-downtime-log.ts';
import type { RunResult } from '../validation/judge/run-result.ts';
import type { ValidationFact } from '../validation/record/events.ts';
import { runStarted } from '../validation/record/records.ts';
import { runFiles } from '../validation/record/run-folder.ts';
import { reportHtml } from './html.ts';
import { reportJson } from './json.ts';
import { reportJunit } from './junit.ts';
import { reportMarkdown } from './markdown.ts';
import { pictureSpans } from './reported-run.ts';
import type { Span } from './strip.ts';
import { type Traffic, trafficIn } from './traffic.ts';

/**
 * Writes every report of a run into its folder, each file atomically. Reads the folder's downtime log for the pictures.
 */
export async function writeReports(
  files: Files,
  folder: string,
  { facts, result }: { readonly facts: readonly ValidationFact[]; readonly result: RunResult },
): Promise<void> {
  const spans = pictureSpans(result, facts);
  const traffic = trafficIn(await readLog(files, folder), spans);
  const further = await trafficOfFurther(files, folder, facts, spans);
  await files.replace(`${folder}/${runFiles.reportJson}`, reportJson(result));
  await files.replace(`${folder}/${runFiles.reportMarkdown}`, reportMarkdown(result));
  await files.replace(`${folder}/${runFiles.reportHtml}`, reportHtml({ facts, result, traffic, further }));
  await files.replace(`${folder}/${runFiles.junit}`, reportJunit(result));
}

/**
 * Of the further applications of one run, by their names. Those of a rehearsal that gave each a cluster of its own have
 * no log here.
 */
async function trafficOfFurther(
  files: Files,
  folder: string,
  facts: readonly ValidationFact[],
  spans: ReadonlyMap<string, Span>,
): Promise<ReadonlyMap<string, Traffic>> {
  const started = runStarted(facts);
  const all = started === undefined ? [] : applicationsOf(started.settings);
  const names = namesOf(all);
  const traffic = new Map<string, Traffic>();
  for (const [index, { url }] of all.entries())
    if (index > 0) traffic.set(names[index] ?? '', trafficIn(await readLog(files, folder, url), spans));
  return traffic;
}

/**
 * That of the first target, or of one that is named; undefined without a log, as after a pre-check that stopped the
 * run.
 */
async function readLog(files: Files, folder: string, url?: string): Promise<DowntimeLog | undefined> {
  const path = `${folder}/${runFiles.downtimeLog}`;
  return (await files.stat(path)) === undefined ? undefined : readDowntimeLog(files, path, 0, url);
}
