import type { Host } from '../../host/host.ts';
import { statusText } from '../log/sentence.ts';
import { checkHealth, type Health, type SiteKnowledge } from '../record/health.ts';
import type { Run, Workspace } from '../run/run.ts';
import type { DeploymentSettings } from '../settings/settings.ts';

/** The site's health before anything is touched; undefined where the settings skip it. */
export async function askBaseline(run: Run): Promise<Health | undefined> {
  const { health, healthUrls } = run.settings;
  if (healthUrls.length === 0 || health.baseline === 'skip') return undefined;
  return askOnce(run.host, run.settings, run.interruption, run.site);
}

/** The site's health by one request to each address. */
export function askOnce(
  host: Pick<Host, 'http' | 'clock' | 'files'>,
  { health, healthUrls }: Pick<DeploymentSettings, 'health' | 'healthUrls'>,
  signal?: AbortSignal,
  site?: SiteKnowledge,
): Promise<Health> {
  return checkHealth(host, healthUrls, { ...health, attempts: 1, consecutive: 1 }, undefined, signal, site);
}

/**
 * Logs a site that is unhealthy before the deploy: then the new commit is not the cause, and a site that cannot be
 * reached from here would fail every commit. False where the settings refuse to go on.
 */
export async function acceptBaseline(run: Run, health: Health | undefined): Promise<boolean> {
  if (health === undefined) return true;
  const { status, reason } = health;
  if (run.interruption.aborted) {
    await run.progress.advance({ type: 'failed', because: 'The health check before the deploy was broken off' });
    return false;
  }
  if (run.settings.isPhp) await logMaintenance(run);
  run.journal.record({ type: 'baseline-checked', status });
  if (status === 200) return true;
  const sentence =
    status === 0
      ? `The site cannot be reached from here before the deploy begins (000)${reason === undefined ? '' : `: ${reason}`}`
      : `The site is unhealthy before the deploy begins (${statusText(status)})`;
  const goesOn = run.settings.health.baseline === 'warn';
  if (goesOn) await run.log.line('INFO', sentence);
  else await run.progress.advance({ type: 'failed', because: sentence });
  return goesOn;
}

/** Laravel's health route may answer 200 while visitors get 503 (docs/facts/laravel.md, "Health"). */
async function logMaintenance(run: Workspace): Promise<void> {
  const file = await maintenanceFile(run);
  if (file === undefined) return;
  await run.log.line('INFO', `The application is in maintenance mode (${file}): visitors get 503`);
}

/** Laravel's mark of its maintenance mode, where it is there. */
export async function maintenanceFile({
  host,
  checkout,
  settings,
}: Pick<Workspace, 'host' | 'checkout' | 'settings'>): Promise<string | undefined> {
  const file = `${settings.subfolder === undefined ? '' : `${settings.subfolder}/`}storage/framework/down`;
  return (await host.files.stat(`${checkout.directory}/${file}`)) === undefined ? undefined : file;
}
