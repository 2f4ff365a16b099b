import { OperationError } from '../../host/errors.ts';
import { lastVerified, readHistory, verifiedBefore } from '../record/history.ts';
import { keepServedEdits } from '../releases/carry-unseen.ts';
import { showRelease } from '../releases/deploy-release.ts';
import { wholeRelease } from '../releases/prepare-release.ts';
import type { Release } from '../releases/release.ts';
import { releaseOf } from '../releases/release-of.ts';
import { beginMaintenance } from '../run/maintenance.ts';
import { type Run, uninterrupted, type Workspace } from '../run/run.ts';
import { keepResetLosses } from '../tree/blast-radius.ts';
import { holdFolders } from '../tree/hold-folders.ts';
import { moveOthers } from '../tree/kept-files.ts';
import { resetTree, syncTree } from '../tree/reset-tree.ts';
import { resolveCommit } from '../tree/resolve-commit.ts';
import { type Change, verify } from '../verify/verify.ts';
import { undoFailedReset } from './undo-failed-reset.ts';

/** What the command `rollback` is asked for: a commit, or how many verified commits to go back. */
export type Destination = { readonly commit: string } | { readonly steps: number };

/** The commit to go to. A verified one that was found bad since then is not counted. None is an `OperationError`. */
export async function targetOf(run: Run, previousCommit: string, destination: Destination): Promise<string> {
  if ('commit' in destination) return resolveCommit(run, destination.commit);
  const runs = await readHistory(run.host.files, run.checkout.stateFolder);
  const verified = verifiedBefore(runs, previousCommit).filter((commit) => !run.trust.quarantined.has(commit));
  const target = verified[destination.steps - 1];
  if (target !== undefined) return resolveCommit(run, target);
  throw new OperationError({
    tried: 'Finding a commit to roll back to in the history of',
    on: run.checkout.directory,
    reason: verified.length === 0 ? 'no other commit has ever been verified' : onlyBefore(verified.length),
    next: 'Name one: holdfast rollback COMMIT',
  });
}

function onlyBefore(count: number): string {
  return `only ${count} verified ${count === 1 ? 'commit is' : 'commits are'} before the present one`;
}

/** Goes to `change.to`, which stays live whatever the health check then finds. */
export function rollBackTo(run: Run, change: Change): Promise<void> {
  return run.settings.mode === 'releases' ? rollBackToRelease(run, change) : rollBackInPlace(run, change);
}

async function rollBackInPlace(run: Run, change: Change): Promise<void> {
  const { from, to: commit } = change;
  const { kept, differences, edited } = await keepResetLosses(run, from, commit);
  await run.journal.intend({ type: 'reset-intended', from, to: commit });
  await quarantineLeft(run, change);
  await beginMaintenance(run, true);
  await holdFolders(run, differences);
  await moveOthers(run, kept);
  const trouble = await resetTree(run, 'reset', commit);
  if (trouble !== undefined) {
    await run.progress.advance({ type: 'reset-failed', ...trouble });
    await undoFailedReset(run, change, edited);
    return;
  }
  await run.progress.advance({ type: 'rolled-back', commit });
  await syncTree(run);
  await verify(uninterrupted(run), change);
}

/** To a release of the commit that still exists, or to a new one. */
async function rollBackToRelease(run: Run, change: Change): Promise<void> {
  const { from, to } = change;
  await run.journal.intend({ type: 'reset-intended', from, to });
  const release = (await releaseOf(run, to)) ?? (await newRelease(run, change));
  await quarantineLeft(run, change);
  await showRelease(run, change, release);
}

async function newRelease(run: Run, { from, to }: Change): Promise<Release> {
  await keepServedEdits(run, from, to);
  return wholeRelease(run, to, 'rollback', run.interruption);
}

/**
 * The commit that a person rolled back from is quarantined, unless it stays live: otherwise a timer would deploy it
 * again within the minute.
 */
async function quarantineLeft({ journal }: Pick<Workspace, 'journal'>, { from, to }: Change): Promise<void> {
  if (from === to) return;
  await journal.intend({ type: 'rollback-intended', from, to, because: 'It was rolled back by hand' });
}

/** Ends a rollback whose commit is not healthy: it stays, and the log names the commit that was verified last. */
export async function stayAt(run: Workspace, commit: string): Promise<void> {
  // A history that cannot be read names nothing better, and must not keep the run from its end.
  const runs = await readHistory(run.host.files, run.checkout.stateFolder).catch(() => []);
  const verified = lastVerified(runs);
  const better = verified === undefined || verified === commit ? {} : { better: verified };
  await run.progress.advance({ type: 'stayed', commit, ...better });
}
