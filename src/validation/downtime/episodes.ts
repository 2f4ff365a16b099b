import type { PartialDowntime } from '../window-downtime.ts';
import { addedCauses, causesOf } from './causes.ts';
import type { Episode, MeasuredOutage } from './downtime.ts';
import { shareOf } from './share.ts';
import { totalMs } from './stretches.ts';

/**
 * Outages that are fewer good samples apart are one time of trouble. Where half of the requests fail, ten good ones in
 * a row come by chance once in a thousand times (docs/decisions/0028-an-outage-of-a-part.md).
 */
export const goodSamplesApart = 10;

/** Outages of one time of trouble, and the samples in it. */
export interface Span {
  readonly outages: MeasuredOutage[];
  bad: number;
  samples: number;
}

export function spansOf(outages: readonly MeasuredOutage[], intervalMs: number): readonly Span[] {
  const spans: Span[] = [];
  for (const outage of outages) {
    const { bad, goodSamplesBefore, goodBefore, firstBadAt } = outage;
    const span = spans.at(-1);
    const endedAt = span?.outages.at(-1)?.endedAt ?? Number.NEGATIVE_INFINITY;
    const near = goodSamplesBefore < goodSamplesApart && firstBadAt - endedAt < goodSamplesApart * intervalMs;
    if (near && span !== undefined) {
      span.outages.push(outage);
      span.bad += bad;
      span.samples += goodBefore + bad;
    } else spans.push({ outages: [outage], bad, samples: bad });
  }
  return spans;
}

/**
 * What people call an outage: from its first bad sample to the first good one after its last, whether or not every
 * request failed.
 */
export function episode({ outages, bad, samples }: Span, resolutionMs: number): Episode {
  const [first, last] = [outages[0], outages.at(-1)] as [MeasuredOutage, MeasuredOutage];
  const total = (of: (outage: MeasuredOutage) => number) => Math.round(outages.reduce((sum, one) => sum + of(one), 0));
  const isWhole = outages.length === 1;
  const { share, lower, upper } = shareOf(bad, samples);
  const spanMs = last.endedAt - first.firstBadAt;
  return {
    from: first.outage.from,
    to: last.outage.to,
    spanSeconds: spanMs / 1000,
    lowerSeconds:
      (isWhole ? sureMs(first, resolutionMs) : sinceMs(last.lastBadAt - first.firstBadAt, resolutionMs)) / 1000,
    upperSeconds: (last.goodAfterAt - first.goodBeforeAt + resolutionMs) / 1000,
    badSeconds: total(({ outage }) => outage.seconds * 1000) / 1000,
    slowSeconds: total(({ slowMs }) => slowMs) / 1000,
    outages: outages.length,
    samples: outages.reduce((sum, { outage }) => sum + outage.samples, 0),
    ...(isWhole ? {} : { share, shareLower: lower, shareUpper: upper }),
    // There may be very many whole ones, which need no copies.
    kinds: isWhole ? first.outage.kinds : [...new Set(outages.flatMap(({ outage }) => outage.kinds))],
    ...(isWhole ? causesOfOne(first) : causesIn(outages)),
    ...(first.outage.openAtStart ? { openAtStart: true } : {}),
    ...(last.outage.openAtEnd ? { openAtEnd: true } : {}),
  };
}

const sinceMs = (ms: number, resolutionMs: number): number => Math.max(0, ms - resolutionMs);

/** For so long it was down for sure. */
export const sureMs = ({ sure }: MeasuredOutage, resolutionMs: number): number => sinceMs(totalMs(sure), resolutionMs);

const causesOfOne = ({ outage: { causes } }: MeasuredOutage) => (causes === undefined ? {} : { causes });

/**
 * Of several outages, each cause once; absent where there is none. What is too little in each of them may be enough in
 * all.
 */
export function causesIn(outages: readonly MeasuredOutage[]): { readonly causes?: readonly string[] } {
  const counts = addedCauses(outages.map(({ causeCounts }) => causeCounts)) ?? new Map();
  const bad = outages.reduce((sum, one) => sum + one.bad, 0);
  const causes = [...new Set([...outages.flatMap(({ outage }) => outage.causes ?? []), ...causesOf(counts, bad)])];
  return causes.length === 0 ? {} : { causes };
}

/**
 * The span and the share of the outages; undefined if each of them stands alone, so that every request failed while it
 * lasted.
 */
export function partialDowntime(spans: readonly Span[], episodes: readonly Episode[]): PartialDowntime | undefined {
  if (episodes.every(({ outages }) => outages === 1)) return undefined;
  const total = (of: (one: Episode) => number) =>
    Math.round(1000 * episodes.reduce((sum, one) => sum + of(one), 0)) / 1000;
  const count = (of: (span: Span) => number) => spans.reduce((sum, span) => sum + of(span), 0);
  const { share, lower, upper } = shareOf(
    count(({ bad }) => bad),
    count(({ samples }) => samples),
  );
  return {
    spanSeconds: total(({ spanSeconds }) => spanSeconds),
    lowerSeconds: total(({ lowerSeconds }) => lowerSeconds),
    upperSeconds: total(({ upperSeconds }) => upperSeconds),
    share,
    shareLower: lower,
    shareUpper: upper,
  };
}
