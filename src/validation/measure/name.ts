import type { NameSeen, NameSource } from '../record/observed.ts';
import { presence } from '../record/presence.ts';
import type { Round, Timed } from '../record/records.ts';
import type { Evidence } from './evidence.ts';

/** How the application's DNS name disappeared and returned. Seconds; null for what was not observed. */
export interface NameMeasurement {
  readonly recordTtlSeconds: number | null;
  /** How long a resolver may keep "no such name" (RFC 2308, section 5). */
  readonly negativeTtlSeconds: number | null;
  /** First round: from the deletion until the DNS automation had created the record again. */
  readonly selfHealSeconds: number | null;
  /** Last round: from the deletion until the authoritative server, or the resolver, had no answer any more. */
  readonly authorityGoneSeconds: number | null;
  readonly resolverGoneSeconds: number | null;
  /**
   * Which source showed the record's return: the zone only if the authoritative server did not, because the zone shows
   * a change before it is served.
   */
  readonly returnSeenBy: NameSource | null;
  /** From the record's return until the resolver had it again for good. */
  readonly resolverTailSeconds: number | null;
  /** From the record's return until the last client succeeded again. */
  readonly clientTailSeconds: number | null;
  /**
   * Whether every source had the same record at the end as at the start; null if the zone or the resolver did not
   * answer at both.
   */
  readonly restored: boolean | null;
  /** The sources that did not answer at both. */
  readonly untold: readonly NameSource[];
}

type Answer = Timed<NameSeen>;

export function measureName({ observed, rounds, outages }: Evidence): NameMeasurement {
  const zone = observed.find((fact) => fact.type === 'zone-read');
  const names = observed.filter((fact): fact is Answer => fact.type === 'name-seen');
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

const at = ({ at: time }: Answer): number => Date.parse(time);
const isPresent = ({ code }: Answer): boolean => presence(code) === 'present';
const isAbsent = ({ code }: Answer): boolean => presence(code) === 'absent';
const firstOf = (names: readonly Answer[], by: NameSource): Answer | undefined =>
  names.find((answer) => answer.by === by && isPresent(answer));

type Restoration = Pick<NameMeasurement, 'restored' | 'untold'>;

/**
 * The authoritative server's answers count, but are not needed: the zone has what all of its servers have, and the
 * resolver has it from one of them.
 */
function restoration(names: readonly Answer[], actedAt: number): Restoration {
  // Route 53 answers for an alias with the addresses of a load balancer, which change by themselves.
  const isAlias = firstOf(names, 'zone')?.alias === true;
  const found = sources.map((by) => {
    const answers = names.filter((one) => one.by === by);
    return { by, asBefore: isAsBefore(answers, actedAt, isAlias && by !== 'zone' ? () => '' : contentsOf) };
  });
  const needed = found.filter(({ by, asBefore }) => by !== 'authority' || asBefore !== null);
  return {
    restored: allOf(needed.map(({ asBefore }) => asBefore)),
    untold: found.filter(({ asBefore }) => asBefore === null).map(({ by }) => by),
  };
}

const contentsOf = ({ values, alias }: Answer): string => JSON.stringify([values, alias]);

/**
 * Null for a source without an answer before the deletion or at the end: it shows neither a return nor the lack of one.
 */
function isAsBefore(answers: readonly Answer[], actedAt: number, textOf: (answer: Answer) => string): boolean | null {
  const first = answers.find((one) => isPresent(one) || isAbsent(one));
  const last = answers.at(-1);
  if (first === undefined || last === undefined) return null;
  if (isAbsent(last)) return false;
  if (!isPresent(last) || !isPresent(first) || at(first) > actedAt) return null;
  return textOf(first) === textOf(last);
}

/** False if one part is false, else null if one is unknown. */
function allOf(parts: readonly (boolean | null)[]): boolean | null {
  if (parts.includes(false)) return false;
  return parts.includes(null) ? null : true;
}

/**
 * The zone shows a change at once, but it is read only every few seconds, so a return may be observed without the
 * absence.
 */
function selfHeal(names: readonly Answer[], { actedAt, restAt }: Round): number | null {
  const back = names.find(
    (answer) => answer.by === 'zone' && isPresent(answer) && at(answer) > actedAt && at(answer) <= restAt,
  );
  return back === undefined ? null : (at(back) - actedAt) / 1000;
}

function absence(names: readonly Answer[], { actedAt }: Round, outages: Evidence['outages']): Absence {
  const by = (source: NameSource) => names.filter((answer) => answer.by === source && at(answer) >= actedAt);
  const [authority, resolver] = [by('authority'), by('resolver')];
  const back = returnOf(authority) ?? returnOf(by('zone'));
  const backAt = back && at(back);
  const resolverBack = returnOf(resolver, backAt);
  const lastEnd = Math.max(...outages.map(({ to }) => Date.parse(to)), Number.NEGATIVE_INFINITY);
  const after = (instant: number | undefined, since: number | undefined) =>
    instant === undefined || since === undefined ? null : Math.max(0, instant - since) / 1000;
  const goneAfter = (answers: readonly Answer[]) => {
    const gone = answers.find(isAbsent);
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
 * The first answer after the last absence that was still the newest answer at that instant, or came later. The caches
 * of one resolver expire at different times, so its answers may alternate.
 */
function returnOf(answers: readonly Answer[], instant = Number.NEGATIVE_INFINITY): Answer | undefined {
  const lastAbsence = answers.findLastIndex(isAbsent);
  if (lastAbsence === -1) return undefined;
  const after = answers.slice(lastAbsence + 1);
  return after.find((one, index) => {
    const next = after[index + 1];
    return isPresent(one) && (next === undefined || at(next) > instant);
  });
}
