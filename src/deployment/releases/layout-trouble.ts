import type { Files } from '../../host/host.ts';
import type { Run, Workspace } from '../run/run.ts';
import type { DeploymentSettings } from '../settings/settings.ts';
import { linkLeadsToCheckout, linkOf, liveRelease } from './live-release.ts';

/**
 * Why the mode of the settings is impossible in this checkout, as a sentence; undefined where it is possible. Changes
 * nothing.
 */
export async function layoutTrouble(run: Layout & Pick<Run, 'trust'>): Promise<string | undefined> {
  const { mode } = run.settings;
  const other = run.trust.killed.find((killed) => killed.mode !== mode && killed.reset !== undefined);
  if (other !== undefined)
    return `The run ${other.id} was killed in the mode ${other.mode}, and only that mode repairs it: holdfast doctor --repair --mode ${other.mode}.`;
  return mode === 'releases' ? troubleWithReleases(run) : troubleInPlace(run);
}

type Layout = Pick<Workspace, 'host' | 'checkout'> & {
  readonly settings: Pick<DeploymentSettings, 'mode' | 'releases'>;
};

/** With a live release the health check would prove that, and nothing about the commit of the checkout. */
async function troubleInPlace({ host, checkout }: Pick<Workspace, 'host' | 'checkout'>): Promise<string | undefined> {
  const live = await liveRelease(host.files, checkout);
  if (live === undefined) return undefined;
  return `Visitors of ${checkout.directory} get the release ${live.name}: use --mode releases, or remove ${linkOf(checkout)} first.`;
}

async function troubleWithReleases(run: Layout): Promise<string | undefined> {
  const { host, checkout } = run;
  if ((await host.files.stat(`${checkout.gitFolder}/commondir`)) !== undefined)
    return `${checkout.directory} is a linked working tree of another checkout, as releases would be: use that checkout.`;
  return (await troubleWithFolder(run)) ?? troubleWithLink(run);
}

/** A relative path was validated with the settings; an absolute one may lead into the checkout. */
async function troubleWithFolder({ settings, host, checkout }: Layout) {
  const { folder } = settings.releases;
  if (!folder.startsWith('/')) return undefined;
  const real = await realPathOf(host.files, folder);
  if (real !== checkout.directory && !real.startsWith(`${checkout.directory}/`)) return undefined;
  return `deployment.releases.folder is ${folder}, which lies in the checkout: give the path from its top, such as "releases".`;
}

/** The real path, also of a path that does not exist yet. */
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
  if (target === undefined || (await linkLeadsToCheckout(host.files, checkout))) return undefined;
  if ((await liveRelease(host.files, checkout)) !== undefined) return undefined;
  return `${link} leads to ${target}, which is no release of holdfast: move it away.`;
}
