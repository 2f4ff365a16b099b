import type { InWorld } from '../../support/in-world.ts';

/** One request of the witness: seconds after the deed, and what came of it. */
export interface Seen {
  readonly at: number;
  /** The status, or why there was none. */
  readonly answer: number | string;
  readonly seconds: number;
  /** Until the connection was there; 0 over a kept one. */
  readonly connectSeconds: number;
}

export interface Witness {
  /** Over how many kept connections; each has a request a second. */
  readonly kept: number;
  /** New connections a second. */
  readonly rates: readonly number[];
  readonly timeoutSeconds: number;
}

/**
 * As at the recordings: ten new connections a second, one more a second, ten kept ones with a request a second each.
 */
export const usualWitness: Witness = { kept: 10, rates: [10, 1], timeoutSeconds: 90 };

const url = new URL('http://app.example.com/');
const warmUpSeconds = 10;

/** Asks while the deed is done and that many seconds after it. */
export async function witnessed(
  { world, clock }: InWorld,
  { kept, rates, timeoutSeconds }: Witness,
  afterSeconds: number,
  deed: () => Promise<unknown>,
): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  const underWay: Promise<unknown>[] = [];
  let deedAt = clock.monotonicSeconds() + warmUpSeconds;
  const endsAt = deedAt + afterSeconds;
  const isOver = () => clock.monotonicSeconds() >= endsAt;
  const ask = async (connection?: Parameters<ReturnType<typeof world.dataPlane>['get']>[1]['kept']) => {
    const begun = clock.monotonicSeconds();
    const exchange = await world.dataPlane().get(url, { timeoutSeconds, kept: connection });
    const answer = exchange.response?.status ?? exchange.error ?? 'none';
    const connectSeconds = exchange.phases.connect ?? 0;
    seen.push({ at: begun - deedAt, answer, seconds: exchange.seconds, connectSeconds });
    return exchange;
  };
  const anew = async (rate: number) => {
    for (; !isOver(); await clock.sleep(1 / rate)) underWay.push(ask());
  };
  const keeping = async (index: number) => {
    await clock.sleep(index / kept);
    let connection: Awaited<ReturnType<typeof ask>>['connection'];
    while (!isOver()) {
      const { seconds, connection: next } = await ask(connection);
      connection = next;
      await clock.sleep(Math.max(0, 1 - seconds));
    }
  };
  const asking = [...rates.map(anew), ...Array.from({ length: kept }, (_, index) => keeping(index))];
  await clock.sleep(warmUpSeconds);
  deedAt = clock.monotonicSeconds();
  await deed();
  await Promise.all(asking);
  await Promise.all(underWay);
  return seen.filter(({ at }) => at >= -1);
}

export const isFailed = ({ answer }: Seen): boolean => answer !== 200;
export const isSlow = ({ answer, seconds }: Seen): boolean => answer === 200 && seconds > 0.9;
export const isDisturbed = (one: Seen): boolean => isFailed(one) || isSlow(one);

/** The requests from the first disturbed one to the last. */
export function spanOf(seen: readonly Seen[]): { readonly requests: number; readonly seconds: number } {
  const times = seen.filter(isDisturbed).map(({ at }) => at);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  return { requests: seen.filter(({ at }) => at >= first && at <= last).length, seconds: last - first };
}

/** The start of the last one, or −Infinity. */
export const lastAt = (seen: readonly Seen[]): number => Math.max(...seen.map(({ at }) => at));
