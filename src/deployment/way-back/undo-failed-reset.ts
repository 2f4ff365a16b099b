import { OperationError } from '../../host/errors.ts';
import { inParallel } from '../../host/in-parallel.ts';
import { isEmptyTree } from '../git/commits.ts';
import { git } from '../git/git.ts';
import { localEdits, patchOfLocalEdits, pathsIn } from '../git/local-edits.ts';
import { refresh } from '../opcache/refresh.ts';
import { listByGit, type Run, runGit, runStep, type Workspace } from '../run/run.ts';
import { keptEdits } from '../tree/blast-radius.ts';
import { rebuildIndex } from '../tree/git-leftovers.ts';
import { returnUnseen } from '../tree/hidden-edits.ts';
import { keepFiles, measure, moveOthers, returnFolders, returnKeptFiles, returnMoved } from '../tree/kept-files.ts';
import { addedBy, onDisk } from '../tree/on-disk.ts';
import { resetTree } from '../tree/reset-tree.ts';
import type { Change } from '../verify/verify.ts';
import { logRollbackByHand } from './by-hand.ts';

/**
 * After a reset that failed: brings the tree back where the reset has begun, as on a full disk. Files of both commits
 * are then in the tree, and HEAD does not show it (docs/facts/git.md, "An interrupted reset").
 */
export async function undoFailedReset(run: Run, change: Change, editedBefore: readonly string[]): Promise<void> {
  const { from, to, means } = change;
  const isBack = await tried(run, () => isAsBefore(run, change, editedBefore));
  // What was moved out of the way is not git's.
  if (isBack) {
    await returnMoved(run, run.id);
    await returnUnseen(run, [run.id]);
    return;
  }
  if (!(await tried(run, () => isUndone(run, change, editedBefore)))) {
    await run.progress.advance({ type: 'rollback-failed', commit: from, ...(await onDisk(run, from, [to])) });
    await logRollbackByHand(run, from);
    return;
  }
  await returnKeptFiles(run, [run.id]);
  await returnUnseen(run, [run.id]);
  await refresh(run, means);
  await run.log.line('INFO', `Put back to ${from}`);
}

/** An edited file that cannot be written is as it was, and not as in the commit. */
async function isUndone(run: Run, change: Change, editedBefore: readonly string[]): Promise<boolean> {
  const { from, to } = change;
  await returnFolders(run, [run.id]);
  const isBack = await undoReset(run, { places: [to], target: from, isOld: false });
  return isBack || isAsBefore(run, change, editedBefore);
}

/** False where it fails, such as on a full disk: how far it came is unknown. */
async function tried(run: Run, work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    await run.log.line('ERROR', error.message);
    return false;
  }
}

/** Whether the tree has the same edits as before the reset, and no file of the new commit alone. */
async function isAsBefore(run: Workspace, { from, to }: Change, editedBefore: readonly string[]): Promise<boolean> {
  const edited = pathsIn(await listByGit(run, 'local edits', localEdits()));
  if (edited.join('\0') !== editedBefore.join('\0')) return false;
  if ((await addedBy(run, from, to)).length > 0) return false;
  return editedBefore.length === 0 || hasSameEdits(run);
}

async function hasSameEdits(run: Workspace): Promise<boolean> {
  const now = `${keptEdits(run)}.now`;
  const { exitCode } = await runGit(run, 'local edits', patchOfLocalEdits(now));
  if (exitCode !== 0) return false;
  const compare = ['cmp', '--silent', '--', keptEdits(run), now] as const;
  const compared = await runStep(run, 'compare edits', compare, {
    env: run.settings.environment,
    answers: true,
    oneIsAnswer: true,
  });
  await run.host.files.remove(now);
  return compared.exitCode === 0;
}

/** A reset that was interrupted, by a kill or by its own failure. */
export interface BrokenReset {
  /** The commits of which all or some files may be in the tree. */
  readonly places: readonly string[];
  readonly target: string;
  /** Whether files may have been made since then: those are kept aside first. */
  readonly isOld: boolean;
}

/**
 * Brings the tree to the target: hashes every file again, and removes what the other commits added. False when git
 * failed and the tree is not the target's.
 */
export async function undoReset(run: Workspace, { places, target, isOld }: BrokenReset): Promise<boolean> {
  const others = places.filter((commit) => commit !== target && !isEmptyTree(commit));
  const stuck: string[] = [];
  for (const place of others) if (!(await leave(run, place, target, isOld))) stuck.push(place);
  // Last from the target itself, whose own files may be damaged.
  if (!(await leave(run, target, target, isOld))) return false;
  // A reset fails at a file that cannot be written, such as an immutable one, also where the file is right already.
  for (const place of stuck) if ((await addedBy(run, target, place)).length > 0) return false;
  return true;
}

/** Resets from one of the places to the target: git removes files that the index has and the target has not. */
async function leave(run: Workspace, place: string, target: string, isOld: boolean): Promise<boolean> {
  // A commit that git does not have any more cannot have left files either.
  if (!(await rebuildIndex(run, place))) return place !== target;
  const own = isOld && place !== target ? await strays(run, place, target) : [];
  const kept = await measure(run, own);
  await keepFiles(run, kept);
  await moveOthers(run, kept);
  return (await resetTree(run, 'undo reset', target)) === undefined;
}

/**
 * Files at paths that the commit adds, with another content or of another user: written in part, or made by somebody
 * else.
 */
async function strays(run: Workspace, place: string, target: string): Promise<readonly string[]> {
  const words = ['-r', '-z', '--name-only', '--no-renames', '--diff-filter=A'] as const;
  const added = pathsIn(await listByGit(run, 'added files', git('diff-tree', ...words, target, place)));
  if (added.length === 0) return [];
  const differ = git('diff-files', '-z', '--name-only', '--diff-filter=MT');
  const differing = new Set(pathsIn(await listByGit(run, 'strays', differ)));
  const there = await inParallel(added, mostAtOnce, (path) => run.host.files.stat(`${run.checkout.directory}/${path}`));
  const { userId } = run.checkout.self;
  return added.filter((path, index) => {
    const file = there[index];
    // A repair that was killed has brought back a folder where a file belongs.
    return file !== undefined && file.kind !== 'folder' && (differing.has(path) || file.uid !== userId);
  });
}

/** More wait for one of Node's four threads for files. */
const mostAtOnce = 16;
