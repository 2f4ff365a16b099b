import type { Command, CommandResult } from '../../host/host.ts';
import { git } from './git.ts';
import { reasonOf } from './reason-of.ts';

/** Step 5 of 4.3, also of a rollback: the tree, the index and HEAD become exactly this commit, given by its full id. */
export function reset(commit: string): Command {
  return git('reset', '--hard', commit);
}

/** A reset does not change submodules: these commands bring their addresses, then their trees, to the commit. */
export const submodules: readonly Command[] = [
  git('submodule', '--quiet', 'sync', '--recursive'),
  git('submodule', '--quiet', 'update', '--init', '--recursive', '--force'),
];

/** A reset without git-lfs writes pointers instead of large files. */
export const largeFiles: readonly Command[] = [git('lfs', 'fetch', 'origin'), git('lfs', 'checkout')];

/** Why a reset failed, in git's words, as far as it said any. */
export interface ResetTrouble {
  readonly because?: string;
}

/** Undefined where git has done it. */
export function resetTrouble({
  exitCode,
  stderr,
}: Pick<CommandResult, 'exitCode' | 'stderr'>): ResetTrouble | undefined {
  const because = reasonOf(stderr);
  return exitCode === 0 ? undefined : because === '' ? {} : { because };
}
