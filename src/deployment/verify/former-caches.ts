import { OperationError } from '../../host/errors.ts';
import { runStep, type Workspace } from '../run/run.ts';
import { nulEnded } from '../tree/paths-on-input.ts';

/**
 * Copies the caches aside that the framework starts from, as they are with this commit, before a deploy builds others.
 * What cannot be copied is not kept: a way back then has only what it builds itself.
 */
export async function keepFormerCaches(run: Workspace, commit: string): Promise<void> {
  await forgetFormerCaches(run);
  const there = await presentCaches(run);
  if (there.length === 0) return;
  const folder = folderOf(run, commit);
  await run.host.files.makeFolder(folder, { mode: 0o700 });
  const copy = ['xargs', '-0', 'cp', '--archive', '--parents', `--target-directory=${folder}`, '--'] as const;
  const options = { env: run.settings.environment, answers: true, stdin: nulEnded(there) } as const;
  if ((await runStep(run, 'keep caches', copy, options)).exitCode !== 0) await forgetFormerCaches(run);
}

/**
 * Puts back what was kept of this commit, each file by one rename: caches that are built now may be worse, as where the
 * environment file was changed since. False where nothing was kept, or not all of it could be put back.
 */
export async function returnFormerCaches(run: Workspace, commit: string): Promise<boolean> {
  const { files } = run.host;
  const folder = folderOf(run, commit);
  if ((await files.stat(folder)) === undefined) return false;
  try {
    for (const path of run.settings.manifests) await returnOne(run, `${folder}/${path}`, path);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    await run.log.line('ERROR', `The caches from before the deploy could not be put back: ${error.message}`);
    return false;
  }
  await run.log.line('INFO', 'The caches from before the deploy are put back');
  return true;
}

/** Call when they are needed no more: a cached configuration holds secrets. */
export async function forgetFormerCaches({ host, checkout }: Pick<Workspace, 'host' | 'checkout'>): Promise<void> {
  await host.files.remove(topOf(checkout));
}

async function returnOne({ host: { files }, checkout }: Workspace, kept: string, path: string): Promise<void> {
  const place = `${checkout.directory}/${path}`;
  const [there, text] = [await files.stat(kept), await files.read(kept)];
  if (there === undefined || text === undefined) return files.remove(place);
  await files.replace(place, text, { mode: there.mode });
  await files.setMode(place, there.mode);
}

async function presentCaches({ host, checkout, settings }: Workspace): Promise<readonly string[]> {
  const kinds = await Promise.all(settings.manifests.map((path) => host.files.stat(`${checkout.directory}/${path}`)));
  return settings.manifests.filter((_, index) => kinds[index]?.kind === 'file');
}

function folderOf({ checkout }: Pick<Workspace, 'checkout'>, commit: string): string {
  return `${topOf(checkout)}/${commit}`;
}

function topOf({ stateFolder }: Workspace['checkout']): string {
  return `${stateFolder}/former-caches`;
}
