import type { Files } from '../../host/host.ts';
import type { Checkout } from '../checkout/checkout.ts';
import type { Workspace } from '../run/run.ts';
import { linkName } from '../settings/contradictions.ts';
import { type Release, readReleases } from './release.ts';

/** The release that visitors come to; undefined where the link is not there, or leads to none of ours. */
export async function liveRelease(files: Files, checkout: Checkout): Promise<Release | undefined> {
  const target = await files.realPath(linkOf(checkout));
  return (await readReleases(files, checkout)).find(({ directory }) => directory === target);
}

/** In the mode `releases`, before the first one is live: visitors get the checkout itself, or nothing. */
export async function isBesideReleases({
  settings,
  host,
  checkout,
}: Pick<Workspace, 'settings' | 'host' | 'checkout'>) {
  return settings.mode === 'releases' && (await liveRelease(host.files, checkout)) === undefined;
}

/** The checkout itself may be what visitors get through the link, until the first release is. */
export async function leadsToCheckout(files: Files, checkout: Checkout): Promise<boolean> {
  return (await files.realPath(linkOf(checkout))) === checkout.directory;
}

/** The checkout as visitors get it: in the mode `releases` with the live release in its place. */
export async function servedCheckout({
  settings,
  host,
  checkout,
}: Pick<Workspace, 'settings' | 'host' | 'checkout'>): Promise<Checkout> {
  const live = settings.mode === 'releases' ? await liveRelease(host.files, checkout) : undefined;
  return { ...checkout, directory: live?.directory ?? checkout.directory };
}

/** The link at the checkout's top. */
export function linkOf({ directory }: Pick<Checkout, 'directory'>): string {
  return `${directory}/${linkName}`;
}

/** From one moment to the next all new requests come to this folder: one rename, on the disk when it returns. */
export async function switchTo(run: Workspace, folder: string): Promise<void> {
  const { clock, files } = run.host;
  const link = linkOf(run.checkout);
  const startedSeconds = clock.monotonicSeconds();
  await files.link(link, folder);
  run.progress.finishStep({ name: 'switch', seconds: clock.monotonicSeconds() - startedSeconds, exitCode: 0 });
  await run.log.line('INFO', `Live release: ${(await files.realPath(link)) ?? folder}`);
}
