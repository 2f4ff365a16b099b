import { OperationError } from '../../host/errors.ts';
import type { StepFailure } from '../record/states.ts';
import type { Workspace } from '../run/run.ts';
import type { Step } from '../settings/steps.ts';
import { runSteps } from './run-steps.ts';

/**
 * Step 7 of 4.3: runs the steps in order, and returns the first failure or undefined. Where the framework cannot start,
 * its manifests, which may name classes that are gone, are removed, and the steps are run again from the first.
 */
export async function rebuildCaches(
  run: Workspace,
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

/** Removes the framework's manifests, which it makes again when it starts; returns the paths that were removed. */
export async function removeManifests(run: Workspace): Promise<readonly string[]> {
  const removed = await Promise.all(run.settings.manifests.map((manifest) => remove(run, manifest)));
  return removed.filter((manifest) => manifest !== undefined);
}

async function remove(run: Workspace, manifest: string): Promise<string | undefined> {
  const path = `${run.checkout.directory}/${manifest}`;
  if ((await run.host.files.stat(path)) === undefined) return undefined;
  try {
    await run.host.files.remove(path);
    return manifest;
  } catch (error) {
    if (error instanceof OperationError) return undefined;
    throw error;
  }
}
