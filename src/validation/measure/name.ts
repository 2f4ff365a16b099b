import type { NameSeen, NameSource } from '../record/observed.ts';
import { presence } from '../record/presence.ts';
import type { Round, Timed } from '../record/records.ts';
import type { Evidence } from './evidence.ts';

/** How the application's name went and came back. Seconds; null for what was not seen. */
export interface NameMeasurement {
  readonly recordTtlSeconds: number | null;
  /** How long a resolver may keep "no such name" (RFC 2308, section 5). */
  readonly negativeTtlSeconds: number | null;
  /** First round: from the deletion until the DNS automation had made the record again. */
  readonly selfHealSeconds: number | null;
  /** Last round: from the deletion until the authoritative server, and the resolver, had no answer any more. */
  readonly authorityGoneSeconds: number | null;
  readonly resolverGoneSeconds: number | null;
  /** Who told the record's return: the zone, which says what was asked for, only where the authoritative server did not tell. */
  readonly returnSeenBy: NameSource | null;
  /** From the record's return until the resolver told it again, for good. */
  readonly resolverTailSeconds: number | null;
  /** From the record's return until the last client succeeded again. */
  readonly clientTailSeconds: number | null;
  /** Whether every source told in the end what it had told in the beginning; null when the zone or the resolver did not tell both. */
  readonly restored: boolean | null;
  /** Those that did not tell both. */
  readonly untold: readonly NameSource[];
}

type Seen = Timed<NameSeen>;

/** Pure. */
export function measureName({ observed, rounds, outages }: Evidence): NameMeasurement {
  const zone = observed.find((fact) => fact.type === 'zone-read');
  const names = observed.filter((fact): fact is Seen => fact.type === 'name-seen');
  const [healing] = rounds;
  const round = rounds.at(-1);
  const fixed = {
    recordTtlSeconds: (firstOf(names, 'authority') ?? firstOf(names, 'zone'))?.ttlSeconds ?? null,
    negativeTtlSeconds: zone?.negativeTtlSeconds ?? null,
    ...restoration(names, healing?.actedAt ?? Number.POSITIVE_INFINITY),
  };
  if (healing === undefined || round === undefined) return { ...fixed, ...nothing };
  return { ...fixed, selfHealSeconds: selfHeal(names, healing), ...absence(names, round, outages) };
}

const sources: readonly NameSource[] = ['zone', 'authority', 'resolver'];
type Absence = Omit<NameMeasurement, 'recordTtlSeconds' | 'negativeTtlSeconds' | 'selfHealSeconds' | keyof Restoration>;
const nothing: Absence & Pick<NameMeasurement, 'selfHealSeconds'> = {
  selfHealSeconds: null,
  authorityGoneSeconds: null,
  resolverGoneSeconds: null,
  returnSeenBy: null,
  resolverTailSeconds: null,
  clientTailSeconds: null,
};

const at = ({ at: time }: Seen): number => Date.parse(time);
const isThere = ({ code }: Seen): boolean => presence(code) === 'there';
const isAbsent = ({ code }: Seen): boolean => presence(code) === 'absent';
const firstOf = (names: readonly Seen[], by: NameSource): Seen | undefined =>
  names.find((seen) => seen.by === by && isThere(seen));

type Restoration = Pick<NameMeasurement, 'restored' | 'untold'>;

/**
 * The authoritative server's silence leaves nothing open: the zone tells what all of its servers have, and the resolver has it from
 * one of them. What it does tell counts.
 */
function restoration(names: readonly Seen[], actedAt: number): Restoration {
  // Route 53 answers for an alias with the addresses of a load balancer, which change by themselves.
  const isAlias = firstOf(names, 'zone')?.alias === true;
  const found = sources.map((by) => {
    const seen = names.filter((one) => one.by === by);
    return { by, asBefore: isAsBefore(seen, actedAt, isAlias && by !== 'zone' ? () => '' : contentsOf) };
  });
  const needed = found.filter(({ by, asBefore }) => by !== 'authority' || asBefore !== null);
  return {
    restored: allOf(needed.map(({ asBefore }) => asBefore)),
    untold: found.filter(({ asBefore }) => asBefore === null).map(({ by }) => by),
  };
}

const contentsOf = ({ values, alias }: Seen): string => JSON.stringify([values, alias]);

/** A source that told nothing before the record went, or nothing in the end, is no evidence of a return, nor of none. */
function isAsBefore(seen: readonly Seen[], actedAt: number, textOf: (seen: Seen) => string): boolean | null {
  const first = seen.find((one) => isThere(one) || isAbsent(one));
  const last = seen.at(-1);
  if (first === undefined || last === undefined) return null;
  if (isAbsent(last)) return false;
  if (!isThere(last) || !isThere(first) || at(first) > actedAt) return null;
  return textOf(first) === textOf(last);
}

/** One that is not decides, then one that is not known. */
function allOf(parts: readonly (boolean | null)[]): boolean | null {
  if (parts.includes(false)) return false;
  return parts.includes(null) ? null : true;
}

/** The zone tells at once what was asked for; it is read every few seconds, so a return can be seen without the absence. */
function selfHeal(names: readonly Seen[], { actedAt, restAt }: Round): number | null {
  const back = names.find((seen) => seen.by === 'zone' && isThere(seen) && at(seen) > actedAt && at(seen) <= restAt);
  return back === undefined ? null : (at(back) - actedAt) / 1000;
}

function absence(names: readonly Seen[], { actedAt }: Round, outages: Evidence['outages']): Absence {
  const by = (source: NameSource) => names.filter((seen) => seen.by === source && at(seen) >= actedAt);
  const [authority, resolver] = [by('authority'), by('resolver')];
  const back = returnOf(authority) ?? returnOf(by('zone'));
  const backAt = back && at(back);
  const resolverBack = returnOf(resolver, backAt);
  const lastEnd = Math.max(...outages.map(({ to }) => Date.parse(to)), Number.NEGATIVE_INFINITY);
  const after = (instant: number | undefined, since: number | undefined) =>
    instant === undefined || since === undefined ? null : Math.max(0, instant - since) / 1000;
  const goneAfter = (seen: readonly Seen[]) => {
    const gone = seen.find(isAbsent);
    return after(gone && at(gone), actedAt);
  };
  return {
    authorityGoneSeconds: goneAfter(authority),
    resolverGoneSeconds: goneAfter(resolver),
    returnSeenBy: back?.by ?? null,
    resolverTailSeconds: after(resolverBack && at(resolverBack), backAt),
    clientTailSeconds: Number.isFinite(lastEnd) ? after(lastEnd, backAt) : null,
  };
}

/**
 * The first answer after the last absence that still stood at that instant, or came later: the caches of one resolver forget one after
 * the other, so that it tells now this and now that.
 */
function returnOf(seen: readonly Seen[], instant = Number.NEGATIVE_INFINITY): Seen | undefined {
  const lastAbsence = seen.findLastIndex(isAbsent);
  if (lastAbsence === -1) return undefined;
  const after = seen.slice(lastAbsence + 1);
  return after.find((one, index) => {
    const next = after[index + 1];
    return isThere(one) && (next === undefined || at(next) > instant);
  });
}
