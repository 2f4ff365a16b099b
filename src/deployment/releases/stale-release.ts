import { OperationError } from '../../host/errors.ts';
import type { Means } from '../opcache/means.ts';
import { askPool, type PoolAnswer } from '../opcache/pool-script.ts';
import type { StepFailure } from '../record/states.ts';
import type { Workspace } from '../run/run.ts';
import { linkName } from '../settings/contradictions.ts';
import type { Release } from './release.ts';

/**
 * After an answer of 200: whether php-fpm goes on with the release before, or with the checkout where there was none. It
 * does where the web server names the link to it and not what that leads to, or serves something else than the link.
 */
export async function staleRelease(
  run: Workspace,
  means: Means,
  { old, fresh }: { readonly old: Release | undefined; readonly fresh: Release },
): Promise<StepFailure | undefined> {
  if (means.by !== 'fastcgi' || old?.name === fresh.name) return undefined;
  const ask = (directory: string) => answers(run, means.addresses, directory);
  const before = [...(await ask(run.checkout.directory)), ...(old === undefined ? [] : await ask(old.directory))];
  if (!isStale(before, await ask(fresh.directory))) return undefined;
  const because = `php-fpm goes on with ${old?.name ?? 'the checkout'}: the web server has to serve ${linkName}, and to give php-fpm $realpath_root, not the link`;
  return { type: 'step-failed', step: 'opcache', because };
}

type Looked = Pick<PoolAnswer, 'cached' | 'full'>;

/** From what the pools say of the files that were live and of the new release's. One without room keeps nothing new, and proves nothing. */
export function isStale(before: readonly Looked[], now: readonly Looked[]): boolean {
  const serves = before.some(({ cached }) => cached > 0);
  return serves && now.every(({ cached, full }) => cached === 0 && !full);
}

async function answers(
  run: Workspace,
  addresses: readonly string[],
  directory: string,
): Promise<readonly PoolAnswer[]> {
  const { gitFolder } = run.checkout;
  const place = { directory, gitFolder };
  const all = await Promise.all(
    addresses.map((address) => askPool(run.host, address, place, 'look').catch(unlessNoAnswer)),
  );
  return all.filter((answer) => answer !== undefined);
}

function unlessNoAnswer(error: unknown): undefined {
  if (!(error instanceof OperationError)) throw error;
}
