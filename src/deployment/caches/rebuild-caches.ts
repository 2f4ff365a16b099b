import type { Run } from '../run/run.ts';
import type { Step } from '../settings/steps.ts';
import { removeManifests } from './remove-manifests.ts';
import { runSteps, type StepFailure } from './run-steps.ts';

/**
 * Step 7 of 4.3: the steps in order, up to the first that fails; that failure, or nothing. Where the framework cannot
 * even start, what it remembers of classes that may be gone is removed, and the steps begin again.
 */
export async function rebuildCaches(
  run: Run,
  steps: readonly Step[],
  signal?: AbortSignal,
): Promise<StepFailure | undefined> {
  const first = await runSteps(run, steps, signal);
  if (first === undefined || first.step !== steps[0]?.name || signal?.aborted) return first;
  const removed = await removeManifests(run);
  if (removed.length === 0) return first;
  await run.log.line('INFO', `Removed what may name classes that are gone, and beginning again: ${removed.join(', ')}`);
  return runSteps(run, steps, signal);
}
