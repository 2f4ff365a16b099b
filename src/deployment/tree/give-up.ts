import type { UnfinishedGit } from '../checkout/unfinished-git.ts';
import { git } from '../git/git.ts';
import { runGit, type Workspace } from '../run/run.ts';

/** After a hard reset: otherwise somebody's `git rebase --abort` would later undo it. What git had stashed for it is in `git stash`. */
export async function giveUp(run: Workspace, { what, quit }: UnfinishedGit): Promise<void> {
  if (quit !== undefined) await runGit(run, 'give up', git(...quit.split(' ')));
  await run.log.line('INFO', `Given up: ${what} that was in progress in the checkout`);
}
