import { isEmptyTree } from '../git/commits.ts';
import { differences, differencesIn } from '../git/differences.ts';
import { git } from '../git/git.ts';
import { localEdits, pathsIn } from '../git/local-edits.ts';
import { refresh } from '../opcache/refresh.ts';
import { type Run, runGit, type Workspace } from '../run/run.ts';
import { rebuildIndex } from '../tree/git-leftovers.ts';
import { keepFiles, returnKeptFiles } from '../tree/kept-files.ts';
import { resetTree } from '../tree/reset-tree.ts';
import type { Change } from '../verify/verify.ts';
import { logRollbackByHand } from './by-hand.ts';

/** After a reset that failed: brings the tree back where the reset has begun, as on a full disk. Files of both commits are then in the tree, and HEAD does not show it (docs/facts/git.md, "An interrupted reset"). */
export async function undoFailedReset(
  run: Run,
  { from, to, means }: Change,
  editedBefore: readonly string[],
): Promise<void> {
  const edited = pathsIn((await runGit(run, 'local edits', localEdits(), { answers: true })).stdout);
  if (edited.join('\0') === editedBefore.join('\0') && !(await hasAdded(run, from, to))) return;
  if (!(await undoReset(run, { places: [to], target: from, runIds: [run.id], isOld: false }))) {
    await run.progress.advance({ type: 'rollback-failed', commit: from });
    await logRollbackByHand(run, from);
    return;
  }
  await refresh(run, means);
  await run.log.line('INFO', `Put back to ${from}`);
}

/** Whether the tree has a file that only the new commit has. */
async function hasAdded(run: Workspace, from: string, to: string): Promise<boolean> {
  const { stdout } = await runGit(run, 'differences', differences(from, to), { answers: true });
  for (const { letter, path } of differencesIn(stdout)) {
    if (letter === 'A' && (await run.host.files.stat(`${run.checkout.directory}/${path}`)) !== undefined) return true;
  }
  return false;
}

/** A reset that was interrupted, by a kill or by its own failure. */
export interface BrokenReset {
  /** The commits of which all or some files may be in the tree. */
  readonly places: readonly string[];
  readonly target: string;
  /** The runs that intended it: what they kept aside is copied back. */
  readonly runIds: readonly string[];
  /** Whether files may have been made since then: those are kept aside first. */
  readonly isOld: boolean;
}

/**
 * Brings the tree to the target: hashes every file again, removes what the other commits added, and copies back what was
 * kept aside for them. False when git failed.
 */
export async function undoReset(run: Workspace, { places, target, runIds, isOld }: BrokenReset): Promise<boolean> {
  const others = places.filter((commit) => commit !== target && !isEmptyTree(commit));
  // Last from the target itself, whose own files may be damaged.
  for (const place of [...others, target]) if (!(await leave(run, place, target, isOld))) return false;
  await returnKeptFiles(run, runIds);
  return true;
}

/** Resets from one of the places to the target: git removes files that the index has and the target has not. */
async function leave(run: Workspace, place: string, target: string, isOld: boolean): Promise<boolean> {
  // A commit that git does not have any more cannot have left files either.
  if (!(await rebuildIndex(run, place))) return place !== target;
  const own = isOld && place !== target ? await strays(run, place, target) : [];
  return (await keepFiles(run, own)) === 0 && resetTree(run, 'undo reset', target);
}

/** Files at paths that the commit adds, with another content: written in part, or made by somebody else. */
async function strays(run: Workspace, place: string, target: string): Promise<readonly string[]> {
  const answers = { answers: true } as const;
  const words = ['-r', '-z', '--name-only', '--no-renames', '--diff-filter=A'] as const;
  const added = pathsIn((await runGit(run, 'added files', git('diff-tree', ...words, target, place), answers)).stdout);
  if (added.length === 0) return [];
  const differ = git('diff-files', '-z', '--name-only', '--diff-filter=MT');
  const differing = new Set(pathsIn((await runGit(run, 'strays', differ, answers)).stdout));
  return added.filter((path) => differing.has(path));
}
