import type { Files } from '../../host/host.ts';
import type { Run, Workspace } from '../run/run.ts';
import type { DeploymentSettings } from '../settings/settings.ts';
import { leadsToCheckout, linkOf, liveRelease } from './live-release.ts';

/** Why the mode cannot be run in this checkout, as it is found; undefined where it can. Changes nothing. */
export async function layoutTrouble(run: Layout & Pick<Run, 'trust'>): Promise<string | undefined> {
  const { mode } = run.settings;
  const other = run.trust.killed.find((killed) => killed.mode !== mode && killed.reset !== undefined);
  if (other !== undefined)
    return `The run ${other.id} was killed in the mode ${other.mode}, which repairs it: holdfast doctor --repair --mode ${other.mode}.`;
  return mode === 'releases' ? troubleWithReleases(run) : troubleInPlace(run);
}

type Layout = Pick<Workspace, 'host' | 'checkout'> & {
  readonly settings: Pick<DeploymentSettings, 'mode' | 'releases'>;
};

/** The health check would meet the release, and prove nothing of the commit that was reset to. */
async function troubleInPlace({ host, checkout }: Pick<Workspace, 'host' | 'checkout'>): Promise<string | undefined> {
  const live = await liveRelease(host.files, checkout);
  if (live === undefined) return undefined;
  return `Visitors of ${checkout.directory} get the release ${live.name}: say --mode releases, or remove ${linkOf(checkout)} first.`;
}

async function troubleWithReleases(run: Layout): Promise<string | undefined> {
  const { host, checkout } = run;
  if ((await host.files.stat(`${checkout.gitFolder}/commondir`)) !== undefined)
    return `${checkout.directory} is a working tree of another checkout, and releases would be too: use that one.`;
  return (await troubleWithFolder(run)) ?? troubleWithLink(run);
}

/** A path from the checkout's top has been looked at with the settings; one from the root may lead there too. */
async function troubleWithFolder({ settings, host, checkout }: Layout) {
  const { folder } = settings.releases;
  if (!folder.startsWith('/')) return undefined;
  const real = await realPathOf(host.files, folder);
  if (real !== checkout.directory && !real.startsWith(`${checkout.directory}/`)) return undefined;
  return `deployment.releases.folder is ${folder}, which lies in the checkout: say where from its top, such as "releases".`;
}

/** Also of what is not there yet. */
async function realPathOf(files: Files, path: string): Promise<string> {
  const real = await files.realPath(path === '' ? '/' : path);
  if (real !== undefined) return real;
  const end = path.lastIndexOf('/');
  return `${await realPathOf(files, path.slice(0, end))}/${path.slice(end + 1)}`;
}

async function troubleWithLink({ host, checkout }: Pick<Workspace, 'host' | 'checkout'>): Promise<string | undefined> {
  const link = linkOf(checkout);
  const there = await host.files.stat(link);
  if (there !== undefined && there.kind !== 'link')
    return `${link} is not the symbolic link that leads to the live release: move it away.`;
  const target = await host.files.realPath(link);
  if (target === undefined || (await leadsToCheckout(host.files, checkout))) return undefined;
  if ((await liveRelease(host.files, checkout)) !== undefined) return undefined;
  return `${link} leads to ${target}, which is no release of ours: move it away.`;
}
