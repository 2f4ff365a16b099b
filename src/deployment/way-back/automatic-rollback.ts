import { sentence } from '../log/sentence.ts';
import type { DeployEvent, State } from '../record/states.ts';
import { rollbackTarget } from '../record/trust.ts';
import { servedCheckout } from '../releases/live-release.ts';
import { keepLogs } from '../run/evidence.ts';
import type { Run } from '../run/run.ts';
import { returnKeptFiles } from '../tree/kept-files.ts';
import { resetTree } from '../tree/reset-tree.ts';
import { type Change, healthOf, returnSteps } from '../verify/verify.ts';
import { afterReturn } from './after-return.ts';
import { tellHowToRollBack } from './by-hand.ts';
import { returnToRelease } from './return-to-release.ts';

/**
 * Step 9 of 4.3: the tree goes back to where the change came from, its caches are rebuilt and the same health check runs
 * again. No signal interrupts it, and trouble on the way is told and never stops it.
 */
export async function rollBackAutomatically(run: Run, { from: previousCommit, to, means }: Change): Promise<State> {
  const { progress } = run;
  // The first deploy of a checkout comes from nothing.
  if (!progress.events.some(({ type }) => type === 'previous-commit-recorded')) {
    return progress.advance({ type: 'stayed', commit: to });
  }
  const commit = await chooseTarget(run, previousCommit);
  const because = verdictOn(progress.events);
  // In the mode `releases` the commit that failed has its own logs.
  await keepLogs({ ...run, checkout: await servedCheckout(run) });
  // On a full disk the journal cannot be written: going back is still better than staying.
  await run.journal
    .intend({ type: 'rollback-intended', from: to, to: commit, ...(because === undefined ? {} : { because }) })
    .catch((error: unknown) => run.log.line('ERROR', String(error)));
  const there = await (run.settings.mode === 'releases' ? returnToRelease : returnInPlace)(run, commit);
  if (there === undefined) {
    const state = await progress.advance({ type: 'rollback-failed', commit });
    await tellHowToRollBack(run, commit);
    return state;
  }
  await tellWhatStays(run);
  const steps = await returnSteps(there, [to], commit, run.settings.caches.rebuild);
  await afterReturn(there, { means, ...steps, tell: progress.advance });
  await progress.advance({ type: 'rolled-back', commit });
  return progress.advance(await healthOf(there, commit));
}

/** PREVIOUS_COMMIT, unless a killed run left it unproved; a person should see both. */
async function chooseTarget(run: Run, previousCommit: string): Promise<string> {
  const commit = rollbackTarget(run.trust, previousCommit);
  if (commit !== previousCommit) {
    await run.log.line('INFO', `The previous commit ${previousCommit} was never verified: rolling back to ${commit}`);
  }
  return commit;
}

/** What is wrong with the new commit; nothing where the run was stopped for a reason that is not the commit's. */
function verdictOn(events: readonly DeployEvent[]): string | undefined {
  const last = events.at(-1);
  return last?.type === 'health-checked' || last?.type === 'step-failed' ? sentence(last) : undefined;
}

/** A migration that has run is not undone: the schema may be ahead of the code. */
async function tellWhatStays(run: Run): Promise<void> {
  const { before, after } = run.settings.steps;
  const onlyDeploys = new Set([...before, ...after].filter(({ on }) => on === 'deploy').map(({ name }) => name));
  const ran = run.progress.steps.filter(({ name, exitCode }) => exitCode === 0 && onlyDeploys.has(name));
  if (ran.length === 0) return;
  await run.log.line(
    'INFO',
    `What these steps did stays, and may be ahead of the code: ${ran.map(({ name }) => name).join(', ')}`,
  );
}

/** Twice: another git may have held the index's lock for a moment. Undefined when git failed both times. */
async function returnInPlace(run: Run, commit: string): Promise<Run | undefined> {
  const isBack = (await resetTree(run, 'rollback reset', commit)) || (await resetTree(run, 'rollback reset', commit));
  if (isBack) await returnKeptFiles(run, [run.id]);
  return isBack ? run : undefined;
}
