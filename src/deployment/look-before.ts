import { checkHealth } from './health.ts';
import type { Means } from './opcache/means.ts';
import { findMeans } from './opcache/refresh.ts';
import type { Run } from './run.ts';
import { statusText } from './sentence.ts';

/**
 * Before anything is touched: how is the site, and can a new commit be seen at all? Says what it finds in the log. The
 * means to make the new code seen; undefined when the deploy was refused.
 */
export async function lookBefore(run: Run): Promise<Means | undefined> {
  const { settings, checkout } = run;
  if (settings.variant === 'basic') return { by: 'nothing' };
  if ((await baseline(run)) === 'refused') return undefined;
  await tellMaintenance(run);
  const means = await findMeans(run.host, settings, checkout.directory);
  if (means.by !== 'none') return means;
  await run.progress.advance({ type: 'refused', because: means.because, exitCode: 2 });
  return undefined;
}

/** A site that was down before is not the new commit's doing; one that cannot be reached from here will fail every commit. */
async function baseline(run: Run): Promise<'refused' | undefined> {
  const { health, healthUrls } = run.settings;
  if (health.baseline === 'skip') return undefined;
  const { status } = await checkHealth(
    run.host,
    healthUrls,
    { consecutive: 1, timeout: health.timeout },
    undefined,
    run.interruption,
  );
  run.record({ type: 'baseline-checked', status });
  if (status === 200) return undefined;
  const said =
    status === 0
      ? 'The site cannot be reached from here (000) before the deploy: a health check that cannot be reached rolls every commit back'
      : `The site is unhealthy before the deploy (${statusText(status)})`;
  if (health.baseline === 'warn') {
    await run.log.line('INFO', said);
    return undefined;
  }
  await run.progress.advance({ type: 'failed', because: said });
  return 'refused';
}

/** Laravel's health route answers 200 all the same, while people get 503. */
async function tellMaintenance(run: Run): Promise<void> {
  if (!run.settings.php) return;
  const down = await run.host.files.stat(`${run.checkout.directory}/storage/framework/down`);
  if (down === undefined) return;
  await run.log.line('INFO', 'The application is in maintenance mode (storage/framework/down): people get 503');
}
