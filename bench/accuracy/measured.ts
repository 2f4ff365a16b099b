import { type Caused, trueSeconds } from './faulty-site.ts';
import type { RivalSample } from './rivals.ts';

/** A stretch of downtime, as a prober tells it. */
export interface Measured {
  /** Which of several of the same kind. */
  readonly prober: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly seconds: number;
  readonly bounds?: readonly [lowerSeconds: number, upperSeconds: number];
}

/** One program, once or several times at phases of its own. */
export interface Prober {
  readonly name: string;
  readonly probers: number;
  readonly end: () => Promise<readonly Measured[]>;
}

/** What one prober told of one outage. */
export interface Case {
  readonly outage: Caused;
  readonly trueSeconds: number;
  /** 0 where it saw nothing. */
  readonly seconds: number;
  readonly error: number;
  readonly seen: boolean;
  /** Whether the truth is between its bounds; absent without bounds, or where nothing was seen. */
  readonly held?: boolean;
}

/** What is reported until the next outage begins is of this one. */
export function casesOf(
  prober: Pick<Prober, 'probers'>,
  told: readonly Measured[],
  all: readonly Caused[],
): readonly Case[] {
  return all.flatMap((outage, index) => {
    const until = all[index + 1]?.began[0] ?? Number.POSITIVE_INFINITY;
    const ofIt = told.filter(({ at }) => at >= outage.began[0] - earlyMs && at < until - earlyMs);
    return Array.from({ length: prober.probers }, (_, which) =>
      caseOf(
        outage,
        ofIt.filter((one) => one.prober === which),
      ),
    );
  });
}
/** Times that a rival does not tell are those at which its line was read. */
const earlyMs = 100;

function caseOf(outage: Caused, told: readonly Measured[]): Case {
  const sum = (of: (one: Measured) => number) => told.reduce((total, one) => total + of(one), 0);
  const [seconds, real] = [sum((one) => one.seconds), trueSeconds(outage)];
  const bounded = told.length > 0 && told.every(({ bounds }) => bounds !== undefined);
  const [shortest, longest] = [outage.ended[0] - outage.began[1], outage.ended[1] - outage.began[0]];
  const held =
    sum(({ bounds }) => bounds?.[0] ?? 0) * 1000 <= longest && sum(({ bounds }) => bounds?.[1] ?? 0) * 1000 >= shortest;
  return {
    outage,
    trueSeconds: real,
    seconds,
    error: seconds - real,
    seen: told.length > 0,
    ...(bounded ? { held } : {}),
  };
}

/** Each bad probe stands for its interval. */
export const badTimesInterval = (samples: readonly RivalSample[], prober: number): readonly Measured[] =>
  samples.filter(({ good }) => !good).map(({ at }) => ({ prober, at, seconds: 1 }));

/** From each first bad probe to the next good one. */
export function firstBadToNextGood(samples: readonly RivalSample[], prober: number): readonly Measured[] {
  const told: Measured[] = [];
  let badAt: number | undefined;
  for (const { at, good } of samples.toSorted((a, b) => a.at - b.at)) {
    if (!good) badAt ??= at;
    else if (badAt !== undefined) {
      told.push({ prober, at: badAt, seconds: (at - badAt) / 1000 });
      badAt = undefined;
    }
  }
  return told;
}
