import type { Command } from '../../host/host.ts';
import { git } from './git.ts';

/** Step 5 of 4.3, and of the rollback: the tree, the index and HEAD become exactly this commit, given by its whole id. */
export function reset(commit: string): Command {
  return git('reset', '--hard', commit);
}

/** A reset leaves submodules where they were: their addresses and then their trees become what the commit says. */
export const submodules: readonly Command[] = [
  git('submodule', '--quiet', 'sync', '--recursive'),
  git('submodule', '--quiet', 'update', '--init', '--recursive', '--force'),
];

/** A reset without git-lfs leaves pointers in the place of large files. */
export const largeFiles: readonly Command[] = [git('lfs', 'fetch', 'origin'), git('lfs', 'checkout')];
