import { chosenDuration } from '../../figures/figures.js';
import type { Files, Host } from '../../host/host.ts';
import type { HiddenSite } from '../record/health.ts';
import type { StepFailure } from '../record/states.ts';
import { type Run, runStep, type Workspace } from '../run/run.ts';
import type { DeploymentSettings } from '../settings/settings.ts';
import { askPool, type CheckoutFolders, type PoolHost } from './ask-pool.ts';
import type { RunningPool } from './find-pools.ts';
import { findServers, type Servers } from './find-servers.ts';
import { forget, forgetAtOnce, patienceSeconds, unlessNoAnswer } from './forget.ts';
import { opcacheSettings } from './fpm-configuration.ts';
import { lookAtPools, type Patience } from './look-at-pools.ts';
import {
  type AskedPool,
  apacheAddress,
  decideMeans,
  hasCompiled,
  longestOf,
  type Means,
  type Told,
  type Wait,
} from './means.ts';
import { type SortedPools, servingPools, withOnlyPool } from './serving-pools.ts';

/** Finds out, before anything is touched, how php-fpm can be made to run the new code. */
export async function findMeans(
  host: PoolHost,
  settings: DeploymentSettings,
  checkout: CheckoutFolders,
  watch: Watch = {},
  found?: Servers,
): Promise<Means> {
  const { wait: seconds, reload, fastcgi } = settings.opcache;
  if (seconds !== undefined) return { by: 'waiting', seconds, because: 'opcache.wait says so' };
  if (reload !== undefined) return { by: 'command', command: reload };
  const servers = found ?? (await findServers(host.files));
  const patience = { ...watch, seconds: patienceSeconds(settings) };
  if (fastcgi !== undefined) return meansOfNamedPool(host, servers, fastcgi, checkout, patience);
  const isPhp = await hasPhp(host.files, settings, checkout);
  const sorted = await sort(host.files, servers, settings, checkout, isPhp);
  const inApache = await ofCheckout(host.files, servers, settings, checkout);
  if (!isPhp && sorted.ours.length + inApache.length === 0)
    return { by: 'not-needed', because: 'this checkout has no PHP to serve' };
  const means = await meansOfFound(host, { ...sorted, inApache }, checkout, { ...patience, visit: watch.visit });
  return servers.warnings.length === 0
    ? means
    : { ...means, warnings: [...(means.warnings ?? []), ...servers.warnings] };
}

/** What a search for the pools may do meanwhile. */
export interface Watch extends Omit<Patience, 'seconds'> {
  /** Requests a page of the site: the pool that serves it has then compiled files of the checkout. */
  readonly visit?: (() => Promise<unknown>) | undefined;
}

async function meansOfFound(
  host: PoolHost,
  sorted: SortedPools & { readonly inApache: readonly AskedPool[] },
  checkout: CheckoutFolders,
  { visit, ...patience }: Patience & Pick<Watch, 'visit'>,
): Promise<Means> {
  const first = await lookAtPools(host, sorted, checkout, patience);
  const { inApache } = sorted;
  if (first.length === 0) return decideMeans([...sorted.elsewhere.map(unasked), ...inApache]);
  const isKnown =
    inApache.length > 0 || sorted.unknown.length === 0 || sorted.ours.length > 0 || first.some(hasCompiled);
  if (isKnown || visit === undefined) return decideMeans([...first, ...inApache]);
  await visit();
  return decideMeans(await lookAtPools(host, sorted, checkout, patience));
}

/** PHP in Apache that serves the checkout: it looks at its files by itself, and takes no question. */
async function ofCheckout(
  files: Files,
  { inApache }: Servers,
  { appDir }: DeploymentSettings,
  { directory }: Pick<CheckoutFolders, 'directory'>,
): Promise<readonly AskedPool[]> {
  const top = (await files.realPath(appDir)) ?? directory;
  const isOurs = async (root: string): Promise<boolean> => {
    const real = (await files.realPath(root).catch(() => undefined)) ?? root;
    return [top, directory].some((folder) => real === folder || real.startsWith(`${folder}/`));
  };
  const ours = await Promise.all(
    inApache.map(async ({ roots }) => (await Promise.all(roots.map(isOurs))).includes(true)),
  );
  return inApache
    .filter((_, index) => ours[index])
    .map(({ master, settings }) => ({ address: apacheAddress, master, settings, isOurs: true }));
}

/** Whether a visitor could ask for a script: the preset says so, or one lies where web servers look. */
async function hasPhp(
  files: Files,
  { isPhp, webRoots }: DeploymentSettings,
  { directory }: Pick<CheckoutFolders, 'directory'>,
): Promise<boolean> {
  if (isPhp) return true;
  const folders = [directory, ...webRoots.map((root) => `${directory}/${root}`)];
  const names = await Promise.all(folders.map((folder) => files.list(folder).catch(() => [])));
  return names.flat().some((name) => name.endsWith('.php'));
}

/** The users that the pools of the checkout run as, as far as the configuration says which these are. */
export async function poolUsers(
  { files }: Pick<Host, 'files'>,
  settings: DeploymentSettings,
  checkout: Pick<CheckoutFolders, 'directory'>,
): Promise<readonly string[]> {
  const servers = await findServers(files);
  const named = servers.pools.filter(({ listen }) => listen === settings.opcache.fastcgi);
  const isPhp = await hasPhp(files, settings, checkout);
  const ours = named.length > 0 ? named : (await sort(files, servers, settings, checkout, isPhp)).ours;
  return [...new Set(ours.flatMap(({ user }) => (user === undefined ? [] : [user])))];
}

