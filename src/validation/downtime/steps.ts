import type { MeasuredOutage } from './downtime.ts';
import type { Span } from './episodes.ts';
import type { OutageKind } from './outage-kind.ts';
import { type Stretch, within } from './stretches.ts';

/**
 * Where only a part of the requests fails, at the beginning and the end of an outage or all the time, a sample proves
 * less: a good one does not show that the trouble is over, nor do bad ones that all requests fail. The bounds then
 * reach some samples further at either end (docs/facts/measuring.md, "Where a part of the requests fails"), but not out
 * of the time that was seen.
 */
export function inSteps(span: Span, seen: Stretch): Span {
  const ms = Math.round(moreMs(span));
  if (ms === 0) return span;
  const [first, last] = [span.outages[0], span.outages.at(-1)] as [MeasuredOutage, MeasuredOutage];
  const [atStart, atEnd] = [first.outage.openAtStart ? 0 : ms, last.outage.openAtEnd ? 0 : ms];
  const core = { from: first.firstBadAt + atStart, to: last.lastBadAt - atEnd };
  return {
    ...span,
    outages: span.outages.map((one) => ({
      ...one,
      sure: within(one.sure, core),
      ...(one === first
        ? { goodBeforeAt: Math.min(one.goodBeforeAt, Math.max(seen.from, one.goodBeforeAt - atStart)) }
        : {}),
      ...(one === last ? { goodAfterAt: Math.max(one.goodAfterAt, Math.min(seen.to, one.goodAfterAt + atEnd)) } : {}),
    })),
  };
}

/** So often the good samples that may hide at both ends together are more. */
const missedShare = 0.025;
/** After ten good ones in a row it is another time of trouble. */
const mostSamples = 10;
/**
 * Faster probes look into the steps, which take up to a second where each worker of an ingress controller asks once a
 * second for its endpoints (docs/facts/ingress-nginx.md). Measured with probes 50 to 200 ms apart, so much more is
 * enough.
 */
const stepsMs = 300;
/**
 * Something in front still answers, and may have several workers that learn one after the other what is behind them
 * (RFC 9110, 15.6.3 to 15.6.5).
 */
const statusesInFront: readonly OutageKind[] = ['502', '503', '504'];

/** Further at either end. */
function moreMs(span: Span): number {
  const { outages, bad, samples } = span;
  const steps = outages.some(({ outage }) => outage.edges) ? stepsMs : 0;
  if (outages.length === 1) return isAnsweredInFront(span) ? steps : 0;
  return Math.min(mostSamples, Math.floor(hiddenSamples(bad / samples) / 2)) * millisApart(span) + steps;
}

const isAnsweredInFront = ({ outages }: Span): boolean =>
  outages.some(({ outage }) => outage.kinds.some((kind) => statusesInFront.includes(kind)));

/**
 * The least number that good samples before the first bad one and after the last together exceed by chance at most that
 * often: of trouble in which the share q of the samples is bad there are n or more with the probability (1 + n q) (1 −
 * q)ⁿ.
 */
function hiddenSamples(share: number): number {
  let count = 0;
  while (count < 2 * mostSamples && (1 + count * share) * (1 - share) ** count > missedShare) count += 1;
  return count;
}

/** The mean time between two samples. */
function millisApart({ outages, samples }: Span): number {
  const [first, last] = [outages[0], outages.at(-1)] as [MeasuredOutage, MeasuredOutage];
  return (last.goodAfterAt - first.goodBeforeAt) / (samples + 1);
}
