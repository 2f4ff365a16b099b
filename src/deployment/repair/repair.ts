import { commitBefore, unfinishedGit } from '../checkout/unfinished-git.ts';
import { isEmptyTree } from '../git/commits.ts';
import { sentence } from '../log/sentence.ts';
import type { Means } from '../opcache/means.ts';
import type { RunKind } from '../record/events.ts';
import type { RunRecord } from '../record/history.ts';
import { repairTarget } from '../record/trust.ts';
import { hasNoReleaseYet } from '../releases/live-release.ts';
import { removeServerFiles } from '../releases/private-server.ts';
import { removeUnfinished } from '../releases/prune.ts';
import { presentCommit } from '../releases/record-commits.ts';
import { recordLateProof } from '../releases/record-proof.ts';
import { liftMaintenance } from '../run/maintenance.ts';
import type { Run, Workspace } from '../run/run.ts';
import { keepResetLosses } from '../tree/blast-radius.ts';
import { removeGitLocks } from '../tree/git-leftovers.ts';
import { keepUnseenSince, returnUnseen } from '../tree/hidden-edits.ts';
import { holdFolders } from '../tree/hold-folders.ts';
import { moveOthers, returnFolders, returnKeptFiles, returnMoved } from '../tree/kept-files.ts';
import { onDisk } from '../tree/on-disk.ts';
import { removeStaged } from '../tree/place-files.ts';
import { removeAside } from '../verify/aside-tree.ts';
import { healthOf, returnSteps, type SurroundingSteps } from '../verify/verify.ts';
import { afterReturn, withFormerCaches } from '../way-back/after-return.ts';
import { logRollbackByHand } from '../way-back/by-hand.ts';
import { returnToRelease } from '../way-back/return-to-release.ts';
import { type BrokenReset, undoReset } from '../way-back/undo-failed-reset.ts';
import { endLeftProcesses } from './left-processes.ts';

/**
 * Repairs what killed runs have left: ends their commands, removes their locks, and returns to the commit that was
 * verified last, through its steps, its caches and the health check. It also undoes a rollback by hand that failed. The
 * command `doctor --repair` finishes failed rollbacks of deploys, and gives up a merge or rebase in progress; any other
 * run goes on from where those ended. Returns the run to go on with; undefined when the run has ended.
 */
export async function repair(run: Run, means: Means, kind: RunKind): Promise<Run | undefined> {
  const { killed, failed } = run.trust;
  // Of a rollback by hand HEAD shows nothing: a deploy would find nothing to do, over files of two commits.
  const unfinished = kind === 'repair' ? failed : failed.filter((each) => each.kind === 'rollback');
  const left = [...killed, ...unfinished];
  await Promise.all([removeStaged(run), removeAside(run)]);
  await recordLateProof(run);
  if (left.length === 0) {
    await liftMaintenance(run);
    return (await tidyGit(run, means, kind)) ? run : undefined;
  }
  await logRuns(run, 'Killed before it ended', killed);
  await logRuns(run, 'Could not go back', unfinished);
  const ended = await endLeftProcesses(run.host, left);
  if (ended.length > 0) await run.log.line('INFO', `Its commands have ended: ${ended.join(', ')}`);
  const locks = await removeGitLocks(run);
  await removeServerFiles(run);
  if (locks.length > 0) await run.log.line('INFO', `Removed the locks that it left: ${locks.join(', ')}`);
  const removed = await removeUnfinished(run);
  if (removed.length > 0) await run.log.line('INFO', `Removed the releases that were not whole: ${removed.join(', ')}`);
  const resets = left.flatMap(({ reset }) => (reset === undefined ? [] : [reset]));
  const target = await targetOf(run, resets);
  if (target === undefined) {
    await liftMaintenance(run);
    return run;
  }
  const places = [...new Set(resets.flatMap(({ from, to }) => [from, to]))];
  const broken = { places, target, isOld: true };
  const runIds = left.map(({ id }) => id);
  return (await goBack(run, means, broken, runIds))
    ? { ...run, trust: { ...run.trust, base: target, unproved: new Set(), killed: [], failed: [] } }
    : undefined;
}

