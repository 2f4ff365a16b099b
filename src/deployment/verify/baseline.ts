import { statusText } from '../log/sentence.ts';
import { checkHealth } from '../record/health.ts';
import type { Run, Workspace } from '../run/run.ts';

/** Asks how the site is before anything is touched; undefined where nobody wants to know. */
export async function askBaseline(run: Run): Promise<number | undefined> {
  const { health, healthUrls } = run.settings;
  if (healthUrls.length === 0 || health.baseline === 'skip') return undefined;
  const rules = { consecutive: 1, timeout: health.timeout };
  return (await checkHealth(run.host, healthUrls, rules, undefined, run.interruption)).status;
}

/**
 * A site that was down before is not the new commit's doing, and one that cannot be reached from here will fail every
 * commit. Says it in the log; false where the settings refuse to go on.
 */
export async function acceptBaseline(run: Run, status: number | undefined): Promise<boolean> {
  if (status === undefined) return true;
  if (run.interruption.aborted) {
    await run.progress.advance({ type: 'failed', because: 'The health check before the deploy was broken off' });
    return false;
  }
  if (run.settings.php) await tellMaintenance(run);
  run.journal.record({ type: 'baseline-checked', status });
  if (status === 200) return true;
  const said =
    status === 0
      ? 'The site cannot be reached from here before anything is done (000)'
      : `The site is unhealthy before anything is done (${statusText(status)})`;
  const goesOn = run.settings.health.baseline === 'warn';
  if (goesOn) await run.log.line('INFO', said);
  else await run.progress.advance({ type: 'failed', because: said });
  return goesOn;
}

/** Laravel's health route answers 200 all the same, while people get 503. */
async function tellMaintenance(run: Workspace): Promise<void> {
  const down = await run.host.files.stat(`${run.checkout.directory}/storage/framework/down`);
  if (down === undefined) return;
  await run.log.line('INFO', 'The application is in maintenance mode (storage/framework/down): people get 503');
}
