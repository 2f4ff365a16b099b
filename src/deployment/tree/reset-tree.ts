import { type UnfinishedGit, unfinishedGit } from '../checkout/unfinished-git.ts';
import { git } from '../git/git.ts';
import { type ResetTrouble, reset, resetTrouble } from '../git/reset.ts';
import { runGit, runStep, type Workspace } from '../run/run.ts';
import { withoutUnseen } from './hidden-edits.ts';
import { umaskOfCheckout } from './permissions.ts';
import { placeFiles, removeStaged, type StagedMove, stageFiles } from './place-files.ts';

/** The part of a reset that is done before anything is touched. */
export interface PreparedReset {
  /** Gives new files the permissions of the present ones. */
  readonly umask: number | undefined;
  readonly staged: readonly StagedMove[];
}

/** Writes the files of the reset aside. */
export async function prepareReset(run: Workspace, commit: string): Promise<PreparedReset> {
  const umask = await umaskOfCheckout(run);
  return { umask, staged: await stageFiles(run, commit, umask) };
}

/**
 * Resets to a commit; a merge or rebase in progress is then given up. A file that both commits have is at no moment
 * absent. Returns why git failed; undefined where the tree is the commit's.
 */
export async function resetTree(
  run: Workspace,
  step: string,
  commit: string,
  prepared?: PreparedReset,
): Promise<ResetTrouble | undefined> {
  const { umask, staged } = prepared ?? (await prepareReset(run, commit));
  const begun = await unfinishedGit(run);
  const trouble = await withoutUnseen(run, commit, async () => {
    await placeFiles(run, staged);
    return resetTrouble(await runGit(run, step, reset(commit), umask === undefined ? {} : { umask }));
  });
  await removeStaged(run);
  if (trouble === undefined && begun !== undefined) await giveUp(run, begun);
  return trouble;
}

/** Returns when the checkout's files are on the disk: git itself waits for its own files only. */
export async function syncTree(run: Workspace): Promise<void> {
  await runStep(run, 'sync', ['sync', '-f', run.checkout.directory], { env: run.settings.environment });
}

/**
 * After a hard reset: otherwise somebody's `git rebase --abort` would later undo it. What git had stashed for it is in
 * `git stash`.
 */
async function giveUp(run: Workspace, { what, quit }: UnfinishedGit): Promise<void> {
  if (quit !== undefined) await runGit(run, 'give up', git(...quit.split(' ')));
  await run.log.line('INFO', `Given up: ${what} that was in progress in the checkout`);
}
