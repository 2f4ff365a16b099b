import { OperationError } from '../../host/errors.ts';
import { askPool, type CheckoutFolders, type PoolHost, untilAborted } from './ask-pool.ts';
import type { AskedPool } from './means.ts';
import type { SortedPools } from './serving-pools.ts';

/** How long a look waits for a pool that is busy. */
export interface Patience {
  /**
   * For one of ours that would run the old code for ever if it refuses us: whether it does has to be known before
   * anything is touched.
   */
  readonly seconds: number;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
  /** Called when such a pool is waited for. */
  readonly sayWaiting?: () => Promise<void>;
}

/** How long a look waits for a free worker, and for the others once a pool is known to serve the checkout. */
const lookSeconds = 2;
const othersSeconds = 0.25;

/**
 * Asks the pools all at once what they have compiled: only `ours`, where the configuration proves some. Asking leaves
 * their opcache as it is.
 */
export async function lookAtPools(
  host: PoolHost,
  { ours, unknown }: Pick<SortedPools, 'ours' | 'unknown'>,
  checkout: CheckoutFolders,
  patience: Patience,
): Promise<readonly AskedPool[]> {
  const over = new AbortController();
  const ending = AbortSignal.any([over.signal, ...(patience.signal === undefined ? [] : [patience.signal])]);
  const endIn = async (seconds: number): Promise<void> => {
    await host.clock.sleep(seconds, ending).catch(() => undefined);
    over.abort();
  };
  const isOurs = ours.length > 0;
  const mustAnswer = ours.some(({ settings }) => !settings.validateTimestamps);
  const longest = endIn(mustAnswer ? Math.max(lookSeconds, patience.seconds) : lookSeconds);
  const said = mustAnswer ? sayLater(host, patience, ending) : undefined;
  const asked = await Promise.all(
    (isOurs ? ours : unknown).map(async ({ listen, master, settings }): Promise<AskedPool> => {
      const looked = await look(host, listen, checkout, { isOurs, signal: over.signal });
      const isServing = looked.answer !== 'busy' && (looked.answer?.cached ?? 0) > 0;
      if (!isOurs && isServing) void endIn(othersSeconds);
      return { address: listen, master, settings, isOurs, ...looked };
    }),
  );
  over.abort();
  await Promise.all([longest, said]);
  return asked;
}

async function sayLater({ clock }: PoolHost, { sayWaiting }: Patience, over: AbortSignal): Promise<void> {
  const isLong = await clock.sleep(lookSeconds, over).then(
    () => true,
    () => false,
  );
  if (isLong) await sayWaiting?.();
}

async function look(
  host: PoolHost,
  address: string,
  checkout: CheckoutFolders,
  options: { readonly isOurs: boolean; readonly signal: AbortSignal },
): Promise<Pick<AskedPool, 'answer' | 'trouble'>> {
  try {
    const question = { ...options, action: 'look', timeoutSeconds: untilAborted } as const;
    return { answer: await askPool(host, address, checkout, question) };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return options.signal.aborted ? { answer: 'busy' } : { trouble: error.message };
  }
}
