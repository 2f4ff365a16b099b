import { rebuildCaches, removeManifests } from '../caches/rebuild-caches.ts';
import { runCommands } from '../caches/run-steps.ts';
import type { Means } from '../opcache/means.ts';
import { refresh, refreshAtOnce } from '../opcache/refresh.ts';
import { isHealthy } from '../record/health.ts';
import type { StepFailure } from '../record/states.ts';
import { liftMaintenance } from '../run/maintenance.ts';
import type { Run, Workspace } from '../run/run.ts';
import type { Step } from '../settings/steps.ts';
import { followUp, hasSubmodules } from '../tree/follow-up.ts';
import { returnKeptFiles } from '../tree/kept-files.ts';
import { syncTree } from '../tree/reset-tree.ts';
import { returnFormerCaches } from '../verify/former-caches.ts';
import { type HealthChecked, healthOf, type SurroundingSteps, umaskOfServed } from '../verify/verify.ts';

/** How a former commit is made to work again. */
export interface Return {
  readonly commit: string;
  readonly means: Means;
  readonly around: SurroundingSteps;
  readonly caches: readonly Step[];
  /** The runs that have kept what was in the way. */
  readonly keptBy: readonly string[];
  /**
   * Called with each failure. A failure stops nothing: a return with a failed step is better than a mix of two commits.
   */
  readonly onFailure: (failure: StepFailure) => Promise<unknown>;
}

/**
 * After the tree or the link has returned to a former commit: submodules and large files, steps, caches, and opcache.
 */
export async function afterReturn(
  run: Run,
  { commit, means, around, caches, keptBy, onFailure }: Return,
): Promise<void> {
  const report = async (failure: StepFailure | undefined): Promise<void> => {
    if (failure !== undefined) await onFailure(failure);
  };
  await report(await followUp(run));
  // In a submodule the files of the other commit are in its place until now.
  if (await hasSubmodules(run)) await returnKeptFiles(run, keptBy);
  // So the old code runs at once, and its caches are used as soon as they are built.
  await refreshAtOnce(run, means);
  await report(await runCommands(run, around.before, undefined, await umaskOfServed(run, around.before)));
  const failure = await rebuildCaches(run, caches);
  await report(failure);
  if (failure !== undefined && !(await returnFormerCaches(run, commit))) await leaveCleared(run);
  await report(await runCommands(run, around.after));
  await report(await refresh(run, means));
  await liftMaintenance(run);
  await syncTree(run);
}

/** The framework runs without caches, only slower; with only some of them it may not run. */
async function leaveCleared(run: Workspace): Promise<void> {
  const removed = await removeManifests(run);
  if (removed.length > 0) await run.log.line('INFO', `The caches stay cleared: ${removed.join(', ')}`);
}

/**
 * The check of a former commit, made again with the caches from before the deploy where those that were built now do
 * not work: what is around the commit has changed since then.
 */
export async function withFormerCaches(
  run: Run,
  commit: string,
  health: HealthChecked,
  means: Means,
): Promise<HealthChecked> {
  if (isHealthy(health) || !(await returnFormerCaches(run, commit))) return health;
  await refresh(run, means);
  return healthOf(run, commit);
}
