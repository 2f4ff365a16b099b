import { rebuildCaches, removeManifests } from '../caches/rebuild-caches.ts';
import { runSteps } from '../caches/run-steps.ts';
import type { Means } from '../opcache/means.ts';
import { refresh } from '../opcache/refresh.ts';
import type { StepFailure } from '../record/states.ts';
import type { Run, Workspace } from '../run/run.ts';
import type { Step } from '../settings/steps.ts';
import { followUp } from '../tree/follow-up.ts';
import { syncTree } from '../tree/reset-tree.ts';
import type { Around } from '../verify/verify.ts';

/** How a commit that was left comes back. */
export interface Return {
  readonly means: Means;
  readonly around: Around;
  readonly caches: readonly Step[];
  /** Told of each failure, which stops nothing: going back is better than staying between two commits. */
  readonly tell: (failure: StepFailure) => Promise<unknown>;
}

/** What follows the reset to a commit that was left: what else belongs to it, its steps and caches, and opcache. */
export async function afterReturn(run: Run, { means, around, caches, tell }: Return): Promise<void> {
  const told = async (failure: StepFailure | undefined): Promise<void> => {
    if (failure !== undefined) await tell(failure);
  };
  await told(await followUp(run));
  // The old code at once, and its caches as soon as they are there.
  if (means.by === 'fastcgi') await refresh(run, means);
  await told(await runSteps(run, around.before));
  const failure = await rebuildCaches(run, caches);
  await told(failure);
  if (failure !== undefined) await leaveCleared(run);
  await told(await runSteps(run, around.after));
  await told(await refresh(run, means));
  await syncTree(run);
}

/** Without caches the framework runs, only slower; with half of them it may not. */
async function leaveCleared(run: Workspace): Promise<void> {
  const removed = await removeManifests(run);
  if (removed.length > 0) await run.log.line('INFO', `The caches stay cleared: ${removed.join(', ')}`);
}
