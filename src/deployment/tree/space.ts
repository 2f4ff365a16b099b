import { OperationError } from '../../host/errors.ts';
import { type Difference, differences, differencesIn } from '../git/differences.ts';
import { git } from '../git/git.ts';
import { listByGit, type Workspace } from '../run/run.ts';
import { nothingToKeep, type ToKeep } from './kept-files.ts';

/** Room for the caches, the log, the journal and git's own files. */
const reserveBytes = 32 * 1024 * 1024;
const reserveFiles = 200;
/** More than the commit of a web application needs: with so much free, the need is not measured. */
const plentyBytes = 16 * 1024 ** 3;

/** What differs between two commits, given by their full ids. */
export async function differencesBetween(run: Workspace, from: string, to: string): Promise<readonly Difference[]> {
  return differencesIn(await listByGit(run, 'differences', differences(from, to)));
}

/**
 * Rejects with an `OperationError` where the disk of `place` has too little room for the commit, a rollback after it
 * and what is kept before it: on a full disk a reset leaves truncated files, and cannot be undone (docs/facts/git.md,
 * "Full disk").
 */
export async function demandSpace(
  run: Workspace,
  differing: readonly Difference[],
  place = run.checkout.directory,
  kept: Pick<ToKeep, 'bytes' | 'files'> = nothingToKeep,
): Promise<void> {
  const { bytes, files } = await run.host.files.freeSpace(place);
  const neededBytes = (bytes > plentyBytes ? 0 : await sizeOf(run, differing)) + kept.bytes + reserveBytes;
  const neededFiles = 2 * differing.length + kept.files + reserveFiles;
  if (bytes < neededBytes) throw noRoom(place, `${bytes} bytes are free and ${neededBytes} may be needed`, kept);
  if (files < neededFiles) throw noRoom(place, `${files} files can be made and ${neededFiles} may be needed`, kept);
}

/** Bytes of the files that differ, in both commits together. */
async function sizeOf(run: Workspace, differing: readonly Difference[]): Promise<number> {
  const blobs = differing.flatMap((difference) => difference.blobs);
  if (blobs.length === 0) return 0;
  const sizes = await listByGit(run, 'sizes', git('cat-file', '--batch-check=%(objectsize)'), {
    stdin: `${blobs.join('\n')}\n`,
  });
  return sizes.split('\n').reduce((total, size) => total + (Number.parseInt(size, 10) || 0), 0);
}

function noRoom(on: string, reason: string, { bytes, files }: Pick<ToKeep, 'bytes' | 'files'>): OperationError {
  const ofKept = `, ${Math.ceil(bytes / 2 ** 20)} MiB of them for a copy of the ${files} files in its way`;
  return new OperationError({
    tried: 'Making room for the new commit in',
    on,
    reason: `no space left: ${reason}${files === 0 ? '' : ofKept}`,
    next: 'Free some and run again',
  });
}
