import type { Files } from '../host/host.ts';
import { runFiles } from '../validation/run-folder.ts';
import type { RunResult } from '../validation/run-result.ts';
import { reportJson } from './json.ts';
import { reportMarkdown } from './markdown.ts';

/** Writes every report of a run into its folder, each whole or not at all. */
export async function writeReports(files: Pick<Files, 'replace'>, folder: string, result: RunResult): Promise<void> {
  await files.replace(`${folder}/${runFiles.reportJson}`, reportJson(result));
  await files.replace(`${folder}/${runFiles.reportMarkdown}`, reportMarkdown(result));
}
