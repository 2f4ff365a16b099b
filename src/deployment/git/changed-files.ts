import type { Command } from '../../host/host.ts';
import { git } from './git.ts';

/** Asks which files differ between two commits, given by their whole ids. */
export function changedFiles(from: string, to: string): Command {
  return git('diff', '--name-only', '-z', '--no-ext-diff', '--no-renames', from, to, '--');
}

/** Whether one of the files is the one that is named, or lies in the folder that is named with a `/` at its end. */
export function isChanged(changed: readonly string[], names: readonly string[]): boolean {
  return names.some((name) => changed.some((path) => path === name || (name.endsWith('/') && path.startsWith(name))));
}
