import type { Workspace } from '../run/run.ts';
import { type Release, readReleases } from './release.ts';

/**
 * The newest good release of the commit whose folder exists, else the newest ready one; undefined where there is none.
 */
export async function releaseOf(run: Workspace, commit: string): Promise<Release | undefined> {
  const { host, checkout } = run;
  const candidates = newestFirst(await readReleases(host.files, checkout), commit);
  for (const release of candidates) if ((await host.files.stat(release.directory))?.kind === 'folder') return release;
  return undefined;
}

/** The releases of the commit that may become live, newest first, the good ones before the ready ones. */
export function newestFirst(releases: readonly Release[], commit: string): readonly Release[] {
  const ofState = (wanted: Release['state']) =>
    releases.filter((release) => release.commit === commit && release.state === wanted).toReversed();
  return [...ofState('good'), ...ofState('ready')];
}
