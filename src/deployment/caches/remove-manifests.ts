import { OperationError } from '../../host/errors.ts';
import type { Run } from '../run/run.ts';

/** Removes what the framework remembers of its classes; the paths that were there and could be removed. It makes them again when it starts. */
export async function removeManifests(run: Run): Promise<readonly string[]> {
  const removed = await Promise.all(run.settings.manifests.map((manifest) => remove(run, manifest)));
  return removed.filter((manifest) => manifest !== undefined);
}

async function remove(run: Run, manifest: string): Promise<string | undefined> {
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
