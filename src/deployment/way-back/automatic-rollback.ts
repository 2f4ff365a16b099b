import { OperationError } from '../../host/errors.ts';
import { sentence } from '../log/sentence.ts';
import { isStepOfOpcache } from '../opcache/refresh.ts';
import type { DeployEvent, State, StepFailure } from '../record/states.ts';
import { rollbackTarget } from '../record/trust.ts';
import { servedCheckout } from '../releases/live-release.ts';
import { keepLogs } from '../run/evidence.ts';
import { beginMaintenance } from '../run/maintenance.ts';
import type { Run } from '../run/run.ts';
import { returnUnseen } from '../tree/hidden-edits.ts';
import { returnFolders, returnKeptFiles } from '../tree/kept-files.ts';
import { onDisk } from '../tree/on-disk.ts';
import { resetTree } from '../tree/reset-tree.ts';
import { type Change, healthOf, returnSteps } from '../verify/verify.ts';
import { afterReturn, withFormerCaches } from './after-return.ts';
import { logRollbackByHand } from './by-hand.ts';
import { returnToRelease, stillLive } from './return-to-release.ts';
import { causeAround, type Failures } from './whose-fault.ts';

/**
 * Step 9 of 4.3: hard reset to PREVIOUS_COMMIT (or a switch back to its release), its caches, and the same health check
 * again. No signal interrupts it; a step that fails is logged and does not stop it. Returns the end state.
 */
export async function rollBackAutomatically(run: Run, change: Change): Promise<State> {
  try {
    return await goBack(run, change);
  } catch (error) {
    // Such as a disk that is full: how far the rollback came is unknown.
    if (run.progress.state !== 'rolling-back') throw error;
    await run.log.line('ERROR', error instanceof Error ? error.message : String(error));
    const state = await failToReturn(run, await chooseTarget(run, change.from), change.to);
    if (!(error instanceof OperationError)) throw error;
    return state;
  }
}

async function goBack(run: Run, change: Change): Promise<State> {
  const { from: previousCommit, to, means } = change;
  const { progress } = run;
  // The first deploy of a checkout has no previous commit.
  if (!progress.events.some(({ type }) => type === 'previous-commit-recorded')) {
    return progress.advance({ type: 'stayed', commit: to });
  }
  const failed = progress.events.at(-1);
  const because = verdictOn(progress.events);
  if (failed?.type === 'start-failed') return stayUntouched(run, change, because);
  const commit = await chooseTarget(run, previousCommit);
  // In the mode `releases` the logs of the failed commit are in its release.
  await keepLogs({ ...run, checkout: await servedCheckout(run) });
  await intendRollback(run, to, commit, because);
  const unchanged = await stillLive(run, commit);
  const untouched = unchanged === undefined ? {} : ({ untouched: true } as const);
  const there = unchanged ?? (await (run.settings.mode === 'releases' ? returnToRelease : returnInPlace)(run, commit));
  if (there === undefined) return failToReturn(run, commit, to);
  await logLastingSteps(run);
  const steps = await returnSteps(there, [to], commit, run.settings.caches.rebuild);
  const failures: StepFailure[] = [];
  const onFailure = (failure: StepFailure): Promise<State> => {
    failures.push(failure);
    return progress.advance(failure);
  };
  await afterReturn(there, { commit, means, ...steps, keptBy: [run.id], onFailure });
  await progress.advance({ type: 'rolled-back', commit, ...untouched });
  const health = await healthOf(there, commit);
  await blame(run, there, { first: failed, steps: failures, health }, { to, commit });
  return progress.advance(await withFormerCaches(there, commit, health, means));
}

/** Takes the quarantine back where the commit before fails as well. */
async function blame(run: Run, there: Run, found: Failures, { to, commit }: { to: string; commit: string }) {
  const because = await causeAround(run, there, found, commit);
  if (because !== undefined) await run.progress.advance({ type: 'environment-blamed', commit: to, because });
}

async function failToReturn(run: Run, commit: string, left: string): Promise<State> {
  const state = await run.progress.advance({ type: 'rollback-failed', commit, ...(await onDisk(run, commit, [left])) });
  await logRollbackByHand(run, commit);
  return state;
}

/** The new commit was found bad before the reset: it is quarantined, and the site is as it was. */
async function stayUntouched(run: Run, { from, to }: Change, because: string | undefined): Promise<State> {
  await intendRollback(run, to, from, because);
  await run.progress.advance({ type: 'rolled-back', commit: from, untouched: true });
  return run.progress.advance(await healthOf(run, from));
}

/** On a full disk the journal cannot be written: a rollback is still better than the failed commit. */
async function intendRollback(run: Run, from: string, to: string, because: string | undefined): Promise<void> {
  await run.journal
    .intend({ type: 'rollback-intended', from, to, ...(because === undefined ? {} : { because }) })
    .catch((error: unknown) => run.log.line('ERROR', String(error)));
}

/** PREVIOUS_COMMIT, or the last verified one where PREVIOUS_COMMIT was never verified: then the log names both. */
async function chooseTarget(run: Run, previousCommit: string): Promise<string> {
  const commit = rollbackTarget(run.trust, previousCommit);
  if (commit !== previousCommit) {
    await run.log.line('INFO', `The previous commit ${previousCommit} was never verified: rolling back to ${commit}`);
  }
  return commit;
}

/** What is wrong with the new commit; undefined where the reason is not the commit, such as a signal. */
function verdictOn(events: readonly DeployEvent[]): string | undefined {
  const last = events.at(-1);
  if (last?.type === 'step-failed' && (last.isElsewhere || isStepOfOpcache(last.step))) return undefined;
  return last !== undefined && verdicts.has(last.type) ? sentence(last) : undefined;
}

const verdicts: ReadonlySet<DeployEvent['type']> = new Set([
  'health-checked',
  'health-checked-before',
  'step-failed',
  'start-failed',
]);

/** Logs steps that a rollback does not undo, such as a migration: the schema may be ahead of the code. */
async function logLastingSteps(run: Run): Promise<void> {
  const { before, after } = run.settings.steps;
  const onlyDeploys = new Set([...before, ...after].filter(({ on }) => on === 'deploy').map(({ name }) => name));
  const ran = run.progress.steps.filter(({ name, exitCode }) => exitCode === 0 && onlyDeploys.has(name));
  if (ran.length === 0) return;
  await run.log.line(
    'INFO',
    `These steps are not undone, and may be ahead of the code: ${ran.map(({ name }) => name).join(', ')}`,
  );
}

/**
 * Resets the tree to the commit. Tries twice: another git may hold the lock of the index for a moment. Undefined when
 * both failed.
 */
async function returnInPlace(run: Run, commit: string): Promise<Run | undefined> {
  // The failed commit is not asked for a page.
  await beginMaintenance(run, false);
  await returnFolders(run, [run.id]);
  const isReset = async () => (await resetTree(run, 'rollback reset', commit)) === undefined;
  const isBack = (await isReset()) || (await isReset());
  if (isBack) await returnKeptFiles(run, [run.id]);
  if (isBack) await returnUnseen(run, [run.id]);
  return isBack ? run : undefined;
}
