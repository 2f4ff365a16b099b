import { askPool } from '../opcache/ask-pool.ts';
import { unlessNoAnswer } from '../opcache/forget.ts';
import type { Means, Told } from '../opcache/means.ts';
import type { PoolAnswer } from '../opcache/pool-script.ts';
import type { StepFailure } from '../record/states.ts';
import type { Workspace } from '../run/run.ts';
import { linkName } from '../settings/contradictions.ts';
import type { Release } from './release.ts';

/**
 * After an answer of 200: the failure when php-fpm still runs the release before, or the checkout where there was none.
 * It does where the web server gives it the path of the link instead of its target, or does not serve the link
 * (docs/facts/php-opcache.md, "Symbolic links").
 */
export async function staleRelease(
  run: Workspace,
  means: Means,
  { old, fresh }: { readonly old: Release | undefined; readonly fresh: Release },
): Promise<StepFailure | undefined> {
  if (means.by !== 'fastcgi' || old?.name === fresh.name) return undefined;
  const ask = (directory: string) => answers(run, means, directory);
  const before = [...(await ask(run.checkout.directory)), ...(old === undefined ? [] : await ask(old.directory))];
  if (!isStale(before, await ask(fresh.directory))) return undefined;
  const because = `php-fpm goes on with ${old?.name ?? 'the checkout'}: the web server has to serve ${linkName}, and to give php-fpm $realpath_root, not the link`;
  return { type: 'step-failed', step: 'opcache', because };
}

type Looked = Pick<PoolAnswer, 'cached' | 'full'>;

/**
 * Whether pools hold compiled files of the former directory and none of the new one. A full pool keeps no new file, and
 * proves nothing.
 */
export function isStale(before: readonly Looked[], now: readonly Looked[]): boolean {
  const serves = before.some(({ cached }) => cached > 0);
  return serves && now.every(({ cached, full }) => cached === 0 && !full);
}

/** One pool of each cache is asked. */
async function answers(run: Workspace, { caches }: Told, directory: string): Promise<readonly PoolAnswer[]> {
  const { stateFolder } = run.checkout;
  const question = { action: 'look', timeoutSeconds: 10, isOurs: true } as const;
  const ask = (address = '') => askPool(run.host, address, { directory, stateFolder }, question).catch(unlessNoAnswer);
  const all = await Promise.all(caches.map(({ addresses }) => ask(addresses[0])));
  return all.filter((answer) => answer !== undefined);
}
