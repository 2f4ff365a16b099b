import type { Outcome } from '../finding.ts';
import type { OutageKind } from './outage-kind.ts';

/** Contract section 3: a run of bad samples. The bounds hold whatever the samples could not see. */
export interface Outage {
  readonly from: string;
  readonly to: string;
  readonly seconds: number;
  readonly lowerSeconds: number;
  readonly upperSeconds: number;
  /** The bad ones. */
  readonly samples: number;
  readonly kinds: readonly OutageKind[];
  /** No good sample came before it in what was looked at. */
  readonly openAtStart?: true;
  /** No good sample came after it in what was looked at. */
  readonly openAtEnd?: true;
}

/** Sums over the outages of one target. */
export interface WindowDowntime {
  readonly seconds: number;
  readonly lowerSeconds: number;
  readonly upperSeconds: number;
  /** The part of `seconds` in which answers came, slowly. */
  readonly slowSeconds: number;
  /** Known ones, good and bad. */
  readonly samples: number;
  readonly bad: number;
  /** Ticks of which nothing is known: missed, or the machine's own trouble. */
  readonly unknown: number;
  /** Time outside the outages, between good samples, in which unknown ticks could hide one. */
  readonly unknownSeconds: number;
}

export interface Downtime {
  readonly downtime: WindowDowntime;
  readonly outages: readonly Outage[];
}

/** Pure. Whether anybody looked at all: without a sample there is no figure, and zero seconds would be one. */
export const wasSampled = ({ samples }: WindowDowntime): boolean => samples > 0;

/** Pure. The seconds in words. */
export const downtimeText = (downtime: WindowDowntime): string =>
  wasSampled(downtime) ? `${downtime.seconds} s` : 'not measured';

/** Pure. The seconds and their bounds in words. */
export const boundedText = (downtime: WindowDowntime): string =>
  wasSampled(downtime)
    ? `${downtime.seconds} s (${downtime.lowerSeconds} to ${downtime.upperSeconds} s)`
    : downtimeText(downtime);

/** "≤ X seconds" (contract section 3); what nobody saw may have been downtime. */
export function atMost(
  { lowerSeconds, upperSeconds, unknownSeconds, samples }: WindowDowntime,
  seconds: number,
): Outcome {
  if (lowerSeconds > seconds) return 'not-met';
  return samples > 0 && upperSeconds + unknownSeconds <= seconds ? 'met' : 'inconclusive';
}
