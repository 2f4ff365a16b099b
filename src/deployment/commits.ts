import type { Command } from '../host/host.ts';
import { git } from './git.ts';

/** Asks for the commit id behind a full reference or an id; it prints nothing and exits 1 where there is none (an unborn HEAD). */
export function commitOf(reference: string): Command {
  return git('rev-parse', '--verify', '--quiet', '--end-of-options', `${reference}^{commit}`);
}

/** A whole SHA-1 or SHA-256 object id. */
export function isCommitId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}
