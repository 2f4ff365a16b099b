import { OperationError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import type { Checkout } from '../checkout/checkout.ts';
import type { StepFailure } from '../record/states.ts';
import { type Run, runStep, type Workspace } from '../run/run.ts';
import type { DeploymentSettings } from '../settings/settings.ts';
import { findPools, type RunningPool } from './find-pools.ts';
import { opcacheSettings } from './fpm-configuration.ts';
import { type AskedPool, decideMeans, type Means } from './means.ts';
import { askPool } from './pool-script.ts';

type PoolHost = Pick<Host, 'exchange' | 'files' | 'random'>;
type CheckoutFolders = Pick<Checkout, 'directory' | 'gitFolder'>;

/** Finds out, before anything is touched, how php-fpm can be made to run the new code. */
export async function findMeans(
  host: PoolHost,
  settings: DeploymentSettings,
  checkout: CheckoutFolders,
): Promise<Means> {
  const { wait, reload, fastcgi } = settings.opcache;
  if (wait !== undefined) return { by: 'waiting', seconds: wait, because: 'opcache.wait says so' };
  if (reload !== undefined) return { by: 'command', command: reload };
  if (fastcgi !== undefined) {
    return meansOfNamedPool(host, fastcgi, checkout);
  }
  if (!settings.php) return { by: 'not-needed' };
  const pools = await findPools(host.files);
  return decideMeans(await Promise.all(pools.map((pool) => askedPool(host, pool, checkout))));
}

/** Makes php-fpm run the code that is on the disk; returns the failure, or undefined. */
export async function refresh(run: Run, means: Means): Promise<StepFailure | undefined> {
  switch (means.by) {
    case 'not-needed':
    case 'impossible':
      return undefined;
    case 'waiting':
      return wait(run, means.seconds, means.because);
    case 'command': {
      const { exitCode } = await runStep(run, 'opcache reload', means.command, { env: run.settings.environment });
      return exitCode === 0
        ? undefined
        : { type: 'step-failed', step: 'opcache reload', because: `exit code ${exitCode}` };
    }
    case 'fastcgi':
      return forget(run, means.addresses);
  }
}

/** Before a folder is removed: makes the pools drop its compiled files from their memory. A pool that does not answer keeps them. */
export async function forgetFolder(run: Workspace, means: Means, directory: string): Promise<void> {
  const { gitFolder } = run.checkout;
  for (const address of means.by === 'fastcgi' ? means.addresses : [])
    await askPool(run.host, address, { directory, gitFolder }, 'forget all').catch(unlessNoAnswer);
}

/** The means for the pool that the settings name; one that does not answer is a mistake in them. */
async function meansOfNamedPool(host: PoolHost, address: string, checkout: CheckoutFolders): Promise<Means> {
  try {
    const answer = await askPool(host, address, checkout, 'look');
    return decideMeans([{ address, settings: opcacheSettings({}), answer }]);
  } catch (error) {
    if (error instanceof OperationError) return { by: 'impossible', because: `${error.message}.` };
    throw error;
  }
}

async function askedPool(
  host: PoolHost,
  { listen, settings }: RunningPool,
  checkout: CheckoutFolders,
): Promise<AskedPool> {
  const answer = await askPool(host, listen, checkout, 'look').catch(unlessNoAnswer);
  return { address: listen, settings, ...(answer === undefined ? {} : { answer }) };
}

async function wait(run: Run, seconds: number, because: string): Promise<undefined> {
  if (seconds === 0) return;
  await run.log.line('INFO', `Waiting ${seconds} s, because ${because}`);
  await run.host.clock.sleep(seconds, run.interruption).catch(() => undefined);
  run.progress.finishStep({ name: 'opcache wait', seconds, exitCode: 0 });
}

async function forget(run: Workspace, addresses: readonly string[]): Promise<StepFailure | undefined> {
  const startedSeconds = run.host.clock.monotonicSeconds();
  for (const address of addresses) {
    const answer = await askPool(run.host, address, run.checkout, 'forget').catch(unlessNoAnswer);
    if (answer?.forgotten === true) continue;
    return { type: 'step-failed', step: 'opcache', because: `php-fpm at ${address} did not forget the old code` };
  }
  run.progress.finishStep({
    name: 'opcache',
    seconds: run.host.clock.monotonicSeconds() - startedSeconds,
    exitCode: 0,
  });
  return undefined;
}

function unlessNoAnswer(error: unknown): undefined {
  if (!(error instanceof OperationError)) throw error;
}
