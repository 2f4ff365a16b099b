import { OperationError } from '../../host/errors.ts';
import type { ClockCompared } from '../record/clock-compared.ts';
import type { Site } from '../site.ts';

/** Each answer halves the bounds, from 1 s; network and server may take up to this many more. */
const mostAsked = 10;

/**
 * How far the API server's clock is ahead of ours. Its `Date` header has whole seconds, so it is asked again just when
 * its second should turn over, by what is known: whether it has halves what is left. Undefined if it does not answer.
 */
export async function compareClocks(
  { cluster, host: { clock } }: Pick<Site, 'cluster' | 'host'>,
  signal: AbortSignal,
): Promise<ClockCompared | undefined> {
  try {
    let known = await askedOnce(cluster);
    for (let asked = 1; asked < mostAsked && !enough(known); asked += 1) {
      await clock.sleep(nextAskSeconds(known, clock.wallAt()), signal);
      const next = narrowed(known, await askedOnce(cluster));
      // A clock was set between the two answers, so earlier answers are dropped.
      known = next ?? (await askedOnce(cluster));
    }
    return {
      offsetSeconds: rounded((known.least + known.most) / 2),
      uncertaintySeconds: rounded((known.most - known.least) / 2),
    };
  } catch (error) {
    if (signal.aborted || error instanceof OperationError) return undefined;
    throw error;
  }
}

async function askedOnce(cluster: Site['cluster']) {
  const { offsetSeconds, uncertaintySeconds } = await cluster.clockOffset();
  return { least: offsetSeconds - uncertaintySeconds, most: offsetSeconds + uncertaintySeconds };
}

const rounded = (seconds: number): number => Math.round(1000 * seconds) / 1000;

/** Between which seconds the other clock is ahead of ours. */
interface OffsetBounds {
  readonly least: number;
  readonly most: number;
}

/** Narrower than any reply on the way: 50 ms. */
const enoughSeconds = 0.05;

const enough = ({ least, most }: OffsetBounds): boolean => most - least <= enoughSeconds;

/** What both answers allow; undefined if nothing does. */
function narrowed(one: OffsetBounds, other: OffsetBounds): OffsetBounds | undefined {
  const both = { least: Math.max(one.least, other.least), most: Math.min(one.most, other.most) };
  return both.least <= both.most ? both : undefined;
}

/**
 * How long to wait until the other clock's second turns over, if its offset is the middle of the bounds. Ours is in
 * epoch milliseconds.
 */
function nextAskSeconds({ least, most }: OffsetBounds, ourAt: number): number {
  const theirs = ourAt / 1000 + (least + most) / 2;
  return Math.ceil(theirs) - theirs;
}
