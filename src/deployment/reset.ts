import type { Command } from '../host/host.ts';
import { git } from './git.ts';

/** Step 5 of 4.3, and of the rollback: the tree, the index and HEAD become exactly this commit, given by its whole id. */
export function reset(commit: string): Command {
  return git('reset', '--hard', commit);
}
