import { OperationError } from '../../host/errors.ts';
import { type Difference, differences, differencesIn } from '../git/differences.ts';
import { git } from '../git/git.ts';
import { runGit, type Workspace } from '../run/run.ts';

/** What the caches, the log, the journal and git itself write besides the checkout's files. */
const reserveBytes = 32 * 1024 * 1024;
const reserveFiles = 200;
/** More than a web application's commit takes: then it need not be measured. */
const plentyBytes = 16 * 1024 ** 3;

/**
 * Finds out before the reset whether both it and a rollback after it will find room: on a full disk a reset leaves
 * files cut off, and cannot be undone. No room is an `OperationError`. `place` is where the files will be.
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

/** What the files that differ take, before and after. */
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
