import type { Run } from '../run.ts';

/** Removes what the framework remembers of its classes; the paths that were there. It makes them again when it starts. */
export async function removeManifests(run: Run): Promise<readonly string[]> {
  const { files } = run.host;
  const removed: string[] = [];
  for (const manifest of run.settings.manifests) {
    const path = `${run.checkout.directory}/${manifest}`;
    if ((await files.stat(path)) === undefined) continue;
    await files.remove(path);
    removed.push(manifest);
  }
  return removed;
}
