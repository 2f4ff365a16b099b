import { OperationError } from '../../host/errors.ts';
import { isHealthy } from '../health.ts';
import type { Means } from '../opcache/means.ts';
import { forgetFolder } from '../opcache/refresh.ts';
import type { Progress } from '../progress.ts';
import type { Run } from '../run.ts';
import { linkName } from './link-name.ts';
import { liveRelease } from './live-release.ts';
import { type Release, readReleases, recordRelease, removeTornRecords } from './release.ts';
import { removeRelease } from './remove-release.ts';
import { draftPrefix } from './share.ts';

/** At the end of a run: what it proved is recorded, and what nobody will go back to goes. Trouble with that is told and changes no outcome. */
export async function settleReleases(run: Run, means: Means): Promise<void> {
  if (run.settings.mode !== 'releases') return;
  const { host, checkout } = run;
  const live = await liveRelease(host.files, checkout);
  const proved = live !== undefined && isProved(run.progress, live.commit) ? live : undefined;
  if (proved !== undefined) await recordRelease(host.files, checkout, { ...proved, state: 'good' });
  const all = await readReleases(host.files, checkout);
  const stays = { live: live?.name, lastVerified: proved?.commit ?? run.trust.base, keep: run.settings.releases.keep };
  for (const release of releasesToRemove(all, stays)) {
    await forgetFolder(run, means, release.directory);
    await remove(run, release);
  }
  await removeDrafts(run);
}

/** Before a run begins: half-made and half-removed releases that a killed one left; their names. */
export async function removeHalves(run: Run): Promise<readonly string[]> {
  const { host, checkout } = run;
  const live = await liveRelease(host.files, checkout);
  const halves = (await readReleases(host.files, checkout)).filter(
    ({ name, state }) => (state === 'making' || state === 'leaving') && name !== live?.name,
  );
  for (const release of halves) await remove(run, release);
  await removeDrafts(run);
  return halves.map(({ name }) => name);
}

/**
 * Which releases go. The live one stays, the newest one of the commit that last passed health, the newest `keep` good
 * ones, and the newest of those that proved nothing, for whoever wants to know why.
 */
export function releasesToRemove(
  releases: readonly Release[],
  {
    live,
    lastVerified,
    keep,
  }: { readonly live?: string | undefined; readonly lastVerified?: string | undefined; readonly keep: number },
): readonly Release[] {
  const good = releases.filter(({ state }) => state === 'good');
  const stays = new Set<string | undefined>([
    live,
    good.findLast(({ commit }) => commit === lastVerified)?.name,
    ...good.slice(-keep).map(({ name }) => name),
    releases.findLast(({ state }) => state === 'ready')?.name,
  ]);
  return releases.filter(({ name }) => !stays.has(name));
}

function isProved({ state, events }: Progress, commit: string): boolean {
  const last = events.findLast((event) => event.type === 'health-checked' || event.type === 'repaired');
  return state === 'updated' || (last?.commit === commit && isHealthy(last));
}

async function remove(run: Run, release: Release): Promise<void> {
  try {
    await removeRelease(run, release);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    await run.log.line('INFO', `The release ${release.name} cannot be removed: ${error.message}`);
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
