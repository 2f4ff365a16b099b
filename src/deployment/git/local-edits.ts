import type { Command } from '../../host/host.ts';
import { git } from './git.ts';

/** Asks which tracked files differ from HEAD, staged or not: what the reset throws away. */
export function localEdits(): Command {
  return git('diff', '--name-only', '-z', '--no-ext-diff', '--no-renames', 'HEAD', '--');
}

/** Writes these differences down, as `git apply` reads them back. */
export function saveLocalEdits(path: string): Command {
  return git('diff', '--binary', '--no-ext-diff', '--no-textconv', '--no-color', `--output=${path}`, 'HEAD', '--');
}

/** The paths in an answer of git's `-z`. */
export function pathsIn(stdout: string): readonly string[] {
  return stdout.split('\0').filter((path) => path !== '');
}
