import type { Workspace } from '../run/run.ts';
import type { Release } from './release.ts';

/** The same run in the release's folder instead of the checkout's: the steps of a commit work in there. */
export function inRelease<R extends Pick<Workspace, 'checkout' | 'settings'>>(run: R, { directory }: Release): R {
  const { checkout, settings } = run;
  const folders = Object.entries(settings.releases.folders).map(([name, { path }]) => [name, `${directory}/${path}`]);
  const environment = { ...Object.fromEntries(folders), ...settings.environment };
  return { ...run, checkout: { ...checkout, directory }, settings: { ...settings, environment } };
}
