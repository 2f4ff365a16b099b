import { type Availability, availabilityOf } from '../validation/downtime/certainty.ts';
import type { Downtime, Sight } from '../validation/downtime/downtime.ts';
import { type Stretch, totalMs, within } from '../validation/downtime/stretches.ts';

/** A day of UTC of one target. */
export interface Day {
  /** `2026-11-20` */
  readonly date: string;
  /** Null where nothing was seen of it. */
  readonly availability: Availability | null;
  readonly downtime: { readonly lowerSeconds: number; readonly upperSeconds: number };
  readonly unknownSeconds: number;
}

const dayMs = 24 * 3600 * 1000;

/** So many days up to the one of that instant, the oldest first. */
export function daysOf(sight: Sight, lastAt: number, count: number): readonly Day[] {
  const end = Math.floor(lastAt / dayMs) * dayMs + dayMs;
  return Array.from({ length: count }, (_, index) => {
    const from = end - (count - index) * dayMs;
    return dayOf(sight, { from, to: from + dayMs });
  });
}

/** Of all these days together. */
export function availabilityWithin(sight: Sight, lastAt: number, count: number): Availability | null {
  const end = Math.floor(lastAt / dayMs) * dayMs + dayMs;
  return dayOf(sight, { from: end - count * dayMs, to: end }).availability;
}

function dayOf({ outages, blind, seen }: Sight, span: Stretch): Day {
  const seconds = (stretches: readonly Stretch[]) => totalMs(within(stretches, span)) / 1000;
  const seenSeconds = seconds([seen]);
  const lowerSeconds = outages.reduce((sum, { sure }) => sum + seconds(sure), 0);
  const upperSeconds = outages.reduce(
    (sum, { goodBeforeAt, goodAfterAt }) => sum + seconds([{ from: goodBeforeAt, to: goodAfterAt }]),
    0,
  );
  const unknownSeconds = seconds(blind);
  return {
    date: new Date(span.from).toISOString().slice(0, 10),
    availability:
      seenSeconds > 0 ? availabilityOf([{ seenSeconds, lowerSeconds, upperSeconds, unknownSeconds }]) : null,
    downtime: { lowerSeconds, upperSeconds },
    unknownSeconds,
  };
}

/** Of a target on the status page. */
export interface TargetStatus {
  readonly target: string;
  /** Of its last sample. */
  readonly isUp: boolean;
  readonly lastAt: number;
  readonly availability: Availability | null;
  readonly days: readonly Day[];
  /** The newest first, of these days alone. */
  readonly episodes: Downtime['episodes'];
}

/** What a log shows of a target in so many days up to that instant. */
export function targetStatus(
  target: string,
  { sight, episodes }: Pick<Downtime, 'sight' | 'episodes'>,
  lastAt: number,
  count: number,
): TargetStatus {
  const days = daysOf(sight, lastAt, count);
  const first = days[0]?.date ?? '';
  return {
    target,
    isUp: episodes.at(-1)?.openAtEnd !== true,
    lastAt: sight.seen.to,
    availability: availabilityWithin(sight, lastAt, count),
    days,
    episodes: episodes.filter(({ to }) => to.slice(0, 10) >= first).toReversed(),
  };
}
