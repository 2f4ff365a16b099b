import { servedCheckout } from '../releases/live-release.ts';
import type { DeploymentSettings } from '../settings/settings.ts';
import { findUnreadable } from '../verify/unreadable.ts';
import { bad, type Check, type Examined, good, run } from './check.ts';

/** Files that belong to another user than the deploy's, which it could not replace. */
export async function owners(examined: Examined): Promise<readonly Check[]> {
  const { directory, self } = examined.checkout;
  const others = placesOfOthers(examined.settings).flatMap((path) => ['-o', '-path', `${directory}/${path}`]);
  const pruned = ['(', ...others.slice(1), ')', '-prune'];
  const find = ['find', directory, '-xdev', ...pruned, '-o', '!', '-uid', String(self.userId), '-print'] as const;
  const foreign = (await run(examined, find, 60)).stdout.split('\n').filter((path) => path !== '');
  if (foreign.length === 0) return [good('owners', 'every file belongs to the user of the deploy')];
  return [bad('owners', `${foreign.length} files belong to another user, such as ${foreign[0]}.`)];
}

/** Folders that the application itself writes to, as patterns from the checkout's top. */
function placesOfOthers(settings: DeploymentSettings): readonly string[] {
  const { mode, subfolder, releases } = settings;
  const { folder, folders, shared } = releases;
  const storage = subfolder === undefined ? 'storage' : `${subfolder}/storage`;
  if (mode === 'in-place') return [storage];
  return [storage, ...shared, ...Object.values(folders).map(({ path }) => `${folder}/*/${path}`)];
}

/** What php-fpm cannot read, where it runs as another user than the deploy. */
export async function modes({ host, settings, checkout }: Examined): Promise<readonly Check[]> {
  const found = await findUnreadable(host, settings, await servedCheckout({ host, settings, checkout }));
  return found.flatMap(({ user, shut, tracked, caches }) => [
    ...shut.map((folder) =>
      bad('modes', `php-fpm runs as ${user}, who cannot enter ${folder}. chmod o+x lets others in.`),
    ),
    ...unreadable(user, 'tracked files or folders', tracked),
    ...unreadable(user, 'caches', caches),
  ]);
}

function unreadable(user: string, what: string, paths: readonly string[]): readonly Check[] {
  if (paths.length === 0) return [];
  const which = `${paths.length}, such as ${paths[0]}`;
  return [
    bad('modes', `php-fpm runs as ${user}, who cannot read ${what}: ${which}. chmod go+rX lets others read them.`),
  ];
}
