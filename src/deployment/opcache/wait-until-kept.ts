import { readableDuration } from '../../figures/figures.js';
import type { FileStat } from '../../host/host.ts';
import type { Run } from '../run/run.ts';
import type { Means } from './means.ts';

/** opcache.file_update_protection, PHP's default: what is younger is compiled for each request and not kept. */
const protectionSeconds = 2;
/** One run writes all its files at once: a sample shows when that was. */
const sample = 50;
/** Compiled views get a time that lies up to a second ahead. A file with a later time was not written by a deploy. */
const aheadSeconds = 2;

/**
 * Waits until opcache keeps the present files, where visitors request pages and a run has just written them: as long as
 * it does not, visitors meet each new file as soon as it is renamed, before the caches that belong to it. `paths` are
 * files that will be replaced, and folders of such files.
 */
export async function waitUntilKept(
  run: Pick<Run, 'host' | 'checkout' | 'log' | 'interruption'>,
  means: Means,
  paths: readonly string[],
): Promise<void> {
  if (means.by !== 'fastcgi' || !means.visited) return;
  const { host, interruption } = run;
  const times = (await Promise.all(paths.slice(0, sample).map((path) => timesOf(run, path)))).flat();
  const seconds = secondsUntilKept(times, host.clock.wallAt());
  if (seconds === 0) return;
  await run.log.line(
    'INFO',
    `Waiting ${readableDuration(seconds)}: opcache does not keep files that were just written`,
  );
  await host.clock.sleep(seconds, interruption).catch(() => undefined);
}

/**
 * Seconds from this moment until opcache keeps files of these times, all in epoch milliseconds: it counts in whole
 * seconds.
 */
export function secondsUntilKept(modifiedAt: readonly number[], at: number): number {
  const youngestAt = Math.max(0, ...modifiedAt.filter((each) => each < at + aheadSeconds * 1000));
  const keptAt = (Math.floor(youngestAt / 1000) + protectionSeconds) * 1000;
  return Math.max(0, keptAt - at) / 1000;
}

async function timesOf({ host, checkout }: Pick<Run, 'host' | 'checkout'>, path: string): Promise<readonly number[]> {
  const stat = (name: string): Promise<FileStat | undefined> => host.files.stat(name).catch(() => undefined);
  const whole = `${checkout.directory}/${path}`;
  const there = await stat(whole);
  if (there?.kind !== 'folder') return there?.kind === 'file' ? [there.modifiedAt] : [];
  const names = (await host.files.list(whole)).slice(0, sample);
  const inside = await Promise.all(names.map((name) => stat(`${whole}/${name}`)));
  return inside.flatMap((file) => (file?.kind === 'file' ? [file.modifiedAt] : []));
}
