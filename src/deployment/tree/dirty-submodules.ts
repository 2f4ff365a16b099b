import type { Difference } from '../git/differences.ts';
import { git } from '../git/git.ts';
import { runGit, type Workspace } from '../run/run.ts';

/**
 * The submodules among these paths whose own tree has edits or untracked files: an update to another commit may overwrite them. One
 * that git cannot look into counts as well.
 */
export async function dirtySubmodules(
  run: Workspace,
  differing: readonly Difference[],
  edited: readonly string[],
): Promise<readonly string[]> {
  const bumped = differing.flatMap(({ path, isBump }) => (isBump ? [path] : []));
  const dirty: string[] = [];
  for (const path of new Set([...bumped, ...edited])) {
    const folder = `${run.checkout.directory}/${path}`;
    // Without `.git` it is a file, or a submodule that was never brought here.
    if ((await run.host.files.stat(`${folder}/.git`)) === undefined) continue;
    const status = git('-C', folder, 'status', '--porcelain', '--ignore-submodules=none');
    const { exitCode, stdout } = await runGit(run, `status of ${path}`, status, { answers: true });
    if (exitCode !== 0 || stdout !== '') dirty.push(path);
  }
  return dirty.sort();
}
