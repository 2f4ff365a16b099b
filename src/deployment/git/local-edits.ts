import type { Command } from '../../host/host.ts';
import { git } from './git.ts';

/** Lists tracked files that differ from HEAD, staged or not: a reset discards these edits. */
export function localEdits(): Command {
  return git('diff', '--name-only', '-z', '--no-ext-diff', '--no-renames', 'HEAD', '--');
}

/** Writes these edits as a patch for `git apply`. */
export function saveLocalEdits(path: string): Command {
  return git('diff', '--binary', '--no-ext-diff', '--no-textconv', '--no-color', `--output=${path}`, 'HEAD', '--');
}

/** The paths in git's output with `-z`. */
export function pathsIn(stdout: string): readonly string[] {
  return stdout.split('\0').filter((path) => path !== '');
}
