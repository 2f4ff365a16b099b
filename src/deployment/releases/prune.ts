import type { Means } from '../opcache/means.ts';
import { forgetFolder } from '../opcache/refresh.ts';
import { readHistory } from '../record/history.ts';
import { trustIn } from '../record/trust.ts';
import type { Workspace } from '../run/run.ts';
import { linkName } from '../settings/contradictions.ts';
import { isDone } from './is-done.ts';
import { liveRelease } from './live-release.ts';
import {
  forgetRelease,
  isUnfinished,
  type Release,
  readReleases,
  recordRelease,
  removeTornRecords,
} from './release.ts';
import { draftPrefix } from './share.ts';

/**
 * Removes releases that no rollback can need; call after the outcome is durable. A release that cannot be removed is
 * logged.
 */
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

/**
 * Removes releases whose making or removal a killed run left unfinished, and returns their names. One that cannot be
 * removed is logged.
 */
export async function removeUnfinished(run: Workspace): Promise<readonly string[]> {
  if (run.settings.mode !== 'releases') return [];
  const { host, checkout } = run;
  const live = await liveRelease(host.files, checkout);
  const all = await readReleases(host.files, checkout);
  const gone: string[] = [];
  for (const release of all.filter((each) => isUnfinished(each) && each.name !== live?.name))
    if (await remove(run, release)) gone.push(release.name);
  await isDone(run, 'What a killed run has left cannot be removed', removeDrafts(run));
  return gone;
}

/**
 * Calls `make`, then removes releases that are unfinished: one may have filled the disk, and the outcome could not be
 * written.
 */
export async function removingUnfinished<T>(run: Workspace, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } finally {
    await removeUnfinished(run);
  }
}

/**
 * The releases to remove. Kept are the live one, the newest of the commit that was verified last, the `keep` good ones
 * that were live last, and the newest that was never verified, for a person to look at. Releases of quarantined commits
 * count as oldest among the good ones.
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

/** Removes temporary files that a process left when it was killed during a copy, a link or a record. */
async function removeDrafts({ host, checkout }: Pick<Workspace, 'host' | 'checkout'>): Promise<void> {
  const names = await host.files.list(checkout.directory);
  for (const name of names.filter(isDraft)) await host.files.remove(`${checkout.directory}/${name}`);
  await removeTornRecords(host.files, checkout);
}

function isDraft(name: string): boolean {
  return name.startsWith(draftPrefix) || new RegExp(`^\\.${linkName}\\.\\d+\\.\\d+$`).test(name);
}

/**
 * Removes a release: its folder, git's record of the working tree, and its own record. After an interruption at any
 * point it can be repeated.
 */
export async function removeRelease(run: Workspace, release: Release): Promise<void> {
  const { files } = run.host;
  // An unfinished release cannot become live anyway, and on a full disk nothing could be recorded.
  if (!isUnfinished(release)) await recordRelease(files, run.checkout, { ...release, state: 'leaving' });
  await files.remove(release.directory);
  await files.remove(`${run.checkout.gitFolder}/worktrees/${release.name}`);
  await forgetRelease(files, run.checkout, release);
}
