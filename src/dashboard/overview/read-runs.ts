import type { Host } from '../../host/host.ts';
import { readJournal } from '../../journal/journal.ts';
import { readRun } from '../../validation/judge/read-run.ts';
import type { RunResult } from '../../validation/judge/run-result.ts';
import { runFiles } from '../../validation/record/run-folder.ts';
import { silentAfterSeconds } from '../stream.ts';
import { type RunLine, runLine, unreadableLine } from './run-line.ts';

export interface ReadRuns {
  readonly runs: readonly RunLine[];
  /** How many older ones are left out. */
  readonly olderRuns: number;
}

/** The newest runs, each read and judged again only when its files have changed. */
export function runsReader(
  { files, clock }: Pick<Host, 'files' | 'clock'>,
  list: () => Promise<readonly string[]>,
): () => Promise<ReadRuns> {
  const known = new Map<string, { readonly as: string; readonly read: Read }>();
  const lineOf = async (folder: string): Promise<readonly RunLine[]> => {
    const stats = [runFiles.journal, runFiles.downtimeLog].map((name) => files.stat(`${folder}/${name}`));
    const written = await Promise.all(stats);
    const as = written.map((stat) => `${stat?.sizeBytes} ${stat?.modifiedAt}`).join(' ');
    if (known.get(folder)?.as !== as) known.set(folder, { as, read: await resultIn(files, folder) });
    const { result, because } = known.get(folder)?.read ?? {};
    const writtenAt = Math.max(...written.map((stat) => stat?.modifiedAt ?? 0));
    if (because !== undefined) return [unreadableLine(folder, writtenAt, because)];
    const isSilent = clock.wallAt() - writtenAt > silentAfterSeconds * 1000;
    return result === undefined ? [] : [runLine(folder, result, { writtenAt, isSilent })];
  };
  return async () => {
    const folders = await list();
    const runs: RunLine[] = [];
    // One after the other: a page that waits does not take all memory.
    for (const folder of folders.slice(0, mostRuns)) runs.push(...(await lineOf(folder)));
    return { runs, olderRuns: Math.max(0, folders.length - mostRuns) };
  };
}

/** More are not read on a page. */
const mostRuns = 50;

/** A run that has not begun has neither. */
interface Read {
  readonly result?: RunResult;
  readonly because?: string;
}

/** Whatever is wrong with one run, such as facts of another version, the others are listed. */
async function resultIn(files: Host['files'], folder: string): Promise<Read> {
  try {
    const run = await readRun(files, folder);
    if (run !== undefined) return { result: run.result };
    const journal = await readJournal(files, `${folder}/${runFiles.journal}`);
    const because = `of the ${journal?.lines.length} lines of ${runFiles.journal} none says how the run began`;
    return (journal?.lines.length ?? 0) > 0 ? { because } : {};
  } catch (error) {
    return { because: error instanceof Error ? error.message : String(error) };
  }
}
