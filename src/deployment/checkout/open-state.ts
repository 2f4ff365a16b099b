import type { Files, Host } from '../../host/host.ts';
import { type Journal, openJournal } from '../../journal/journal.ts';
import { compactJournal } from '../record/compact-journal.ts';
import type { DeploymentFact } from '../record/events.ts';
import { journalPath, readHistory } from '../record/history.ts';
import { performerText } from '../record/performer.ts';
import type { DeployEvent } from '../record/states.ts';
import type { Checkout } from './checkout.ts';
import { freezeText, frozen } from './freeze.ts';
import { acquireLock, type Lock } from './lock.ts';
import type { Owner } from './owner.ts';

/** The lock and the open journal of a checkout, held until `lock.release`. */
export interface OpenState {
  readonly journal: Journal<DeploymentFact>;
  readonly lock: Lock;
  /** Closes the journal, and forgets what was written to it since it was opened. */
  readonly forget: () => Promise<void>;
}
export type Opened = { readonly state: OpenState } | { readonly event: DeployEvent };

/** Takes the lock and opens the journal, or returns the event `refused` with exit code 6. */
export async function openState(host: Pick<Host, 'files' | 'clock'>, checkout: Checkout): Promise<Opened> {
  // The journal holds names of files, which other users need not see.
  await host.files.makeFolder(checkout.stateFolder, { mode: 0o700 });
  const freeze = await frozen(host.files, checkout.stateFolder);
  if (freeze !== undefined)
    return {
      event: refused(`${freezeText(freeze)} holdfast unlock allows deploys again.`),
    };
  const acquired = await acquireLock(host.files, checkout.stateFolder, checkout.self);
  if ('heldBy' in acquired) return { event: refused(await heldBy(host.files, checkout.stateFolder, acquired.heldBy)) };
  await compactJournal(host.files, journalPath(checkout.stateFolder));
  const path = journalPath(checkout.stateFolder);
  const sizeBefore = (await host.files.stat(path))?.sizeBytes ?? 0;
  const journal = await openJournal<DeploymentFact>(host, path, undefined, { mode: 0o600 });
  const forget = async (): Promise<void> => {
    await journal.close();
    await host.files.truncate(path, sizeBefore);
  };
  return { state: { journal, lock: acquired.lock, forget } };
}

function refused(because: string): DeployEvent {
  return { type: 'refused', because, exitCode: 6 };
}

/** Who holds the lock, and why where that was said, as a sentence. */
export async function heldBy(files: Files, stateFolder: string, owner: Owner | undefined): Promise<string> {
  if (owner === undefined)
    return 'The deployment lock is held, and its record cannot be read: holdfast doctor says more.';
  const runs = await readHistory(files, stateFolder).catch(() => []);
  const run = runs.findLast(({ pid, bootId }) => pid === owner.pid && bootId === owner.bootId);
  const who = run?.by === undefined ? '' : `, by ${performerText(run.by)}`;
  const why = run?.message === undefined ? '' : `: ${run.message}`;
  return `Another deploy holds the lock: process ${owner.pid} on ${owner.hostName} since ${owner.acquiredAt}${who}${why}.`;
}
