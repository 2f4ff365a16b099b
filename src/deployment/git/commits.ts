import type { Command } from '../../host/host.ts';
import { git } from './git.ts';

/** Asks for the commit id behind a full reference or an id; it prints nothing and exits 1 where there is none (an unborn HEAD). */
export function commitOf(reference: string): Command {
  return git('rev-parse', '--verify', '--quiet', '--end-of-options', `${reference}^{commit}`);
}

/** The id that the tree without files has for ever, in SHA-1 and in SHA-256: where the first deploy of a checkout comes from. */
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

/** A whole SHA-1 or SHA-256 object id. */
export function isCommitId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}
