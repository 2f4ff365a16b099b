import type { Files } from '../../host/host.ts';
import { runFiles } from '../../validation/record/run-folder.ts';

/**
 * The run folders in `runs/`, and those of `--repeat` in them, the last written one first. Their names say nothing of
 * the time, because `--out` takes any name.
 */
export async function runsNewestFirst(files: Pick<Files, 'list' | 'stat'>): Promise<readonly string[]> {
  const folders = (await files.list('runs')).map((name) => `runs/${name}`);
  const repeated = await Promise.all(folders.map((folder) => foldersIn(files, folder)));
  const runs = await Promise.all([...folders, ...repeated.flat()].map((folder) => runIn(files, folder)));
  const byTime = runs.flat().toSorted((a, b) => b.writtenAt - a.writtenAt || (a.folder < b.folder ? 1 : -1));
  return byTime.map(({ folder }) => folder);
}

async function foldersIn(files: Pick<Files, 'list' | 'stat'>, folder: string): Promise<readonly string[]> {
  if ((await files.stat(folder))?.kind !== 'folder') return [];
  return (await files.list(folder)).map((name) => `${folder}/${name}`);
}

/** The downtime log grows during a run even while the journal does not. */
async function runIn(files: Pick<Files, 'stat'>, folder: string) {
  const journal = await files.stat(`${folder}/${runFiles.journal}`);
  if (journal === undefined) return [];
  const log = await files.stat(`${folder}/${runFiles.downtimeLog}`);
  return [{ folder, writtenAt: Math.max(journal.modifiedAt, log?.modifiedAt ?? 0) }];
}
