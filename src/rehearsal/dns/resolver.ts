import type { DnsAnswer, RecordType } from '../../host/host.ts';
import { isWithin, type Zone } from './zone.ts';

/** A recursive resolver with its cache: answers are kept for their TTL, "no such name" for the zone's negative TTL. */
export interface Resolver {
  readonly resolve: (name: string, type: RecordType) => Resolved;
}
export interface Resolved {
  readonly answer: DnsAnswer;
  /** It was in the cache. */
  readonly cached: boolean;
}

/** What a resolver needs of whoever answers for a domain. */
export type Authority = Pick<Zone, 'name' | 'answer' | 'negativeTtlSeconds'>;

interface Kept {
  readonly answer: DnsAnswer;
  readonly keptAt: number;
  readonly untilAt: number;
}

/** A chain of more aliases than this is taken for a loop. */
const longestChain = 8;

export function createResolver(zones: readonly Authority[], now: () => number): Resolver {
  const cache = new Map<string, Kept>();
  const ask = (name: string, type: RecordType): Resolved => {
    const kept = cache.get(`${type} ${name}`);
    if (kept !== undefined && now() < kept.untilAt) return { answer: aged(kept, now()), cached: true };
    const zone = zones.find((candidate) => isWithin(name, candidate.name));
    const answer = zone?.answer(name, type) ?? { code: 'NXDOMAIN' as const, records: [] };
    const ttl =
      answer.records.length > 0
        ? Math.min(...answer.records.map((record) => record.ttlSeconds))
        : (zone?.negativeTtlSeconds ?? 0);
    cache.set(`${type} ${name}`, { answer, keptAt: now(), untilAt: now() + 1000 * ttl });
    return { answer, cached: false };
  };
  return { resolve: (name, type) => follow(ask, name, type) };
}

/** From alias to alias, until something of the wanted type is there. */
function follow(ask: (name: string, type: RecordType) => Resolved, name: string, type: RecordType): Resolved {
  let records: DnsAnswer['records'] = [];
  let cached = true;
  let asked = name;
  for (let step = 0; step < longestChain; step += 1) {
    const found = ask(asked, type);
    cached &&= found.cached;
    records = [...records, ...found.answer.records];
    const alias = found.answer.records.find((record) => record.type === 'CNAME');
    if (alias === undefined || type === 'CNAME') return { answer: { code: found.answer.code, records }, cached };
    asked = alias.value;
  }
  return { answer: { code: 'SERVFAIL', records: [] }, cached };
}

function aged({ answer, keptAt }: Kept, at: number): DnsAnswer {
  const passed = Math.floor((at - keptAt) / 1000);
  return {
    ...answer,
    records: answer.records.map((record) => ({ ...record, ttlSeconds: record.ttlSeconds - passed })),
  };
}
