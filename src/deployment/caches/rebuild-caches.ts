import { OperationError } from '../../host/errors.ts';
import type { StepFailure } from '../record/states.ts';
import type { Workspace } from '../run/run.ts';
import type { Step } from '../settings/steps.ts';
import { modesOf, restoreModes, umaskOfCaches } from './cache-modes.ts';
import { runSteps, startStep } from './run-steps.ts';

/**
 * Step 7 of 4.3: runs the steps in order, and returns the first failure or undefined. Where the framework cannot start,
 * its manifests, which may name classes that are gone, are removed, and the steps are run again from the first.
 */
export async function rebuildCaches(
  run: Workspace,
  steps: readonly Step[],
  signal?: AbortSignal,
): Promise<StepFailure | undefined> {
  const [umask, modes] = [await umaskOfCaches(run, steps), await modesOf(run, steps)];
  const failure = await runAndRetry(run, steps, umask, signal);
  if (failure === undefined) await makeYounger(run, steps);
  await restoreModes(run, modes);
  return failure;
}

async function runAndRetry(
  run: Workspace,
  steps: readonly Step[],
  umask: number,
  signal?: AbortSignal,
): Promise<StepFailure | undefined> {
  const first = await runSteps(run, steps, signal, umask);
  if (first === undefined || !startSteps(steps).includes(first.step) || signal?.aborted) return first;
  // Manifests that this process does not use cannot have prevented its start, and visitors use them: they are kept.
  const removed = await removeManifests(run, first.step === startStep ? publishedBy(steps) : []);
  if (removed.length === 0) return first;
  await run.log.line('INFO', `Removed what may name classes that are gone, and beginning again: ${removed.join(', ')}`);
  return runSteps(run, steps, signal, umask);
}

/** The names of the steps whose failure may mean that the framework cannot start. */
function startSteps(steps: readonly Step[]): readonly string[] {
  return [startStep, ...steps.slice(0, 1).map(({ name }) => name)];
}

/** The files, and folders of files, that one process for all steps renames into place. */
export function publishedBy(steps: readonly Step[]): readonly string[] {
  return steps.flatMap(({ together }) => together?.publish ?? []).map(({ to }) => to);
}

/**
 * Removes the framework's manifests, which it makes again when it starts, except these; returns the paths that were
 * removed.
 */
export async function removeManifests(run: Workspace, except: readonly string[] = []): Promise<readonly string[]> {
  const manifests = run.settings.manifests.filter((manifest) => !except.includes(manifest));
  const removed = await Promise.all(manifests.map((manifest) => remove(run, manifest)));
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

/**
 * Makes the files that the steps have compiled into folders a second younger than now. Laravel compiles a view again at
 * every request while it is not younger than its source, in whole seconds (Illuminate\\View\\Compilers\\Compiler,
 * isExpired), and php-fpm as another user cannot write it.
 */
async function makeYounger({ host, checkout }: Workspace, steps: readonly Step[]): Promise<void> {
  const published = steps.flatMap(({ publish = [], together }) => [...publish, ...(together?.publish ?? [])]);
  for (const folder of new Set(published.map(({ to }) => `${checkout.directory}/${to}`))) {
    if ((await host.files.stat(folder))?.kind !== 'folder') continue;
    for (const name of await host.files.list(folder)) {
      const path = `${folder}/${name}`;
      const there = await host.files.stat(path);
      if (there?.kind === 'file' && there.uid === checkout.self.userId && name.endsWith('.php'))
        await host.files.setModifiedAt(path, host.clock.wallAt() + 1000);
    }
  }
}
