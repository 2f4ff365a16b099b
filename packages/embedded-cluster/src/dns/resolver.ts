import type { DnsAnswer, RecordType } from '../outside/dns.ts';
import { isWithin, type Zone } from './zone.ts';

/**
 * A recursive resolver with a cache: answers are cached for their TTL, negative answers for the zone's negative TTL
 * (RFC 2308).
 */
export interface Resolver {
  readonly resolve: (name: string, type: RecordType) => Resolved;
}
export interface Resolved {
  readonly answer: DnsAnswer;
  /** Whether the whole answer came from the cache. */
  readonly cached: boolean;
}

/** What a resolver needs of an authoritative server. */
export type Authority = Pick<Zone, 'name' | 'answer' | 'negativeTtlSeconds'>;

/** Instants in epoch milliseconds. */
interface CacheEntry {
  readonly answer: DnsAnswer;
  readonly cachedAt: number;
  readonly expiresAt: number;
}

/** A longer chain of CNAME records is taken for a loop. */
const longestChain = 8;

export function createResolver(zones: readonly Authority[], now: () => number): Resolver {
  const cache = new Map<string, CacheEntry>();
  const lookUp = (name: string, type: RecordType): Resolved => {
    const entry = cache.get(`${type} ${name}`);
    if (entry !== undefined && now() < entry.expiresAt) return { answer: withRemainingTtl(entry, now()), cached: true };
    const zone = zones.find((candidate) => isWithin(name, candidate.name));
    const answer = zone?.answer(name, type) ?? { code: 'NXDOMAIN' as const, records: [] };
    const ttlSeconds =
      answer.records.length > 0
        ? Math.min(...answer.records.map((record) => record.ttlSeconds))
        : (zone?.negativeTtlSeconds ?? 0);
    cache.set(`${type} ${name}`, { answer, cachedAt: now(), expiresAt: now() + 1000 * ttlSeconds });
    return { answer, cached: false };
  };
  return { resolve: (name, type) => followAliases(lookUp, name, type) };
}

/** Follows CNAME records until one name has records of the wanted type. */
function followAliases(lookUp: (name: string, type: RecordType) => Resolved, name: string, type: RecordType): Resolved {
  let records: DnsAnswer['records'] = [];
  let cached = true;
  let current = name;
  for (let step = 0; step < longestChain; step += 1) {
    const found = lookUp(current, type);
    cached &&= found.cached;
    records = [...records, ...found.answer.records];
    const alias = found.answer.records.find((record) => record.type === 'CNAME');
    if (alias === undefined || type === 'CNAME') return { answer: { code: found.answer.code, records }, cached };
    current = alias.value;
  }
  return { answer: { code: 'SERVFAIL', records: [] }, cached };
}

function withRemainingTtl({ answer, cachedAt }: CacheEntry, at: number): DnsAnswer {
  const ageSeconds = Math.floor((at - cachedAt) / 1000);
  return {
    ...answer,
    records: answer.records.map((record) => ({ ...record, ttlSeconds: record.ttlSeconds - ageSeconds })),
  };
}
