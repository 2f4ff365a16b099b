import type { PartialDowntime } from '../window-downtime.ts';

/** An outage for its part in a longer time of trouble. Instants are epoch milliseconds. */
export interface OutageSpan {
  readonly firstBadAt: number;
  readonly lastBadAt: number;
  /** The last good sample before it and the first one after it, or the edges of the window. */
  readonly goodBeforeAt: number;
  readonly goodAfterAt: number;
  readonly endedAt: number;
  readonly bad: number;
  /** Good samples between the outage before and this one. */
  readonly goodSamplesBefore: number;
}

/**
 * Outages that are fewer good samples apart are one time of trouble. Where half of the requests fail, ten good ones in a row come by chance
 * once in a thousand times (docs/decisions/0028-an-outage-of-a-part.md).
 */
const goodSamplesApart = 10;

/** The span and the share of the outages; undefined if each of them stands alone, so that every request failed while it lasted. */
export function partialDowntime(
  outages: readonly OutageSpan[],
  { intervalMs, resolutionMs }: { readonly intervalMs: number; readonly resolutionMs: number },
): PartialDowntime | undefined {
  const spans = joined(outages, goodSamplesApart * intervalMs);
  if (spans.length === outages.length) return undefined;
  const total = (of: (span: Span) => number): number =>
    Math.round(spans.reduce((sum, span) => sum + of(span), 0)) / 1000;
  const [bad, samples] = [total(({ bad }) => bad), total(({ samples }) => samples)];
  return {
    spanSeconds: total(({ first, last }) => last.endedAt - first.firstBadAt),
    lowerSeconds: total(({ first, last }) => Math.max(0, last.lastBadAt - first.firstBadAt - resolutionMs)),
    upperSeconds: total(({ first, last }) => last.goodAfterAt - first.goodBeforeAt + resolutionMs),
    share: Math.round((1000 * bad) / samples) / 1000,
  };
}

interface Span {
  readonly first: OutageSpan;
  last: OutageSpan;
  bad: number;
  samples: number;
}

function joined(outages: readonly OutageSpan[], apartMs: number): readonly Span[] {
  const spans: Span[] = [];
  for (const outage of outages) {
    const { bad, goodSamplesBefore, firstBadAt } = outage;
    const span = spans.at(-1);
    const near = goodSamplesBefore < goodSamplesApart && span !== undefined && firstBadAt - span.last.endedAt < apartMs;
    if (near) {
      span.last = outage;
      span.bad += bad;
      span.samples += goodSamplesBefore + bad;
    } else spans.push({ first: outage, last: outage, bad, samples: bad });
  }
  return spans;
}
