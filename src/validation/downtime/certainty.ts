import type { Understood } from '../downtime-log/unread-lines.ts';

/** More than a twentieth: what was not understood, or is not known, may hide an outage. */
export const usualShare = 0.05;

/** Why a log does not show whether there was an outage: so much of it is not understood, or unknown. From 0 to 1. */
export type Doubt = { readonly unread: number } | { readonly unknown: number };

/** Of an analysis. */
export interface Judgeable {
  readonly log: { readonly samples: number; readonly unknown: number };
  readonly unread: Unread;
  readonly outages: readonly unknown[];
}

/**
 * Undefined where the log can be judged. An outage that was seen is one, unless `mostUnknown` says how much may be
 * unknown beside it.
 */
export function doubtOf({ log, unread, outages }: Judgeable, mostUnknown?: number): Doubt | undefined {
  const ofLines = unread.lines / Math.max(1, unread.ofLines);
  if (ofLines > usualShare) return { unread: ofLines };
  const unknown = log.unknown / Math.max(1, log.samples + log.unknown);
  const isJudged = mostUnknown !== undefined || outages.length === 0;
  return isJudged && unknown > (mostUnknown ?? usualShare) ? { unknown } : undefined;
}

/** How many lines were not understood, and the first of them. */
export interface Unread {
  readonly lines: number;
  /** All but empty ones and those that begin with `#`. */
  readonly ofLines: number;
  readonly first: string | null;
}

export const unreadOf = ({ unread: lines, lines: ofLines, first }: Understood): Unread => ({
  lines,
  ofLines,
  first: first ?? null,
});

/** Of several logs together. */
export function unreadOfAll(all: readonly Understood[]): Unread {
  const sum = (of: (one: Understood) => number) => all.reduce((total, one) => total + of(one), 0);
  const first = all.find((one) => one.first !== undefined)?.first ?? null;
  return { lines: sum((one) => one.unread), ofLines: sum((one) => one.lines), first };
}

/**
 * Per cent of the time in which the target was up, from what is sure to what is possible: time of which nothing is
 * known may be either.
 */
export interface Availability {
  readonly lower: number;
  readonly upper: number;
}

/** What is summed over targets. */
export interface Seen {
  readonly seenSeconds: number;
  readonly lowerSeconds: number;
  readonly upperSeconds: number;
  readonly unknownSeconds: number;
}

/** Rounded to a thousandth of a per cent, outwards. */
const steps = 1000;

export function availabilityOf(all: readonly Seen[]): Availability {
  const sum = (of: (one: Seen) => number) => all.reduce((total, one) => total + of(one), 0);
  const whole = sum(({ seenSeconds }) => seenSeconds);
  const up = (down: number) => (whole > 0 ? Math.min(1, Math.max(0, 1 - down / whole)) : 1);
  const lower = up(sum(({ upperSeconds, unknownSeconds }) => upperSeconds + unknownSeconds));
  const upper = up(sum(({ lowerSeconds }) => lowerSeconds));
  return { lower: rounded(Math.floor, lower), upper: rounded(Math.ceil, upper) };
}

/** What differs from a step by less is on it, because seconds are added up in binary fractions. */
const rounded = (round: (value: number) => number, share: number): number =>
  round(Math.round(1e6 * 100 * steps * share) / 1e6) / steps;

/** `99.2 to 99.4 %`, or one figure where both are the same. */
export const availabilityText = ({ lower, upper }: Availability): string =>
  lower === upper ? `${lower} %` : `${lower} to ${upper} %`;
