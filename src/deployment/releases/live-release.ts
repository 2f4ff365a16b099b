import type { Files } from '../../host/host.ts';
import type { Checkout } from '../checkout/checkout.ts';
import type { Workspace } from '../run/run.ts';
import { linkName } from '../settings/contradictions.ts';
import { type Release, readReleases } from './release.ts';

/** The release that the link leads visitors to; undefined where there is no link, or it leads to no release. */
export async function liveRelease(files: Files, checkout: Checkout): Promise<Release | undefined> {
  const target = await files.realPath(linkOf(checkout));
  return (await readReleases(files, checkout)).find(({ directory }) => directory === target);
}

/** Whether the mode is `releases` and none is live yet: visitors get the checkout itself, or nothing. */
export async function hasNoReleaseYet({ settings, host, checkout }: Pick<Workspace, 'settings' | 'host' | 'checkout'>) {
  return settings.mode === 'releases' && (await liveRelease(host.files, checkout)) === undefined;
}

/** Whether the link leads to the checkout itself, as it may until the first release is live. */
export async function linkLeadsToCheckout(files: Files, checkout: Checkout): Promise<boolean> {
  return (await files.realPath(linkOf(checkout))) === checkout.directory;
}

/** The checkout with the directory that visitors are served from: in the mode `releases` that of the live release. */
export async function servedCheckout({
  settings,
  host,
  checkout,
}: Pick<Workspace, 'settings' | 'host' | 'checkout'>): Promise<Checkout> {
  const live = settings.mode === 'releases' ? await liveRelease(host.files, checkout) : undefined;
  return { ...checkout, directory: live?.directory ?? checkout.directory };
}

/** The path of the link to the live release. */
export function linkOf({ directory }: Pick<Checkout, 'directory'>): string {
  return `${directory}/${linkName}`;
}

/** As in `steps` of `deploy --json`. */
export const switchStep = 'switch';

/**
 * Makes the link lead to this folder by one rename, which is on the disk when it returns: all new requests go there.
 */
export async function switchTo(run: Workspace, folder: string): Promise<void> {
  const { clock, files } = run.host;
  const link = linkOf(run.checkout);
  const startedSeconds = clock.monotonicSeconds();
  await files.link(link, folder);
  run.progress.finishStep({ name: switchStep, seconds: clock.monotonicSeconds() - startedSeconds, exitCode: 0 });
  await run.log.line('INFO', `Live release: ${(await files.realPath(link)) ?? folder}`);
}
