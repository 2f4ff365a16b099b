import type { Bounded, ShownDowntime } from '../figures/figures.js';

/** Sums over the outages of one target, and what people are shown of them. */
export interface WindowDowntime extends ShownDowntime {
  readonly seconds: number;
  readonly lowerSeconds: number;
  /** Never less than that of the span where only a part of the requests failed. */
  readonly upperSeconds: number;
  /** The part of `seconds` in which answers were only slow. */
  readonly slowSeconds: number;
  /** Good and bad, without unknown ones and those of the edges; so are `bad` and `unknown`. */
  readonly samples: number;
  readonly bad: number;
  /** Unknown ticks: no probe was made, or the prober had trouble. */
  readonly unknown: number;
  /** The time between good samples in which unknown ticks could hide an outage. */
  readonly unknownSeconds: number;
  /** The faster probes that sharpened the bounds; absent without them. */
  readonly edges?: EdgeSamples;
  /**
   * Present if good samples came between bad ones: only a part of the requests failed
   * (docs/decisions/0028-an-outage-of-a-part.md).
   */
  readonly partial?: PartialDowntime;
}

export interface EdgeSamples {
  readonly samples: number;
  readonly bad: number;
}

/** The time in which requests failed, whether or not each of them did, in sums over the window. */
export interface PartialDowntime {
  readonly spanSeconds: number;
  readonly lowerSeconds: number;
  readonly upperSeconds: number;
  /** Of the samples of that time those that were bad, from 0 to 1. */
  readonly share: number;
  /** The 95 % interval of the share. */
  readonly shareLower: number;
  readonly shareUpper: number;
}

/** What a table needs of a downtime. */
export type ShownPart = Bounded & Pick<WindowDowntime, 'slowSeconds' | 'span' | 'share'>;

export const shownPart = ({ seconds, lowerSeconds, upperSeconds, slowSeconds, span, share }: ShownPart): ShownPart => ({
  seconds,
  lowerSeconds,
  upperSeconds,
  slowSeconds,
  span,
  ...(share === undefined ? {} : { share }),
});

type Sums = Omit<WindowDowntime, 'span' | 'share'>;

/** With what people are shown: the span, and the share where only a part of the requests failed. */
export const withSpan = <D extends Pick<Sums, 'seconds' | 'lowerSeconds' | 'upperSeconds' | 'partial'>>(
  downtime: D,
): D & Pick<ShownDowntime, 'span' | 'share'> => ({ ...downtime, ...spanOf(downtime) });

function spanOf({
  seconds,
  lowerSeconds,
  upperSeconds,
  partial,
}: Pick<Sums, 'seconds' | 'lowerSeconds' | 'upperSeconds' | 'partial'>): Pick<ShownDowntime, 'span' | 'share'> {
  if (partial === undefined) return { span: { seconds, lowerSeconds, upperSeconds } };
  return {
    span: { seconds: partial.spanSeconds, lowerSeconds: partial.lowerSeconds, upperSeconds: partial.upperSeconds },
    share: { part: partial.share, lower: partial.shareLower, upper: partial.shareUpper },
  };
}

/** Of several targets or times, one after the other. */
export const sumOfSpans = (spans: readonly Bounded[]): Bounded => {
  const total = (of: (span: Bounded) => number) =>
    Math.round(1000 * spans.reduce((sum, span) => sum + of(span), 0)) / 1000;
  return {
    seconds: total(({ seconds }) => seconds),
    lowerSeconds: total(({ lowerSeconds }) => lowerSeconds),
    upperSeconds: total(({ upperSeconds }) => upperSeconds),
  };
};

interface Spanned {
  readonly spanSeconds: number;
  readonly lowerSeconds: number;
  readonly upperSeconds: number;
}

/** An outage as people see it. */
export const spanOfEpisode = ({ spanSeconds, lowerSeconds, upperSeconds }: Spanned): Bounded => ({
  seconds: spanSeconds,
  lowerSeconds,
  upperSeconds,
});

/** The document of `analyze --json`: each outage as people see it has its span. */
export function withSpans<E extends Spanned, D extends { readonly episodes: readonly E[] }>(
  analysis: D & { readonly episodes: readonly E[] },
): Omit<D, 'episodes'> & { readonly episodes: readonly (E & { readonly span: Bounded })[] } {
  return { ...analysis, episodes: analysis.episodes.map(withSpanOf) };
}

export const withSpanOf = <E extends Spanned>(episode: E): E & { readonly span: Bounded } => ({
  ...episode,
  span: spanOfEpisode(episode),
});
