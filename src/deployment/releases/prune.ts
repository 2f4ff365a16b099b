import { OperationError } from '../../host/errors.ts';
import type { Progress } from '../log/progress.ts';
import type { Means } from '../opcache/means.ts';
import { forgetFolder } from '../opcache/refresh.ts';
import { isHealthy } from '../record/health.ts';
import { readHistory } from '../record/history.ts';
import { type Trust, trustIn } from '../record/trust.ts';
import type { Run } from '../run/run.ts';
import { linkName } from '../settings/link-name.ts';
import { liveRelease } from './live-release.ts';
import { isHalf, type Release, readReleases, recordRelease, removeTornRecords } from './release.ts';
import { removeRelease } from './remove-release.ts';
import { draftPrefix } from './share.ts';

/** Before a run's outcome is durable: that its release was live and healthy. Trouble with that is told and changes no outcome. */
export async function recordProof(run: Run): Promise<void> {
  if (run.settings.mode !== 'releases') return;
  const { host, checkout } = run;
  const live = await liveRelease(host.files, checkout);
  if (live === undefined || !isProved(run.progress, live.commit)) return;
  await recordGood(run, live);
}

/** The same for a run that was killed between its proof and that record. */
export async function recordLateProof(run: Run): Promise<void> {
  if (run.settings.mode !== 'releases') return;
  const live = await liveRelease(run.host.files, run.checkout);
  if (live?.state === 'ready' && isProvedBefore(run.trust, live.commit)) await recordGood(run, live);
}

async function recordGood(run: Run, live: Release): Promise<void> {
  const { host, checkout } = run;
  const proved: Release = { ...live, state: 'good', provedAt: host.clock.wallAt() };
  await told(run, `The release ${live.name} cannot be recorded as good`, recordRelease(host.files, checkout, proved));
}

/** When the outcome is in the journal, what nobody will go back to by its word goes. A release that cannot be removed is told of. */
export async function settleReleases(run: Run, means: Means): Promise<void> {
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
export async function removeHalves(run: Run): Promise<readonly string[]> {
  if (run.settings.mode !== 'releases') return [];
  const { host, checkout } = run;
  const live = await liveRelease(host.files, checkout);
  const all = await readReleases(host.files, checkout);
  const gone: string[] = [];
  for (const release of all.filter((each) => isHalf(each) && each.name !== live?.name))
    if (await remove(run, release)) gone.push(release.name);
  await told(run, 'What a run has left that was killed cannot be removed', removeDrafts(run));
  return gone;
}

/** What is made and does not become whole goes at once: it may be what has filled the disk, and no outcome could be written. */
export async function withoutHalves<T>(run: Run, make: () => Promise<T>): Promise<T> {
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

function isProved({ state, events }: Progress, commit: string): boolean {
  const last = events.findLast((event) => event.type === 'health-checked' || event.type === 'repaired');
  return state === 'updated' || (last?.commit === commit && isHealthy(last));
}

function isProvedBefore({ base, unproved, quarantined, killed }: Trust, commit: string): boolean {
  return commit === base && killed.length === 0 && !unproved.has(commit) && !quarantined.has(commit);
}

function remove(run: Run, release: Release): Promise<boolean> {
  return told(run, `The release ${release.name} cannot be removed`, removeRelease(run, release));
}

/** Whether it was done; trouble with it is told. */
async function told(run: Run, what: string, deed: Promise<void>): Promise<boolean> {
  try {
    await deed;
    return true;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    await run.log.line('ERROR', `${what}: ${error.message}`);
    return false;
  }
}

/** What a process has left that was killed in the middle of a copy, a link or a record. */
async function removeDrafts({ host, checkout }: Run): Promise<void> {
  const names = await host.files.list(checkout.directory);
  for (const name of names.filter(isDraft)) await host.files.remove(`${checkout.directory}/${name}`);
  await removeTornRecords(host.files, checkout);
}

function isDraft(name: string): boolean {
  return name.startsWith(draftPrefix) || new RegExp(`^\\.${linkName}\\.\\d+\\.\\d+$`).test(name);
}