async function logRuns(run: Workspace, what: string, runs: readonly RunRecord[]): Promise<void> {
  if (runs.length > 0) await run.log.line('INFO', `${what}: ${runs.map(({ id }) => id).join(', ')}`);
}

type Reset = NonNullable<RunRecord['reset']>;

/**
 * The commit to return to; undefined where no reset was intended, or where somebody has changed to another commit
 * since.
 */
async function targetOf(run: Run, resets: readonly Reset[]): Promise<string | undefined> {
  const [first] = resets;
  if (first === undefined) return undefined;
  const target = repairTarget(run.trust) ?? first.from;
  if (run.settings.mode === 'releases') {
    if (isEmptyTree(target) || (await hasNoReleaseYet(run))) return undefined;
  } else if (isEmptyTree(target)) {
    // There is no commit to return to: without an index the next reset writes every file again.
    await run.host.files.remove(`${run.checkout.gitFolder}/index`);
    return undefined;
  }
  const head = await presentCommit(run);
  const known = new Set([target, ...resets.flatMap(({ from, to }) => [from, to])]);
  if (known.has(head)) return target;
  await run.log.line('INFO', `The checkout was changed to ${head} since then: it stays there`);
  return undefined;
}

/**
 * In `doctor --repair`: what a person's git has left, the locks of a dead one and a merge or rebase that was not ended.
 * False when this run has ended.
 */
async function tidyGit(run: Run, means: Means, kind: RunKind): Promise<boolean> {
  if (kind !== 'repair') return true;
  const ofDead = await removeGitLocks(run).then((locks) => locks.join(', '));
  if (ofDead !== '') await run.log.line('INFO', `Removed the locks of a git that was killed: ${ofDead}`);
  // Nobody serves the checkout's own tree in the mode `releases`.
  const begun = run.settings.mode === 'releases' ? undefined : await unfinishedGit(run);
  if (begun === undefined) return true;
  const head = await presentCommit(run);
  const target = head === run.trust.base ? head : ((await commitBefore(run, begun)) ?? head);
  const { kept, differences } = await keepResetLosses(run, head, target);
  await run.journal.intend({ type: 'reset-intended', from: head, to: target });
  await holdFolders(run, differences);
  await moveOthers(run, kept);
  return goBack(run, means, { places: [head], target, isOld: false }, []);
}

/** Returns from any of these places, because it is unknown how far the runs came. False when this run has ended. */
async function goBack(run: Run, means: Means, broken: BrokenReset, runIds: readonly string[]): Promise<boolean> {
  const { places, target } = broken;
  await run.journal.intend({ type: 'reset-intended', from: await presentCommit(run), to: target });
  const there =
    run.settings.mode === 'releases' ? await returnToRelease(run, target) : await undoResetIn(run, broken, runIds);
  if (there === undefined) {
    const others = places.filter((place) => !isEmptyTree(place));
    await run.progress.advance({ type: 'rollback-failed', commit: target, ...(await onDisk(run, target, others)) });
    await logRollbackByHand(run, target);
    return false;
  }
  const { clear, rebuild } = run.settings.caches;
  const isBasic = run.settings.variant === 'basic';
  const steps = await returnSteps(there, places, target, isBasic ? rebuild : [...clear, ...rebuild]);
  await afterReturn(there, {
    commit: target,
    means,
    ...steps,
    ...(isBasic ? { around: noSteps } : {}),
    keptBy: runIds,
    onFailure: (failure) => run.log.line('ERROR', sentence(failure)),
  });
  const health = await withFormerCaches(there, target, await healthOf(there, target), means);
  const state = await run.progress.advance({ ...health, type: 'repaired' });
  // Another state means that a signal has arrived.
  return state === 'started';
}

/** What these runs have kept aside is copied back. */
async function undoResetIn(run: Run, broken: BrokenReset, runIds: readonly string[]): Promise<Run | undefined> {
  await keepUnseenSince(run, runIds);
  await returnFolders(run, runIds);
  if (!(await undoReset(run, broken))) return undefined;
  await returnKeptFiles(run, runIds);
  await returnUnseen(run, [...runIds, run.id]);
  // A killed repair may have moved it to its place already, where the undo has found it.
  await returnMoved(run, run.id);
  return run;
}

const noSteps: SurroundingSteps = { before: [], after: [] };
