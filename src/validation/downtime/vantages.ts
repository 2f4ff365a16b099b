import { addedCauses } from './causes.ts';
import type { Episode, MeasuredOutage, Outage, Sight } from './downtime.ts';
import { causesIn, episode, spansOf } from './episodes.ts';
import { type Stretch, stretchesWhere, totalMs, within } from './stretches.ts';
import { type VantageRule, vantageVote } from './vantage-rule.ts';

/** One prober of the target, among several. */
export interface Vantage {
  readonly name: string;
  readonly sight: Sight;
}

/** Which probers were down, which were not, and which had no sample meanwhile. */
export interface SeenBy {
  readonly seenBy: readonly string[];
  readonly notSeenBy: readonly string[];
  readonly blind: readonly string[];
}
export type SeenOutage = Outage & SeenBy;
/** Without a share: samples of several probers are no sample of the requests. */
export type SeenEpisode = Omit<Episode, 'share' | 'shareLower' | 'shareUpper'> & SeenBy;

export interface MergedDowntime {
  readonly seconds: number;
  readonly lowerSeconds: number;
  readonly upperSeconds: number;
  readonly slowSeconds: number;
  readonly outages: readonly SeenOutage[];
  readonly episodes: readonly SeenEpisode[];
  /** No prober saw the target. */
  readonly blind: readonly Stretch[];
}

/** The stretches of one prober by how sure they are. */
interface Lists {
  readonly name: string;
  readonly outages: readonly MeasuredOutage[];
  readonly down: readonly Stretch[];
  readonly hardDown: readonly Stretch[];
  readonly surely: readonly Stretch[];
  readonly possibly: readonly Stretch[];
  readonly blind: readonly Stretch[];
}

/**
 * The downtime of one target that several probers saw (docs/decisions/0043-several-vantage-points.md). The rule is
 * asked at each moment: of the outages as they are measured for `seconds`, of what is sure for the lower bound, and of
 * what is possible for the upper one; so the bounds hold whatever the rule.
 */
export function mergedDowntime(vantages: readonly Vantage[], rule: VantageRule, intervalMs: number): MergedDowntime {
  const lists = vantages.map(listsOf);
  const vote = vantageVote(rule, vantages.length);
  const blind = lists.map((one) => one.blind);
  const by = (of: (one: Lists) => readonly Stretch[], counts: (yes: number, blind: number) => boolean) =>
    stretchesWhere([...lists.map(of), ...blind], (inside) =>
      counts(
        inside.slice(0, lists.length).filter(Boolean).length,
        inside.slice(lists.length).filter((isBlind, index) => isBlind && !inside[index]).length,
      ),
    );
  const down = by(({ down }) => down, vote.measured);
  const hardDown = by(({ hardDown }) => hardDown, vote.measured);
  const surely = by(({ surely }) => surely, vote.surely);
  const possibly = by(({ possibly }) => possibly, vote.possibly);
  const merged = possibly.flatMap((bracket): readonly MeasuredOutage[] => {
    const [measured, sure] = [within(down, bracket), within(surely, bracket)];
    return measured.length === 0 ? [] : [outageOf({ bracket, measured, sure, hard: within(hardDown, bracket) }, lists)];
  });
  const sum = (of: (one: MeasuredOutage) => number) =>
    Math.round(merged.reduce((total, one) => total + of(one), 0)) / 1000;
  const episodes = spansOf(merged, intervalMs).map((span) => episodeOf(episode(span, 0), lists));
  return {
    seconds: sum(({ outage }) => 1000 * outage.seconds),
    lowerSeconds: sum(({ outage }) => 1000 * outage.lowerSeconds),
    // Until the end of the span somebody may be down.
    upperSeconds: Math.max(
      sum(({ outage }) => 1000 * outage.upperSeconds),
      ...(episodes.some(({ outages }) => outages > 1) ? [sumOf(episodes)] : []),
    ),
    slowSeconds: sum(({ slowMs }) => slowMs),
    outages: merged.map(({ outage, firstBadAt: from, endedAt: to }) => ({ ...outage, ...seenBy(lists, { from, to }) })),
    episodes,
    blind: stretchesWhere(blind, (inside) => inside.every(Boolean)),
  };
}

const sumOf = (episodes: readonly SeenEpisode[]) =>
  Math.round(episodes.reduce((total, { upperSeconds }) => total + 1000 * upperSeconds, 0)) / 1000;

/**
 * When it was down, as it was measured: never an empty time, though an outage within one second of a log in whole
 * seconds ends when it began.
 */
export const downOf = ({ firstBadAt: from, endedAt }: MeasuredOutage): Stretch => ({
  from,
  to: Math.max(endedAt, from + 1),
});

