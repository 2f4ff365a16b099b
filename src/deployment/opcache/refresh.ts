import type { Files, Host } from '../../host/host.ts';
import { chosenDuration } from '../../settings/duration.ts';
import type { StepFailure } from '../record/states.ts';
import { type Run, runStep, type Workspace } from '../run/run.ts';
import type { DeploymentSettings } from '../settings/settings.ts';
import { askPool, type CheckoutFolders, type PoolHost } from './ask-pool.ts';
import { findPasses } from './find-passes.ts';
import { findPools, type RunningPool } from './find-pools.ts';
import { forget, forgetAtOnce, patienceSeconds, unlessNoAnswer } from './forget.ts';
import { opcacheSettings } from './fpm-configuration.ts';
import { lookAtPools, type Patience } from './look-at-pools.ts';
import { type AskedPool, decideMeans, longestOf, type Means, type Told, type Wait } from './means.ts';
import { type SortedPools, servingPools } from './serving-pools.ts';

/** Finds out, before anything is touched, how php-fpm can be made to run the new code. */
export async function findMeans(
  host: PoolHost,
  settings: DeploymentSettings,
  checkout: CheckoutFolders,
  watch: Omit<Patience, 'seconds'> = {},
): Promise<Means> {
  const patience = { ...watch, seconds: patienceSeconds(settings) };
  const { wait: seconds, reload, fastcgi } = settings.opcache;
  if (seconds !== undefined) return { by: 'waiting', seconds, because: 'opcache.wait says so' };
  if (reload !== undefined) return { by: 'command', command: reload };
  if (fastcgi !== undefined) return meansOfNamedPool(host, fastcgi, checkout, patience);
  if (!settings.php) return { by: 'not-needed' };
  const pools = await findPools(host.files);
  const sorted = await sort(host.files, pools, settings, checkout);
  const asked = await lookAtPools(host, sorted, checkout, patience);
  return decideMeans(asked.length > 0 ? asked : pools.map(unasked));
}

/** The users that the pools of the checkout run as, as far as the configuration says which these are. */
export async function poolUsers(
  { files }: Pick<Host, 'files'>,
  settings: DeploymentSettings,
  checkout: Pick<CheckoutFolders, 'directory'>,
): Promise<readonly string[]> {
  if (!settings.php) return [];
  const pools = await findPools(files);
  const named = pools.filter(({ listen }) => listen === settings.opcache.fastcgi);
  const ours = named.length > 0 ? named : (await sort(files, pools, settings, checkout)).ours;
  return [...new Set(ours.flatMap(({ user }) => (user === undefined ? [] : [user])))];
}

/** In the mode `releases` the folder that visitors get may be elsewhere than the checkout. */
async function sort(
  files: Files,
  pools: readonly RunningPool[],
  { appDir }: DeploymentSettings,
  { directory }: Pick<CheckoutFolders, 'directory'>,
): Promise<SortedPools> {
  const top = await files.realPath(appDir);
  return servingPools(files, pools, [directory, ...(top === undefined ? [] : [top])], findPasses);
}

/** A pool that serves other folders, as the configuration says. */
function unasked({ listen, master, settings }: RunningPool): AskedPool {
  return { address: listen, master, settings, isOurs: false };
}

/** Makes php-fpm run the code that is on the disk; returns the failure, or undefined. */
export async function refresh(run: Run, means: Means): Promise<StepFailure | undefined> {
  switch (means.by) {
    case 'impossible':
      return undefined;
    case 'not-needed':
      return warn(run, means.warnings);
    case 'waiting': {
      return tell(run, means.told ?? { caches: [] }, means);
    }
    case 'command': {
      const { exitCode } = await runStep(run, 'opcache reload', means.command, { env: run.settings.environment });
      return exitCode === 0
        ? undefined
        : { type: 'step-failed', step: 'opcache reload', because: `exit code ${exitCode}` };
    }
    case 'fastcgi':
      await warn(run, means.warnings);
      return tell(run, means);
  }
}

/** What cannot be told is waited for, and that is no failure: it says nothing of the commit. */
async function tell(run: Run, told: Told, atLeast?: Wait): Promise<StepFailure | undefined> {
  const { failure, otherwise } = told.caches.length === 0 ? {} : await forget(run, told);
  if (failure !== undefined) return failure;
  const longest = longestOf([atLeast, otherwise].filter((some) => some !== undefined));
  return longest === undefined ? undefined : wait(run, longest);
}

/** So the old code runs at once where that can be told to php-fpm; nothing is waited for. */
export async function refreshAtOnce(run: Run, means: Means): Promise<void> {
  if (means.by === 'fastcgi') await forgetAtOnce(run, means);
}

/** Before a folder is removed: makes the pools drop its compiled files from their memory. A pool that does not answer keeps them. */
export async function forgetFolder(run: Workspace, means: Means, directory: string): Promise<void> {
  const { stateFolder } = run.checkout;
  const question = { action: 'forget all', timeoutSeconds: 2, isOurs: true } as const;
  const caches = means.by === 'fastcgi' ? means.caches : [];
  const addresses = caches.flatMap(({ addresses: [first] }) => (first === undefined ? [] : [first]));
  await Promise.all(
    addresses.map((address) => askPool(run.host, address, { directory, stateFolder }, question).catch(unlessNoAnswer)),
  );
}

/** The means for the pool that the settings name. Nobody there, or one that refuses us, is a mistake in them; one that is busy is waited for later. */
async function meansOfNamedPool(
  host: PoolHost,
  address: string,
  checkout: CheckoutFolders,
  patience: Patience,
): Promise<Means> {
  const known = (await findPools(host.files)).find(({ listen }) => listen === address);
  // Such as one in a container: the worst is expected of it until it answers.
  const unknown = { listen: address, master: '', folders: [], settings: worstSettings };
  const [asked] = await lookAtPools(host, { ours: [known ?? unknown], unknown: [] }, checkout, patience);
  if (asked?.trouble !== undefined) return { by: 'impossible', because: `${asked.trouble}.` };
  return decideMeans(asked === undefined ? [] : [asked]);
}

const worstSettings = opcacheSettings({ 'opcache.validate_timestamps': '0' });

/** Once a run: a way back does this again. */
async function warn(run: Run, warnings: readonly string[] = []): Promise<undefined> {
  if (run.progress.steps.some(({ name }) => name === 'opcache')) return;
  for (const warning of warnings) await run.log.line('INFO', `Warning: ${warning}`);
}

async function wait(run: Run, { seconds, because }: Wait): Promise<undefined> {
  if (seconds === 0) return;
  await run.log.line('INFO', `Waiting ${chosenDuration(seconds)}, because ${because}`);
  await run.host.clock.sleep(seconds, run.interruption).catch(() => undefined);
  run.progress.finishStep({ name: 'opcache wait', seconds, exitCode: 0 });
}

/** Whether a failure of this step is php-fpm's: it says nothing of the commit. A step of the settings may have the name, and means the same. */
export function isStepOfOpcache(step: string): boolean {
  return step === 'opcache' || step === 'opcache reload';
}
