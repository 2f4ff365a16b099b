import type { NameSeen, NameSource } from '../observe/observation.ts';
import type { Round, Timed } from '../records.ts';
import type { Evidence } from './measure.ts';

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
  /** From the record's return at the authoritative server until the resolver told it again. */
  readonly resolverTailSeconds: number | null;
  /** From the record's return at the authoritative server until the last client succeeded again. */
  readonly clientTailSeconds: number | null;
  /** Whether every source told in the end what it had told in the beginning; null when one did not tell what that was. */
  readonly restored: boolean | null;
}

type Seen = Timed<NameSeen>;

/** Pure. */
export function measureName({ observed, rounds, outages }: Evidence): NameMeasurement {
  const zone = observed.find((fact) => fact.type === 'zone-read');
  const names = observed.filter((fact): fact is Seen => fact.type === 'name-seen');
  const [healing] = rounds;
  const round = rounds.at(-1);
  const recordTtlSeconds = (byOf(names, 'authority') ?? byOf(names, 'zone'))?.ttlSeconds ?? null;
  const fixed = {
    recordTtlSeconds,
    negativeTtlSeconds: zone?.negativeTtlSeconds ?? null,
    restored: allOf(sources.map((by) => isAsBefore(names.filter((seen) => seen.by === by)))),
  };
  if (healing === undefined || round === undefined) return { ...fixed, ...nothing };
  return { ...fixed, selfHealSeconds: selfHeal(names, healing), ...absence(names, round, outages) };
}

const sources: readonly NameSource[] = ['zone', 'authority', 'resolver'];
const nothing = {
  selfHealSeconds: null,
  authorityGoneSeconds: null,
  resolverGoneSeconds: null,
  resolverTailSeconds: null,
  clientTailSeconds: null,
} as const;

const byOf = (names: readonly Seen[], by: NameSource): Seen | undefined => names.find((seen) => seen.by === by);
const at = ({ at: time }: Seen): number => Date.parse(time);
const isThere = ({ code }: Seen): boolean => code === 'NOERROR';

/** A source that told nothing, or nothing before the record went, is no evidence of a return, nor of none. */
function isAsBefore(seen: readonly Seen[]): boolean | null {
  const [first] = seen;
  const last = seen.at(-1);
  if (first === undefined || last === undefined) return null;
  if (!isThere(last)) return false;
  return isThere(first) ? JSON.stringify(first.values) === JSON.stringify(last.values) : null;
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

function absence(
  names: readonly Seen[],
  { actedAt }: Round,
  outages: Evidence['outages'],
): Omit<typeof nothing, 'selfHealSeconds'> | Record<keyof Omit<typeof nothing, 'selfHealSeconds'>, number | null> {
  const gone = (by: NameSource) => names.find((seen) => seen.by === by && !isThere(seen) && at(seen) >= actedAt);
  const back = (by: NameSource, since: Seen | undefined) =>
    since && names.find((seen) => seen.by === by && isThere(seen) && at(seen) > at(since));
  const [authority, resolver] = [gone('authority'), gone('resolver')];
  const authorityBack = back('authority', authority);
  const resolverBack = back('resolver', resolver);
  const lastEnd = Math.max(...outages.map(({ to }) => Date.parse(to)), Number.NEGATIVE_INFINITY);
  const after = (instant: number | undefined, since: number | undefined) =>
    instant === undefined || since === undefined ? null : Math.max(0, instant - since) / 1000;
  const backAt = authorityBack && at(authorityBack);
  return {
    authorityGoneSeconds: after(authority && at(authority), actedAt),
    resolverGoneSeconds: after(resolver && at(resolver), actedAt),
    resolverTailSeconds: after(resolverBack && at(resolverBack), backAt),
    clientTailSeconds: Number.isFinite(lastEnd) ? after(lastEnd, backAt) : null,
  };
}
