import type { Means } from '../opcache/means.ts';
import { forgetFolder } from '../opcache/refresh.ts';
import { readHistory } from '../record/history.ts';
import { trustIn } from '../record/trust.ts';
import type { Workspace } from '../run/run.ts';
import { linkName } from '../settings/contradictions.ts';
import { isDone } from './is-done.ts';
import { liveRelease } from './live-release.ts';
import { forgetRelease, isHalf, type Release, readReleases, recordRelease, removeTornRecords } from './release.ts';
import { draftPrefix } from './share.ts';

/** When the outcome is in the journal, what nobody will go back to by its word goes. A release that cannot be removed is told of. */
export async function settleReleases(run: Workspace, means: Means): Promise<void> {
  if (run.settings.mode !== 'releases') return;
  const { host, checkout } = run;
  const live = await liveRelease(host.files, checkout);
  const { base, quarantined } = trustIn(await readHistory(host.files, checkout.stateFolder));
  const all = await readReleases(host.files, checkout);
  const { keep } = run.settings.releases;
  for (const release of releasesToRemove(all, { live: live?.name, lastVerified: base, quarantined, keep })) {
    await forgetFolder(run, means, release.directory);
    await remove(run, release);
  }
  await removeDrafts(run);
}

/** Half-made and half-removed releases, such as a killed run leaves; the names of those that are gone. What cannot be removed is told of. */
export async function removeHalves(run: Workspace): Promise<readonly string[]> {
  if (run.settings.mode !== 'releases') return [];
  const { host, checkout } = run;
  const live = await liveRelease(host.files, checkout);
  const all = await readReleases(host.files, checkout);
  const gone: string[] = [];
  for (const release of all.filter((each) => isHalf(each) && each.name !== live?.name))
    if (await remove(run, release)) gone.push(release.name);
  await isDone(run, 'What a run has left that was killed cannot be removed', removeDrafts(run));
  return gone;
}

/** What is made and does not become whole goes at once: it may be what has filled the disk, and no outcome could be written. */
export async function withoutHalves<T>(run: Workspace, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } finally {
    await removeHalves(run);
  }
}

/**
 * Which releases go. The live one stays, the newest one of the commit that last passed health, the `keep` good ones that
 * were live last, and the newest of those that proved nothing, for whoever wants to know why. A commit that was found bad
 * since gives way to one that may be gone back to.
 */
export function releasesToRemove(releases: readonly Release[], stays: Stays): readonly Release[] {
  const { live, lastVerified, quarantined, keep } = stays;
  const isBad = ({ commit }: Release) => Number(quarantined.has(commit));
  const good = releases
    .filter(({ state }) => state === 'good')
    .sort((one, other) => isBad(other) - isBad(one) || liveAt(one) - liveAt(other));
  const kept = new Set<string | undefined>([
    live,
    good.findLast(({ commit }) => commit === lastVerified)?.name,
    ...good.slice(-keep).map(({ name }) => name),
    releases.findLast(({ state }) => state === 'ready')?.name,
  ]);
  return releases.filter(({ name }) => !kept.has(name));
}
interface Stays {
  readonly live?: string | undefined;
  readonly lastVerified?: string | undefined;
  readonly quarantined: { readonly has: (commit: string) => boolean };
  readonly keep: number;
}

function liveAt({ provedAt, madeAt }: Release): number {
  return provedAt ?? madeAt;
}

function remove(run: Workspace, release: Release): Promise<boolean> {
  return isDone(run, `The release ${release.name} cannot be removed`, removeRelease(run, release));
}

/** What a process has left that was killed in the middle of a copy, a link or a record. */
async function removeDrafts({ host, checkout }: Pick<Workspace, 'host' | 'checkout'>): Promise<void> {
  const names = await host.files.list(checkout.directory);
  for (const name of names.filter(isDraft)) await host.files.remove(`${checkout.directory}/${name}`);
  await removeTornRecords(host.files, checkout);
}

function isDraft(name: string): boolean {
  return name.startsWith(draftPrefix) || new RegExp(`^\\.${linkName}\\.\\d+\\.\\d+$`).test(name);
}

/** Removes a release for ever, its folder and what git knows of it; broken off at any point, it can be done again. */
export async function removeRelease(run: Workspace, release: Release): Promise<void> {
  const { files } = run.host;
  // A half one may become live as little as one that leaves; on a full disk it can go, and nothing can be recorded.
  if (!isHalf(release)) await recordRelease(files, run.checkout, { ...release, state: 'leaving' });
  await files.remove(release.directory);
  await files.remove(`${run.checkout.gitFolder}/worktrees/${release.name}`);
  await forgetRelease(files, run.checkout, release);
}
