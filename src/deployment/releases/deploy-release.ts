import { runCommands } from '../caches/run-steps.ts';
import { beginMaintenance } from '../run/maintenance.ts';
import { type Run, uninterrupted } from '../run/run.ts';
import { type Change, confirm, returnSteps, type SurroundingSteps, stepsAround } from '../verify/verify.ts';
import { keepServedEdits } from './carry-unseen.ts';
import { isHealthyBefore } from './health-before.ts';
import { inRelease } from './in-release.ts';
import { liveRelease, switchTo } from './live-release.ts';
import { makeRelease } from './make-release.ts';
import { prepareRelease, wholeRelease } from './prepare-release.ts';
import { removingUnfinished } from './prune.ts';
import type { Release } from './release.ts';
import { staleRelease } from './stale-release.ts';

/**
 * Steps 5 to 8 of 4.3 in the mode `releases`: the commit is complete in a folder of its own before the link leads
 * visitors to it.
 */
export async function deployRelease(run: Run, change: Change): Promise<void> {
  const { from, to } = change;
  await keepServedEdits(run, from, to);
  await run.journal.intend({ type: 'reset-intended', from, to });
  if (run.settings.variant === 'basic') return updateOnly(run, to);
  await removingUnfinished(run, () => makeAndShow(run, change));
}

async function makeAndShow(run: Run, change: Change): Promise<void> {
  const { progress } = run;
  const { to, kind } = change;
  const release = await makeRelease(run, to); // 5
  if (!('directory' in release)) await progress.advance({ type: 'reset-failed', ...release });
  else if ((await progress.advance({ type: 'reset', commit: to })) === 'reset') {
    const live = await liveRelease(run.host.files, run.checkout);
    await beginMaintenance(live === undefined ? run : inRelease(run, live), live !== undefined);
    const failure = await prepareRelease(run, release, kind, run.interruption); // 7
    if (failure !== undefined) await progress.advance(failure);
    else if (await isHealthyBefore(run, release)) await showRelease(run, change, release); // 8
  }
}

/** Switches the link to the release, then runs the steps after it, opcache and the health check. */
export async function showRelease(run: Run, change: Change, fresh: Release): Promise<void> {
  const { to, kind, means } = change;
  const inside = inRelease(kind === 'rollback' ? uninterrupted(run) : run, fresh);
  const old = await liveRelease(run.host.files, run.checkout);
  await switchTo(run, fresh.directory);
  if (kind === 'rollback') await run.progress.advance({ type: 'rolled-back', commit: to });
  if (run.settings.variant === 'basic') {
    await run.progress.advance({ type: 'updated', commit: to });
    return;
  }
  const { before, after } = await stepsLeft(inside, change);
  const failure = await runCommands(inside, before, inside.interruption);
  if (failure !== undefined) await run.progress.advance(failure);
  else await confirm(inside, change, after, () => staleRelease(run, means, { old, fresh }));
}

/** The steps that making the release has not run. */
async function stepsLeft(inside: Run, { from, to, kind }: Change): Promise<SurroundingSteps> {
  if (kind === 'rollback') return (await returnSteps(inside, [from], to, [])).around;
  return { before: [], after: (await stepsAround(inside, kind, [from], to)).after };
}

/** The basic variant: success is logged when the new code is live, and nothing is checked. */
async function updateOnly(run: Run, commit: string): Promise<void> {
  const release = await wholeRelease(run, commit, 'deploy', run.interruption);
  await switchTo(run, release.directory);
  if ((await run.progress.advance({ type: 'reset', commit })) === 'reset')
    await run.progress.advance({ type: 'updated', commit });
}
