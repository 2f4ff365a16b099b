import { OperationError } from '../../host/errors.ts';
import { isCommitId } from '../git/commits.ts';
import type { Difference } from '../git/differences.ts';
import { git } from '../git/git.ts';
import { reasonOf } from '../git/reason-of.ts';
import { runGit, type Workspace } from '../run/run.ts';

/** A submodule that is here, and that a commit moves to another commit of its own, which is here too. */
export interface MovedSubmodule {
  /** From the checkout's top. */
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Before a reset to the commit: fetches what it moves submodules to, as `git submodule update` would afterwards. One
 * that its origin does not give is an `OperationError`, before anything is touched; where the commit changes the
 * addresses too, only the update can tell.
 */
export async function fetchSubmodules(
  run: Workspace,
  differing: readonly Difference[],
  commit: string,
): Promise<readonly MovedSubmodule[]> {
  // A release has clones of its own.
  if (run.settings.mode === 'releases') return [];
  const changesAddresses = differing.some(({ path }) => path === '.gitmodules');
  const moved: MovedSubmodule[] = [];
  for (const each of await moves(run, differing, commit)) {
    const { path, to } = each;
    const trouble = await fetchOne(run, path, to);
    if (trouble === undefined) moved.push(each);
    else if (!changesAddresses)
      throw new OperationError({ tried: `Fetching commit ${to} of the submodule`, on: path, reason: trouble });
  }
  return moved;
}

async function moves(
  run: Workspace,
  differing: readonly Difference[],
  commit: string,
): Promise<readonly MovedSubmodule[]> {
  const found: MovedSubmodule[] = [];
  for (const { path } of differing.filter(({ isBump }) => isBump)) {
    if ((await run.host.files.stat(`${run.checkout.directory}/${path}/.git`)) === undefined) continue;
    const [from, to] = [await idOf(run, ['-C', path], 'HEAD'), await idOf(run, [], `${commit}:${path}`)];
    if (from !== undefined && to !== undefined) found.push({ path, from, to });
  }
  return found;
}

async function idOf(run: Workspace, where: readonly string[], name: string): Promise<string | undefined> {
  const find = git(...where, 'rev-parse', '--verify', '--quiet', '--end-of-options', name);
  const { stdout } = await runGit(run, 'commit of a submodule', find, { answers: true, oneIsAnswer: true });
  return isCommitId(stdout.trim()) ? stdout.trim() : undefined;
}

/** Why it is not there afterwards. A server may give no commit by its id, which no branch leads to. */
async function fetchOne(run: Workspace, path: string, commit: string): Promise<string | undefined> {
  const isHere = async () => (await idOf(run, ['-C', path], `${commit}^{commit}`)) !== undefined;
  if (await isHere()) return undefined;
  const fetch = ['-C', path, 'fetch', '--quiet', '--no-recurse-submodules'];
  const all = await runGit(run, 'fetch submodule', git(...fetch));
  if (await isHere()) return undefined;
  const one = all.exitCode === 0 ? await runGit(run, 'fetch submodule', git(...fetch, 'origin', commit)) : all;
  return (await isHere()) ? undefined : reasonOf(one.stderr) || 'its origin does not have it';
}
