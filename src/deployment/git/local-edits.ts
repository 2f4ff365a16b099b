import type { Command } from '../../host/host.ts';
import { git } from './git.ts';

/** Lists tracked files that differ from HEAD, staged or not: a reset discards these edits. */
export function localEdits(): Command {
  return editsSince('HEAD');
}

/** Lists tracked files that differ from a commit. */
export function editsSince(commit: string): Command {
  return git('diff', '--name-only', '-z', '--no-ext-diff', '--no-renames', editsInSubmodules, commit, '--');
}

/** Also in a submodule that git was told not to look into (`submodule.<name>.ignore`, gitmodules(5)). */
const editsInSubmodules = '--ignore-submodules=untracked';

/** Prints these edits as a patch for `git apply`, or writes it to a file. */
export function patchOfLocalEdits(path?: string): Command {
  const output = path === undefined ? [] : [`--output=${path}`];
  return git('diff', '--binary', '--no-ext-diff', '--no-textconv', '--no-color', ...output, 'HEAD', '--');
}

/** The paths in git's output with `-z`. */
export function pathsIn(stdout: string): readonly string[] {
  return stdout.split('\0').filter((path) => path !== '');
}
