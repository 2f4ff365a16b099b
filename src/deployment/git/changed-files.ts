import type { Command } from '../../host/host.ts';
import { git } from './git.ts';

/** Lists the files that differ between two commits, given by their full ids. */
export function changedFiles(from: string, to: string): Command {
  return git('diff', '--name-only', '-z', '--no-ext-diff', '--no-renames', '--ignore-submodules=none', from, to, '--');
}

/** Whether one of the changed files has one of these names, or lies in a folder that is named with a `/` at the end. */
export function isChanged(changed: readonly string[], names: readonly string[]): boolean {
  return names.some((name) => changed.some((path) => path === name || (name.endsWith('/') && path.startsWith(name))));
}
