import type { DnsAnswer, RecordType } from '../outside/dns.ts';

/** All values of one name and type. A CNAME has one value. */
export interface RecordSet {
  readonly name: string;
  readonly type: RecordType;
  /** Null for an alias record, which has no TTL of its own. */
  readonly ttlSeconds: number | null;
  readonly values: readonly string[];
  /** For a Route 53 alias record: it is answered with the addresses of the name in `values`. */
  readonly alias?: { readonly zoneId: string; readonly evaluatesTargetHealth: boolean };
}

/**
 * A Route 53 hosted zone: the API shows a change at once, the authoritative servers answer with it once it has
 * propagated.
 */
export interface Zone {
  readonly name: string;
  /** How long a resolver may cache a negative answer (RFC 2308, section 5). */
  readonly negativeTtlSeconds: number;
  readonly startOfAuthority: StartOfAuthority;
  /** The record sets as the API shows them. */
  list(): readonly RecordSet[];
  /** Makes the changes; all servers answer with them from the returned instant on (epoch milliseconds). */
  change(changes: readonly RecordChange[]): number;
  /** The answer of an authoritative server now. */
  answer(name: string, type: RecordType): DnsAnswer;
  save(): SavedZone;
}
/** The numbers of an SOA record (RFC 1035, 3.3.13) besides its minimum, which is the negative TTL. */
export interface StartOfAuthority {
  readonly mailbox: string;
  readonly serial: number;
  readonly refreshSeconds: number;
  readonly retrySeconds: number;
  readonly expireSeconds: number;
  readonly ttlSeconds: number;
}

/**
 * Of every hosted zone (Amazon Route 53 Developer Guide, "NS and SOA records that Amazon Route 53 creates for a public
 * hosted zone").
 */
const startOfAuthority: StartOfAuthority = {
  mailbox: 'awsdns-hostmaster.amazon.com',
  serial: 1,
  refreshSeconds: 7200,
  retrySeconds: 900,
  expireSeconds: 1_209_600,
  ttlSeconds: 900,
};

export interface RecordChange {
  readonly action: 'upsert' | 'delete';
  readonly set: RecordSet;
}
export type SavedZone = readonly Version[];

/** One change of a record set; `set` is absent where it was deleted. */
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
  /** Answers for the target of an alias record; without it such a target has no records. */
  readonly resolveAlias?: ((name: string, type: RecordType) => DnsAnswer) | undefined;
  readonly saved?: SavedZone | undefined;
}

export function createZone(options: ZoneOptions): Zone {
  const { name, now, negativeTtlSeconds, propagationSeconds, resolveAlias = () => noData, saved } = options;
  let versions: readonly Version[] = saved ?? [];
  const current = (at: number) => {
    const sets = new Map<string, RecordSet | undefined>();
    for (const { key, visibleAt, set } of versions) if (visibleAt <= at) sets.set(key, set);
    return [...sets.values()].filter((set) => set !== undefined);
  };
  return {
    name,
    negativeTtlSeconds,
    startOfAuthority,
    list: () => current(Number.POSITIVE_INFINITY),
    change: (changes) => {
      const visibleAt = now() + 1000 * propagationSeconds();
      versions = [
        ...versions.filter((version) => !isSuperseded(version, versions, now())),
        ...changes.map((change) => versionOf(change, visibleAt)),
      ];
      return visibleAt;
    },
    answer: (wanted, type) => {
      if (!isWithin(wanted, name)) return { code: 'SERVFAIL', records: [] };
      const named = current(now()).filter((set) => set.name === wanted);
      const [target] = named.find((set) => set.type === type && set.alias !== undefined)?.values ?? [];
      return target === undefined ? answerFrom(named, type) : throughAlias(resolveAlias(target, type));
    },
    save: () => versions,
  };
}

const keyOf = ({ name, type }: RecordSet): string => `${type} ${name}`;

function versionOf({ action, set }: RecordChange, visibleAt: number): Version {
  return action === 'upsert' ? { key: keyOf(set), visibleAt, set } : { key: keyOf(set), visibleAt };
}

/** Whether the servers already answer with a later version of the same record set. */
function isSuperseded(version: Version, versions: readonly Version[], at: number): boolean {
  const later = versions.slice(versions.indexOf(version) + 1);
  return later.some(({ key, visibleAt }) => key === version.key && visibleAt <= at);
}

const noData: DnsAnswer = { code: 'NODATA', records: [] };

/** The alias itself exists, so a missing target is NODATA and never NXDOMAIN. */
const throughAlias = (answer: DnsAnswer): DnsAnswer => (answer.code === 'NOERROR' ? answer : noData);

function answerFrom(named: readonly RecordSet[], type: RecordType): DnsAnswer {
  const found = named.find((set) => set.type === type) ?? named.find((set) => set.type === 'CNAME');
  if (found === undefined) return { code: named.length === 0 ? 'NXDOMAIN' : 'NODATA', records: [] };
  return {
    code: 'NOERROR',
    records: found.values.map((value) => ({ type: found.type, value, ttlSeconds: found.ttlSeconds ?? 0 })),
  };
}

/** Whether the zone is the name itself or a parent of it. */
export const isWithin = (name: string, zone: string): boolean => name === zone || name.endsWith(`.${zone}`);
