import type { Command } from '../../host/host.ts';
import { git } from './git.ts';

/** Step 4 of 4.3: brings the branch from origin to `origin/<branch>`, wherever it was rewound to, and to our own reference. */
export function fetch(branch: string): Command {
  return git(
    ...['fetch', '--no-tags', '--no-recurse-submodules', '--end-of-options', 'origin'],
    `+refs/heads/${branch}:refs/remotes/origin/${branch}`,
    `+refs/heads/${branch}:${fetchedReference}`,
  );
}

/** Only our fetch writes it, and only under the lock: what it names is the commit that this fetch brought. */
export const fetchedReference = 'refs/holdfast/fetched';

/** Forgets the branches that origin no longer has: one named `release` is in the way of one named `release/2`. */
export function forgetGoneBranches(): Command {
  return git('remote', 'prune', 'origin');
}

/** Whether a fetch failed because of such a branch. */
export function isHindered(stderr: string): boolean {
  return /cannot lock ref|local refs could not be updated/.test(stderr);
}

/** Whether the branch was brought to a commit that does not follow its last one. */
export function isRewritten(stderr: string): boolean {
  return stderr.includes('(forced update)');
}

/** Asks how many commits of the checkout are not in the history of this one. */
export function countDropped(commit: string): Command {
  return git('rev-list', '--count', `${commit}..HEAD`);
}

/** Keeps the commit that a rollback may need: neither a forced push nor a clean-up of git takes it away. */
export function pin(commit: string): Command {
  return git('update-ref', pinnedReference, commit);
}

export const pinnedReference = 'refs/holdfast/previous';
