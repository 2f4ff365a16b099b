import type { DnsAnswer, RecordType } from '../../host/host.ts';

/** All values of one name and type. A CNAME has one value. */
export interface RecordSet {
  readonly name: string;
  readonly type: RecordType;
  /** Null for an alias, which has none of its own. */
  readonly ttlSeconds: number | null;
  readonly values: readonly string[];
  /** Where it is an alias of Route 53's own kind: it is answered with what the name in `values` has. */
  readonly alias?: { readonly zoneId: string; readonly evaluatesTargetHealth: boolean };
}

/** A hosted zone as Route 53 keeps it: what was asked for at once, what its servers answer when the change has spread. */
export interface Zone {
  readonly name: string;
  /** Seconds for which a resolver may keep "there is no such name" (RFC 2308, section 5). */
  readonly negativeTtlSeconds: number;
  /** The record sets as they were asked for, by name and type. */
  list(): readonly RecordSet[];
  /** Takes effect at every server at once, some seconds later; answers when, epoch milliseconds. */
  change(changes: readonly RecordChange[]): number;
  /** What an authoritative server answers now. */
  answer(name: string, type: RecordType): DnsAnswer;
  save(): SavedZone;
}
export interface RecordChange {
  readonly action: 'upsert' | 'delete';
  readonly set: RecordSet;
}
export type SavedZone = readonly Version[];

/** `set` is absent where the record set was deleted. */
interface Version {
  readonly key: string;
  readonly visibleAt: number;
  readonly set?: RecordSet;
}

export interface ZoneOptions {
  readonly name: string;
  readonly now: () => number;
  readonly negativeTtlSeconds: number;
  readonly propagationSeconds: () => number;
  /** What the names behind aliases have; nothing without it. */
  readonly behindAlias?: ((name: string, type: RecordType) => DnsAnswer) | undefined;
  readonly saved?: SavedZone | undefined;
}

export function createZone(options: ZoneOptions): Zone {
  const { name, now, negativeTtlSeconds, propagationSeconds, behindAlias = () => noData, saved } = options;
  let versions: readonly Version[] = saved ?? [];
  const current = (at: number) => {
    const sets = new Map<string, RecordSet | undefined>();
    for (const { key, visibleAt, set } of versions) if (visibleAt <= at) sets.set(key, set);
    return [...sets.values()].filter((set) => set !== undefined);
  };
  return {
    name,
    negativeTtlSeconds,
    list: () => current(Number.POSITIVE_INFINITY),
    change: (changes) => {
      const visibleAt = now() + 1000 * propagationSeconds();
      versions = [
        ...versions.filter((version) => !isCovered(version, versions, now())),
        ...changes.map((change) => versionOf(change, visibleAt)),
      ];
      return visibleAt;
    },
    answer: (asked, type) => {
      if (!isWithin(asked, name)) return { code: 'SERVFAIL', records: [] };
      const named = current(now()).filter((set) => set.name === asked);
      const [target] = named.find((set) => set.type === type && set.alias !== undefined)?.values ?? [];
      return target === undefined ? answerFrom(named, type) : throughAlias(behindAlias(target, type));
    },
    save: () => versions,
  };
}

const keyOf = ({ name, type }: RecordSet): string => `${type} ${name}`;

function versionOf({ action, set }: RecordChange, visibleAt: number): Version {
  return action === 'upsert' ? { key: keyOf(set), visibleAt, set } : { key: keyOf(set), visibleAt };
}

/** A later version of the same set is visible already. */
function isCovered(version: Version, versions: readonly Version[], at: number): boolean {
  const later = versions.slice(versions.indexOf(version) + 1);
  return later.some(({ key, visibleAt }) => key === version.key && visibleAt <= at);
}

const noData: DnsAnswer = { code: 'NODATA', records: [] };

/** The name itself is there, whatever is behind it. */
const throughAlias = (answer: DnsAnswer): DnsAnswer => (answer.code === 'NOERROR' ? answer : noData);

function answerFrom(named: readonly RecordSet[], type: RecordType): DnsAnswer {
  const found = named.find((set) => set.type === type) ?? named.find((set) => set.type === 'CNAME');
  if (found === undefined) return { code: named.length === 0 ? 'NXDOMAIN' : 'NODATA', records: [] };
  return {
    code: 'NOERROR',
    records: found.values.map((value) => ({ type: found.type, value, ttlSeconds: found.ttlSeconds ?? 0 })),
  };
}

export const isWithin = (name: string, zone: string): boolean => name === zone || name.endsWith(`.${zone}`);
