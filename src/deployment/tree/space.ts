import { OperationError } from '../../host/errors.ts';
import { type Difference, differences, differencesIn } from '../git/differences.ts';
import { git } from '../git/git.ts';
import { runGit, type Workspace } from '../run/run.ts';

/** Room for the caches, the log, the journal and git's own files. */
const reserveBytes = 32 * 1024 * 1024;
const reserveFiles = 200;
/** More than the commit of a web application needs: with so much free, the need is not measured. */
const plentyBytes = 16 * 1024 ** 3;

/**
 * Rejects with an `OperationError` where the disk of `place` has too little room for the commit and a rollback after it: on
 * a full disk a reset leaves truncated files, and cannot be undone (docs/facts/git.md, "Full disk"). Returns the differences.
 */
export async function demandSpace(
  run: Workspace,
  from: string,
  to: string,
  place = run.checkout.directory,
): Promise<readonly Difference[]> {
  const raw = await runGit(run, 'differences', differences(from, to), { answers: true });
  const differing = differencesIn(raw.stdout);
  const { bytes, files } = await run.host.files.freeSpace(place);
  const neededBytes = (bytes > plentyBytes ? 0 : await sizeOf(run, differing)) + reserveBytes;
  const neededFiles = 2 * differing.length + reserveFiles;
  if (bytes < neededBytes) throw noRoom(place, `${bytes} bytes are free and ${neededBytes} may be needed`);
  if (files < neededFiles) throw noRoom(place, `${files} files can be made and ${neededFiles} may be needed`);
  return differing;
}

/** Bytes of the files that differ, in both commits together. */
async function sizeOf(run: Workspace, differing: readonly Difference[]): Promise<number> {
  const blobs = differing.flatMap((difference) => difference.blobs);
  if (blobs.length === 0) return 0;
  const sizes = await runGit(run, 'sizes', git('cat-file', '--batch-check=%(objectsize)'), {
    answers: true,
    stdin: `${blobs.join('\n')}\n`,
  });
  return sizes.stdout.split('\n').reduce((total, size) => total + (Number.parseInt(size, 10) || 0), 0);
}

function noRoom(on: string, reason: string): OperationError {
  return new OperationError({
    tried: 'Making room for the new commit in',
    on,
    reason,
    next: 'Free some and run again',
  });
}
