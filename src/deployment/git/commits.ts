import type { Command } from '../../host/host.ts';
import { git } from './git.ts';

/**
 * Prints the commit id of a full reference or an id; prints nothing and exits 1 where there is none, as for an unborn
 * HEAD.
 */
export function commitOf(reference: string): Command {
  return git('rev-parse', '--verify', '--quiet', '--end-of-options', `${reference}^{commit}`);
}

/**
 * Whether it is the id of the empty tree, which is constant in SHA-1 and in SHA-256: the "previous commit" of a first
 * deploy.
 */
export function isEmptyTree(id: string): boolean {
  return emptyTrees.has(id);
}

/** The empty tree of a repository whose ids are as long as this one. */
export function emptyTreeLike(commit: string): string {
  return [...emptyTrees].find(({ length }) => length === commit.length) ?? '';
}

const emptyTrees: ReadonlySet<string> = new Set([
  '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
]);

/** Whether it is a full SHA-1 or SHA-256 object id. */
export function isCommitId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}
