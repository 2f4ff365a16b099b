import type { Run } from '../run.ts';
import { linkOf, liveRelease } from './live-release.ts';

/** Why the mode cannot be run in this checkout, as it is found; undefined where it can. Changes nothing. */
export async function layoutTrouble(
  run: Pick<Run, 'settings' | 'host' | 'checkout' | 'trust'>,
): Promise<string | undefined> {
  const { mode } = run.settings;
  const other = run.trust.killed.find((killed) => killed.mode !== mode && killed.reset !== undefined);
  if (other !== undefined)
    return `The run ${other.id} was killed in the mode ${other.mode}, which repairs it: holdfast doctor --repair --mode ${other.mode}.`;
  return mode === 'releases' ? troubleWithReleases(run) : troubleInPlace(run);
}

/** The health check would meet the release, and prove nothing of the commit that was reset to. */
async function troubleInPlace({ host, checkout }: Pick<Run, 'host' | 'checkout'>): Promise<string | undefined> {
  const live = await liveRelease(host.files, checkout);
  if (live === undefined) return undefined;
  return `Visitors of ${checkout.directory} get the release ${live.name}: say --mode releases, or remove ${linkOf(checkout)} first.`;
}

async function troubleWithReleases({ host, checkout }: Pick<Run, 'host' | 'checkout'>): Promise<string | undefined> {
  if ((await host.files.stat(`${checkout.gitFolder}/commondir`)) !== undefined)
    return `${checkout.directory} is a working tree of another checkout, and releases would be too: use that one.`;
  const link = linkOf(checkout);
  const there = await host.files.stat(link);
  if (there !== undefined && there.kind !== 'link')
    return `${link} is not the symbolic link that leads to the live release: move it away.`;
  const target = await host.files.realPath(link);
  // The checkout itself may be what visitors get through the link, until the first release is.
  if (target === undefined || target === checkout.directory || (await liveRelease(host.files, checkout)) !== undefined)
    return undefined;
  return `${link} leads to ${target}, which is no release of ours: move it away.`;
}
