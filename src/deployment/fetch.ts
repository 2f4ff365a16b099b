import type { Command } from '../host/host.ts';
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
