import { OperationError } from '../../host/errors.ts';
import { git } from '../git.ts';
import { type Run, runGit, runStep } from '../run.ts';
import { type Difference, differences, differencesIn } from './differences.ts';

/** What the caches, the log, the journal and git itself write besides the checkout's files. */
const reserveBytes = 32 * 1024 * 1024;
const reserveInodes = 200;

/**
 * Finds out before the reset whether both it and a rollback after it will find room: on a full disk a reset leaves
 * files cut off, and cannot be undone. No room is an `OperationError`.
 */
export async function demandSpace(run: Run, from: string, to: string): Promise<readonly Difference[]> {
  const raw = await runGit(run, 'differences', differences(from, to), { answers: true });
  const differing = differencesIn(raw.stdout);
  const [there, blobBytes] = await Promise.all([freeSpace(run), sizeOf(run, differing)]);
  if (there === undefined) return differing;
  const neededBytes = blobBytes + reserveBytes;
  const neededInodes = 2 * differing.length + reserveInodes;
  if (there.bytes < neededBytes) throw noRoom(run, `${there.bytes} bytes are free and ${neededBytes} may be needed`);
  if (there.inodes < neededInodes)
    throw noRoom(run, `${there.inodes} inodes are free and ${neededInodes} may be needed`);
  return differing;
}

/** What the files that differ take, before and after. */
async function sizeOf(run: Run, differing: readonly Difference[]): Promise<number> {
  const blobs = differing.flatMap((difference) => difference.blobs);
  if (blobs.length === 0) return 0;
  const sizes = await runGit(run, 'sizes', git('cat-file', '--batch-check=%(objectsize)'), {
    answers: true,
    stdin: `${blobs.join('\n')}\n`,
  });
  return sizes.stdout.split('\n').reduce((total, size) => total + (Number.parseInt(size, 10) || 0), 0);
}

/** Undefined where it cannot be found out. A file system without a limit of inodes says that it has none. */
async function freeSpace(run: Run): Promise<{ readonly bytes: number; readonly inodes: number } | undefined> {
  const command = ['stat', '-f', '-c', '%a %S %c %d', run.checkout.directory] as const;
  const { stdout, exitCode } = await runStep(run, 'free space', command, {
    env: run.settings.environment,
    answers: true,
  });
  const [blocks, blockBytes, inodes, freeInodes] = stdout.trim().split(' ').map(Number);
  if (exitCode !== 0 || blocks === undefined || blockBytes === undefined) return undefined;
  return { bytes: blocks * blockBytes, inodes: inodes === 0 ? Number.POSITIVE_INFINITY : (freeInodes ?? 0) };
}

function noRoom({ checkout }: Run, cameBack: string): OperationError {
  return new OperationError({
    tried: 'Making room for the new commit in',
    on: checkout.directory,
    cameBack,
    next: 'Free some and run again',
  });
}