/** Times in whole seconds are cut off: a moment may be up to one later. */
function listsOf({ name, sight: { outages, blind, seen, resolutionMs } }: Vantage): Lists {
  const down = outages.map(downOf);
  const slow = outages.flatMap((one) => one.slow);
  return {
    name,
    outages,
    down,
    hardDown: stretchesWhere([down, slow], ([isDown, isSlow]) => isDown === true && isSlow !== true),
    surely: outages.flatMap(({ sure }) =>
      sure.flatMap(({ from, to }) => (to - from > resolutionMs ? [{ from: from + resolutionMs, to }] : [])),
    ),
    possibly: outages.map(({ goodBeforeAt: from, goodAfterAt: to }) => ({ from, to: to + resolutionMs })),
    blind: [
      { from: Number.NEGATIVE_INFINITY, to: seen.from },
      ...blind,
      { from: seen.to, to: Number.POSITIVE_INFINITY },
    ],
  };
}

interface Merged {
  readonly bracket: Stretch;
  readonly measured: readonly Stretch[];
  readonly sure: readonly Stretch[];
  readonly hard: readonly Stretch[];
}

/** Outages that may be one are one: their brackets overlap. */
function outageOf({ bracket, measured, sure, hard }: Merged, lists: readonly Lists[]): MeasuredOutage {
  const [firstBadAt, endedAt] = [measured[0]?.from ?? bracket.from, measured.at(-1)?.to ?? bracket.to];
  const parts = lists.flatMap(({ outages }) =>
    outages.filter((one) => within([downOf(one)], { from: firstBadAt, to: endedAt }).length > 0),
  );
  const total = (of: (one: MeasuredOutage) => number) => parts.reduce((sum, one) => sum + of(one), 0);
  const downMs = totalMs(measured);
  const causeCounts = addedCauses(parts.map((one) => one.causeCounts));
  const [openAtStart, openAtEnd] = [
    parts.some(({ outage, firstBadAt: at }) => outage.openAtStart && at === firstBadAt),
    parts.some(({ outage, endedAt: at }) => outage.openAtEnd && at === endedAt),
  ];
  return {
    outage: {
      from: new Date(firstBadAt).toISOString(),
      to: new Date(endedAt).toISOString(),
      seconds: downMs / 1000,
      lowerSeconds: totalMs(sure) / 1000,
      upperSeconds: (bracket.to - bracket.from) / 1000,
      samples: total(({ outage }) => outage.samples),
      kinds: [...new Set(parts.flatMap(({ outage }) => outage.kinds))],
      ...causesIn(parts),
      ...(parts.some(({ outage }) => outage.edges) ? { edges: true } : {}),
      ...(openAtStart ? { openAtStart } : {}),
      ...(openAtEnd ? { openAtEnd } : {}),
    },
    firstBadAt,
    lastBadAt: Math.max(firstBadAt, sure.at(-1)?.to ?? firstBadAt),
    goodBeforeAt: bracket.from,
    goodAfterAt: bracket.to,
    endedAt,
    bad: total((one) => one.bad),
    badEdges: total((one) => one.badEdges),
    // The time between two decides whether they are one episode.
    goodSamplesBefore: 0,
    goodBefore: 0,
    slowMs: downMs - totalMs(hard),
    ...(causeCounts === undefined ? {} : { causeCounts }),
    sure,
    slow: [],
  };
}

function episodeOf(
  { share: _, shareLower: _lower, shareUpper: _upper, ...rest }: Episode,
  lists: readonly Lists[],
): SeenEpisode {
  return { ...rest, ...seenBy(lists, { from: Date.parse(rest.from), to: Date.parse(rest.to) }) };
}

function seenBy(lists: readonly Lists[], outage: Stretch): SeenBy {
  const named = (of: (one: Lists) => boolean) => lists.filter(of).map(({ name }) => name);
  const saw = ({ down }: Lists) => within(down, outage).length > 0;
  const isBlind = ({ blind }: Lists) => totalMs(within(blind, outage)) === outage.to - outage.from;
  return {
    seenBy: named(saw),
    notSeenBy: named((one) => !saw(one) && !isBlind(one)),
    blind: named((one) => !saw(one) && isBlind(one)),
  };
}

/** Ticks in which nobody saw the target, between the first sample and the last. */
export function unseenTicks(blind: readonly Stretch[], of: readonly Vantage[], intervalMs: number): number {
  return unseen(blind, of).reduce((sum, one) => sum + Math.max(1, Math.round(totalMs([one]) / intervalMs) - 1), 0);
}

export function unseen(blind: readonly Stretch[], of: readonly Vantage[]): readonly Stretch[] {
  const seen = of.map(({ sight }) => sight.seen);
  return within(blind, {
    from: Math.min(...seen.map(({ from }) => from)),
    to: Math.max(...seen.map(({ to }) => to)),
  });
}
