import { OperationError } from '../../host/errors.ts';
import type { Means } from '../opcache/means.ts';
import { askPool, type PoolAnswer } from '../opcache/pool-script.ts';
import type { StepFailure } from '../record/states.ts';
import type { Workspace } from '../run/run.ts';
import { linkName } from '../settings/contradictions.ts';
import type { Release } from './release.ts';

/**
 * After an answer of 200: the failure when php-fpm still runs the release before, or the checkout where there was none. It
 * does where the web server gives it the path of the link instead of its target, or does not serve the link
 * (docs/facts/php-opcache.md, "Symbolic links").
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

/** Whether pools hold compiled files of the former directory and none of the new one. A full pool keeps no new file, and proves nothing. */
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