/**
 * Whether answers of the site may come from a cache: nginx has one, or nothing is known of the web server that serves
 * the checkout.
 */
export async function mayBeCached(
  files: Files,
  { passes, caches }: Servers,
  { directory }: Pick<CheckoutFolders, 'directory'>,
): Promise<boolean | undefined> {
  if (caches.length > 0) return true;
  const roots = await Promise.all(passes.flatMap(({ roots: own }) => own).map((root) => files.realPath(root)));
  const isKnown = roots.some((root) => root === directory || root?.startsWith(`${directory}/`));
  return isKnown ? false : undefined;
}

/** Undefined where no cache of nginx answers without looking at the query. */
export function hiddenSite({ passes, caches }: Servers): HiddenSite | undefined {
  const cache = caches.find(({ hasQuery }) => !hasQuery);
  return cache && { cache: `${cache.directive} ${cache.zone}`, passes };
}

/** In the mode `releases` the folder that visitors get may be elsewhere than the checkout. */
async function sort(
  files: Files,
  { pools, passes }: Servers,
  { appDir }: DeploymentSettings,
  { directory }: Pick<CheckoutFolders, 'directory'>,
  isPhp: boolean,
): Promise<SortedPools> {
  const top = await files.realPath(appDir);
  const sorted = await servingPools(files, pools, [directory, ...(top === undefined ? [] : [top])], passes);
  return isPhp ? withOnlyPool(sorted) : sorted;
}

function unasked({ listen, master, settings }: RunningPool): AskedPool {
  return { address: listen, master, settings, isOurs: false };
}

/** Makes php-fpm run the code that is on the disk; returns the failure, or undefined. */
export async function refresh(run: Run, means: Means): Promise<StepFailure | undefined> {
  await warn(run, means.warnings);
  switch (means.by) {
    case 'impossible':
    case 'not-needed':
      return undefined;
    case 'waiting':
      return tell(run, means.told ?? { caches: [] }, means);
    case 'command': {
      const { exitCode } = await runStep(run, 'opcache reload', means.command, { env: run.settings.environment });
      return exitCode === 0
        ? undefined
        : { type: 'step-failed', step: 'opcache reload', because: `exit code ${exitCode}` };
    }
    case 'fastcgi':
      return tell(run, means);
  }
}

/** A pool that cannot be reset is waited for. That is no failure, because it says nothing about the commit. */
async function tell(run: Run, told: Told, atLeast?: Wait): Promise<StepFailure | undefined> {
  const { failure, otherwise } = told.caches.length === 0 ? {} : await forget(run, told);
  if (failure !== undefined) return failure;
  const longest = longestOf([atLeast, otherwise].filter((some) => some !== undefined));
  return longest === undefined ? undefined : wait(run, longest);
}

/** The old code then runs at once if php-fpm can be reset; nothing is waited for. */
export async function refreshAtOnce(run: Run, means: Means): Promise<void> {
  if (means.by === 'fastcgi') await forgetAtOnce(run, means);
}

/**
 * Before a folder is removed: makes the pools drop its compiled files from their memory. A pool that does not answer
 * keeps them.
 */
export async function forgetFolder(run: Workspace, means: Means, directory: string): Promise<void> {
  const { stateFolder } = run.checkout;
  const question = { action: 'forget all', timeoutSeconds: 2, isOurs: true } as const;
  const caches = means.by === 'fastcgi' ? means.caches : [];
  const addresses = caches.flatMap(({ addresses: [first] }) => (first === undefined ? [] : [first]));
  await Promise.all(
    addresses.map((address) => askPool(run.host, address, { directory, stateFolder }, question).catch(unlessNoAnswer)),
  );
}

/**
 * The means for the pool that the settings name. Nobody there, or one that refuses us, is a mistake in them; one that
 * is busy is waited for later.
 */
async function meansOfNamedPool(
  host: PoolHost,
  { pools }: Servers,
  address: string,
  checkout: CheckoutFolders,
  patience: Patience,
): Promise<Means> {
  const known = pools.find(({ listen }) => listen === address);
  // Such as a pool in a container: until it answers, it is assumed to run the old code for ever.
  const unknown = { listen: address, master: '', folders: [], settings: worstSettings };
  const [asked] = await lookAtPools(host, { ours: [known ?? unknown], unknown: [] }, checkout, patience);
  if (asked?.trouble !== undefined) return { by: 'impossible', because: `${asked.trouble}.` };
  return decideMeans(asked === undefined ? [] : [asked]);
}

const worstSettings = opcacheSettings({ 'opcache.validate_timestamps': '0' });

/** Once a run: a way back does this again. */
async function warn(run: Run, warnings: readonly string[] = []): Promise<void> {
  if (run.progress.steps.some(({ name }) => name === 'opcache')) return;
  for (const warning of warnings) await run.log.line('INFO', `Warning: ${warning}`);
}

async function wait(run: Run, { seconds, because }: Wait): Promise<undefined> {
  if (seconds === 0) return;
  await run.log.line('INFO', `Waiting ${chosenDuration(seconds)}, because ${because}`);
  await run.host.clock.sleep(seconds, run.interruption).catch(() => undefined);
  run.progress.finishStep({ name: 'opcache wait', seconds, exitCode: 0 });
}

/**
 * Whether a failure of this step is php-fpm's: it says nothing of the commit. A step of the settings may have the name,
 * and means the same.
 */
export function isStepOfOpcache(step: string): boolean {
  return step === 'opcache' || step === 'opcache reload';
}
