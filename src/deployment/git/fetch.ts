import type { Command } from '../../host/host.ts';
import { git } from './git.ts';

/**
 * Step 4 of 4.3: fetches the branch into `origin/<branch>`, also after a forced push, and into a reference of
 * holdfast's own.
 */
export function fetch(branch: string): Command {
  return git(
    ...['fetch', '--no-tags', '--no-recurse-submodules', '--end-of-options', 'origin'],
    `+refs/heads/${branch}:refs/remotes/origin/${branch}`,
    `+refs/heads/${branch}:${fetchedReference}`,
  );
}

/** Fetches one tag of origin into the same reference. */
export function fetchTag(tag: string): Command {
  return fetchOf(`+refs/tags/${tag}:${fetchedReference}`);
}

/**
 * Fetches every branch and tag of origin: of a commit that no branch and no tag leads to, no remote says that it has
 * it.
 */
export function fetchAll(): Command {
  return fetchOf('+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/holdfast/tags/*');
}

/** Names one reference of origin in whose history the commit is; nothing where there is none. */
export function containing(commit: string): Command {
  const where = ['refs/remotes/origin', 'refs/holdfast/tags'];
  return git('for-each-ref', '--count=1', '--format=%(refname)', `--contains=${commit}`, ...where);
}

function fetchOf(...references: readonly string[]): Command {
  return git('fetch', '--no-tags', '--no-recurse-submodules', '--end-of-options', 'origin', ...references);
}

/** Written by this fetch alone, and only under the lock: so it names the commit that the fetch brought. */
export const fetchedReference = 'refs/holdfast/fetched';

/** Removes references to branches that origin no longer has: `release` would prevent a fetch of `release/2`. */
export function forgetGoneBranches(): Command {
  return git('remote', 'prune', 'origin');
}

/** Whether a fetch failed because of such a reference. */
export function isHindered(stderr: string): boolean {
  return /cannot lock ref|local refs could not be updated/.test(stderr);
}

/** Whether git reported a forced push. */
export function isRewritten(stderr: string): boolean {
  return stderr.includes('(forced update)');
}

/** Counts the commits of the checkout that are not in the history of this one. */
export function countDropped(commit: string): Command {
  return git('rev-list', '--count', `${commit}..HEAD`);
}

/**
 * Makes a reference to the commit that a rollback may need: neither a forced push nor git's garbage collection removes
 * it then.
 */
export function pin(commit: string): Command {
  return git('update-ref', pinnedReference, commit);
}

export const pinnedReference = 'refs/holdfast/previous';
