import { isEmptyTree } from '../git/commits.ts';
import { git } from '../git/git.ts';
import { pathsIn } from '../git/local-edits.ts';
import { type Run, runGit } from '../run/run.ts';
import { rebuildIndex } from './git-leftovers.ts';
import { keepFiles, returnKeptFiles } from './kept-files.ts';
import { resetTree } from './reset-tree.ts';

/** A reset that was broken off, by a kill or by its own failure. */
export interface BrokenReset {
  /** The commits whose files may be in the tree, all of them or some. */
  readonly places: readonly string[];
  readonly target: string;
  /** The runs that meant to go there, and kept what stood in their way. */
  readonly runIds: readonly string[];
  /** Whether somebody may have made files since then, which are kept first. */
  readonly isOld: boolean;
}

/**
 * Brings the tree to the target: every file is hashed again, what the other commits added goes, and what stood in their
 * way comes back. False when git failed.
 */
export async function undoReset(run: Run, { places, target, runIds, isOld }: BrokenReset): Promise<boolean> {
  const others = places.filter((commit) => commit !== target && !isEmptyTree(commit));
  // In the end from the target itself, whose own files may be broken.
  for (const place of [...others, target]) if (!(await leave(run, place, target, isOld))) return false;
  await returnKeptFiles(run, runIds);
  return true;
}

/** Git removes what the index knows and the target has not. */
async function leave(run: Run, place: string, target: string, isOld: boolean): Promise<boolean> {
  // A commit that git no longer has can have left no files either.
  if (!(await rebuildIndex(run, place))) return place !== target;
  const own = isOld && place !== target ? await strays(run, place, target) : [];
  return (await keepFiles(run, own)) === 0 && resetTree(run, 'undo reset', target);
}

/** Files where that commit adds one, and whose content is not that commit's: half-written, or somebody's own. */
async function strays(run: Run, place: string, target: string): Promise<readonly string[]> {
  const answers = { answers: true } as const;
  const words = ['-r', '-z', '--name-only', '--no-renames', '--diff-filter=A'] as const;
  const added = pathsIn((await runGit(run, 'added files', git('diff-tree', ...words, target, place), answers)).stdout);
  if (added.length === 0) return [];
  const differ = git('diff-files', '-z', '--name-only', '--diff-filter=MT');
  const differing = new Set(pathsIn((await runGit(run, 'strays', differ, answers)).stdout));
  return added.filter((path) => differing.has(path));
}
