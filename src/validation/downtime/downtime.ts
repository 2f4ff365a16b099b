import { boundedText, boundsText, downtimeText } from '../../figures/figures.js';
import type { Outcome } from '../finding.ts';
import type { EdgeSamples, WindowDowntime } from '../window-downtime.ts';
import type { CauseCounts } from './causes.ts';
import type { OutageKind } from './outage-kind.ts';
import type { Stretch } from './stretches.ts';

/**
 * A run of bad samples, and the bounds of its true length (docs/contract.md, "The downtime log"). Instants are ISO
 * 8601.
 */
export interface Outage {
  readonly from: string;
  readonly to: string;
  readonly seconds: number;
  readonly lowerSeconds: number;
  readonly upperSeconds: number;
  /** The number of bad samples; 0 where only the probes of the edges saw it. */
  readonly samples: number;
  readonly kinds: readonly OutageKind[];
  /**
   * What the bad samples say of why: reasons of their lines, and plateaus of their times (docs/monitor.md, "Why").
   * Absent where nothing.
   */
  readonly causes?: readonly string[];
  /** No good sample came before it in the window. */
  readonly openAtStart?: true;
  /** No good sample came after it in the window. */
  readonly openAtEnd?: true;
  /** The probes of the edges sharpened its bounds. */
  readonly edges?: true;
}

/**
 * A time of trouble: an outage, or several with only a few good samples between them, which show that only a part of
 * the requests failed.
 */
export interface Episode {
  readonly from: string;
  readonly to: string;
  readonly spanSeconds: number;
  /** Of the span. */
  readonly lowerSeconds: number;
  readonly upperSeconds: number;
  /** The sum of its outages. */
  readonly badSeconds: number;
  /** The part of them in which answers were only slow. */
  readonly slowSeconds: number;
  readonly outages: number;
  /** Of its samples those that were bad, and the 95 % interval of it; absent where every one was. */
  readonly share?: number;
  readonly shareLower?: number;
  readonly shareUpper?: number;
  /** Bad ones. */
  readonly samples: number;
  readonly kinds: readonly OutageKind[];
  readonly causes?: readonly string[];
  readonly openAtStart?: true;
  readonly openAtEnd?: true;
}

export interface Downtime {
  readonly downtime: WindowDowntime;
  readonly outages: readonly Outage[];
  readonly episodes: readonly Episode[];
  readonly sight: Sight;
}

/** An outage with what its part in a longer time of trouble needs. */
export interface MeasuredOutage {
  readonly outage: Outage;
  readonly firstBadAt: number;
  readonly lastBadAt: number;
  /** The last good sample before it and the first one after it, or the edges of the window. */
  readonly goodBeforeAt: number;
  readonly goodAfterAt: number;
  readonly endedAt: number;
  readonly bad: number;
  /** Good samples of the interval between the outage before and this one. */
  readonly goodSamplesBefore: number;
  /** The same, with those of the edges. */
  readonly goodBefore: number;
  readonly badEdges: number;
  readonly slowMs: number;
  /** What its bad samples say of why, those included that are too few to be told of it alone. */
  readonly causeCounts?: CauseCounts;
  /** When it was down for sure, and when answers were only slow. */
  readonly sure: readonly Stretch[];
  readonly slow: readonly Stretch[];
}

/** When one prober knew what of a target: what several of them are merged by. */
export interface Sight {
  readonly outages: readonly MeasuredOutage[];
  /** Unknown, and no outage that is known reaches into it. */
  readonly blind: readonly Stretch[];
  /** From its first sample to an interval after its last, or the window. */
  readonly seen: Stretch;
  readonly resolutionMs: number;
}

/** Whether there is a sample at all. Without one the downtime is not measured, which is not the same as 0 s. */
export const wasSampled = ({ samples }: WindowDowntime): boolean => samples > 0;

/** For people: what they are shown of downtime, or that nobody looked. */
export const measuredText = (downtime: WindowDowntime): string =>
  wasSampled(downtime) ? downtimeText(downtime) : 'not measured';

/** What only the probes of the edges saw, for people. */
export const edgesText = ({ bad, samples }: EdgeSamples): string =>
  `between the samples ${bad} of ${samples} faster probes failed`;

/**
 * Whether the downtime is at most so many seconds (docs/contract.md, "The downtime log"). Unknown time may have been
 * downtime. Where only a part of the requests failed, traffic is whole again at the end of that time
 * (docs/decisions/0028-an-outage-of-a-part.md).
 */
export function atMost(downtime: WindowDowntime, seconds: number): Outcome {
  const { unknownSeconds, samples, span } = downtime;
  if (span.lowerSeconds > seconds) return 'not-met';
  return samples > 0 && span.upperSeconds + unknownSeconds <= seconds ? 'met' : 'inconclusive';
}

/**
 * The downtime beside a limit: with its bounds where the figure that people are shown does not say on which side it is.
 */
export function besideLimit(downtime: WindowDowntime, limitSeconds: number): string {
  const { span } = downtime;
  const { seconds, lowerSeconds, upperSeconds } = span;
  const text = measuredText(downtime);
  const isOpen = lowerSeconds <= limitSeconds && upperSeconds > limitSeconds;
  const looksLess = lowerSeconds > limitSeconds && Math.round(10 * seconds) <= 10 * limitSeconds;
  const hasBounds = boundedText(span) === boundsText(span);
  return (isOpen || looksLess) && !hasBounds ? `${text} (${boundsText(span)})` : text;
}
