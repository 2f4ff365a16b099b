import type { Passing } from '../../data-plane/front-door.ts';

/** The requests of one worker that wait for a connection to one endpoint, and the attempts to make one. */
export interface Pool {
  pending: (() => void)[];
  attempts: number;
}

export type Pools = Map<string, Pool>;

export function poolOf(pools: Pools, address: string): Pool {
  const pool = pools.get(address) ?? { pending: [], attempts: 0 };
  pools.set(address, pool);
  return pool;
}

/**
 * Waits for an endpoint from which nothing comes back. A request makes an attempt of its own only where more wait than
 * attempts are made, and the end of any attempt fails all that wait (Envoy, source/common/conn_pool/conn_pool_base.cc,
 * onConnectionEvent and purgePendingStreams). False when the request's own time was over first.
 */
export async function failedByAttempt(
  { clock }: Pick<Passing, 'clock'>,
  pool: Pool,
  attemptSeconds: number,
  ended: Promise<unknown>,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<void>();
  pool.pending.push(resolve);
  if (pool.pending.length > pool.attempts) {
    pool.attempts += 1;
    void clock.sleep(attemptSeconds).then(() => {
      pool.attempts -= 1;
      failAll(pool);
    });
  }
  const isFailed = await Promise.race([promise.then(() => true), ended.then(() => false)]);
  pool.pending = pool.pending.filter((one) => one !== resolve);
  return isFailed;
}

export function failAll(pool: Pool): void {
  const { pending } = pool;
  pool.pending = [];
  for (const fail of pending) fail();
}

/** Envoy's default route timeout. */
export const routeTimeoutSeconds = 15;
