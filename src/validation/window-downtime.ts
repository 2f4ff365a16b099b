/** Sums over the outages of one target. */
export interface WindowDowntime {
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
  /** Present if good samples came between bad ones: only a part of the requests failed (docs/decisions/0028-an-outage-of-a-part.md). */
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
