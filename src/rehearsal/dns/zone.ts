import type { DnsAnswer, RecordType } from '../../host/host.ts';

/** All values of one name and type. A CNAME has one value. */
export interface RecordSet {
  readonly name: string;
  readonly type: RecordType;
  readonly ttlSeconds: number;
  readonly values: readonly string[];
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
  readonly saved?: SavedZone | undefined;
}

export function createZone({ name, now, negativeTtlSeconds, propagationSeconds, saved }: ZoneOptions): Zone {
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
    answer: (asked, type) => answerFrom(current(now()), name, asked, type),
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

function answerFrom(sets: readonly RecordSet[], zone: string, name: string, type: RecordType): DnsAnswer {
  if (!isWithin(name, zone)) return { code: 'SERVFAIL', records: [] };
  const named = sets.filter((set) => set.name === name);
  const found = named.find((set) => set.type === type) ?? named.find((set) => set.type === 'CNAME');
  if (found === undefined) return { code: named.length === 0 ? 'NXDOMAIN' : 'NODATA', records: [] };
  return {
    code: 'NOERROR',
    records: found.values.map((value) => ({ type: found.type, value, ttlSeconds: found.ttlSeconds })),
  };
}

export const isWithin = (name: string, zone: string): boolean => name === zone || name.endsWith(`.${zone}`);
