import { anotherGit } from '../checkout/another-git.ts';
import { git } from '../git/git.ts';
import { runGit, runStep, type Workspace } from '../run/run.ts';

/** Lists the lock files of git. */
export function findLocks({ gitFolder, stateFolder }: Pick<Workspace['checkout'], 'gitFolder' | 'stateFolder'>) {
  const others = ['-path', stateFolder, '-prune', '-o'] as const;
  return ['find', gitFolder, ...others, '-name', '*.lock', '-type', 'f', '-print'] as const;
}

/**
 * Removes lock files that a killed git has left, and returns their paths. Removes none while another git runs in the
 * checkout.
 */
export async function removeGitLocks(run: Workspace): Promise<readonly string[]> {
  const { stdout } = await runStep(run, 'git locks', findLocks(run.checkout), {
    env: run.settings.environment,
    answers: true,
  });
  const locks = stdout.split('\n').filter((path) => path !== '');
  if (locks.length === 0 || (await anotherGit(run))) return [];
  for (const lock of locks) await run.host.files.remove(lock);
  return locks;
}

/**
 * Makes git's index anew, with every file hashed again: after a loss of power the index may be right about a file's
 * name, size and times, and wrong about its content. False when git failed.
 */
export async function rebuildIndex(run: Workspace, commit: string): Promise<boolean> {
  const { exitCode } = await runGit(run, 'read tree', git('read-tree', commit));
  // It exits 1 where a file differs, which is no failure here.
  await runGit(run, 'hash files', git('update-index', '-q', '--refresh'), { answers: true, oneIsAnswer: true });
  return exitCode === 0;
}
