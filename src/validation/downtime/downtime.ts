import type { Outcome } from '../finding.ts';
import type { EdgeSamples, PartialDowntime, WindowDowntime } from '../window-downtime.ts';
import type { CauseCounts } from './causes.ts';
import type { OutageKind } from './outage-kind.ts';
import type { Stretch } from './stretches.ts';

/** A run of bad samples, and the bounds of its true length (docs/contract.md, "The downtime log"). Instants are ISO 8601. */
export interface Outage {
  readonly from: string;
  readonly to: string;
  readonly seconds: number;
  readonly lowerSeconds: number;
  readonly upperSeconds: number;
  /** The number of bad samples; 0 where only the probes of the edges saw it. */
  readonly samples: number;
  readonly kinds: readonly OutageKind[];
  /** What the bad samples say of why: reasons of their lines, and plateaus of their times (docs/monitor.md, "Why"). Absent where nothing. */
  readonly causes?: readonly string[];
  /** No good sample came before it in the window. */
  readonly openAtStart?: true;
  /** No good sample came after it in the window. */
  readonly openAtEnd?: true;
  /** The probes of the edges sharpened its bounds. */
  readonly edges?: true;
}

/** A time of trouble: an outage, or several with only a few good samples between them, which show that only a part of the requests failed. */
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

/** The seconds, and how many of them were slow, for people. */
export const downtimeText = (downtime: WindowDowntime): string =>
  wasSampled(downtime) ? `${tenthsText(downtime.seconds)}${slowText(downtime)}` : 'not measured';

/** For people: no number of the log is known better than to a tenth of a second. */
export const tenths = (seconds: number): number => Math.round(10 * seconds) / 10;

/** The same with the unit; what is not zero is not told as zero. */
export const tenthsText = (seconds: number): string =>
  seconds > 0 && tenths(seconds) === 0 ? '< 0.1 s' : `${tenths(seconds)} s`;

/** ` (slow 9.6 s)`: a slow answer is not a failed one, so its part of a downtime is told; empty if there is none. */
export const slowText = ({ slowSeconds }: Pick<WindowDowntime, 'slowSeconds'>): string =>
  slowSeconds === 0 ? '' : ` (slow ${tenthsText(slowSeconds)})`;

/** `47.2 to 49.5 s`, as the result table rounds them. */
export const boundsText = ({
  lowerSeconds,
  upperSeconds,
}: Pick<WindowDowntime, 'lowerSeconds' | 'upperSeconds'>): string =>
  `${tenths(lowerSeconds)} to ${tenthsText(upperSeconds)}`;

/** What only the probes of the edges saw, for people. */
export const edgesText = ({ bad, samples }: EdgeSamples): string =>
  `between the samples ${bad} of ${samples} faster probes failed`;

/** The seconds and their bounds, for people. */
export const boundedText = (downtime: WindowDowntime): string =>
  wasSampled(downtime)
    ? `${tenthsText(downtime.seconds)} (${boundsText(downtime)})${slowText(downtime)}${partialText(downtime)}`
    : downtimeText(downtime);

/** `, 47 % of the requests in 49.4 s (48 to 51 s)`; empty if all of them failed. */
export const partialText = ({ partial }: WindowDowntime): string =>
  partial === undefined
    ? ''
    : `, ${shareText(partial)} of the requests in ${tenths(partial.spanSeconds)} s (${boundsText(partial)})`;

/** `47 % (40 to 54 %)`: the share and its 95 % interval, which is not said where it is less than a percent. */
export const shareText = ({
  share,
  shareLower,
  shareUpper,
}: Pick<PartialDowntime, 'share' | 'shareLower' | 'shareUpper'>): string => {
  const percent = (value: number) => Math.round(100 * value);
  const [least, most] = [percent(shareLower), percent(shareUpper)];
  return least === most ? `${percent(share)} %` : `${percent(share)} % (${least} to ${most} %)`;
};

/**
 * Whether the downtime is at most so many seconds (docs/contract.md, "The downtime log"). Unknown time may have been downtime. Where only a
 * part of the requests failed, traffic is whole again at the end of that time (docs/decisions/0028-an-outage-of-a-part.md).
 */
export function atMost(downtime: WindowDowntime, seconds: number): Outcome {
  const { unknownSeconds, samples, partial } = downtime;
  const { lowerSeconds, upperSeconds } = partial ?? downtime;
  if (lowerSeconds > seconds) return 'not-met';
  return samples > 0 && upperSeconds + unknownSeconds <= seconds ? 'met' : 'inconclusive';
}
