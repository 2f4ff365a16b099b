import type { Cloud, RecordSet } from '../../cloud/cloud.ts';
import { OperationError } from '../../host/errors.ts';
import type { Settings } from '../settings.ts';
import type { NameRecord } from './circumstances.ts';

/** The TTL of an alias to a load balancer, which cannot be set (docs/facts/aws.md, "Route 53"). */
export const aliasTtlSeconds = 60;

const addressTypes: readonly string[] = ['A', 'AAAA', 'CNAME'];

/** The records of the application's name in its zone; undefined if there are none, or the cloud does not tell. */
export async function readNameRecord(cloud: Cloud, { url, dns }: Settings): Promise<NameRecord | undefined> {
  try {
    const zone = await cloud.zone(dns.zone);
    return zone && nameRecordOf(await cloud.records(zone, [new URL(url).hostname]));
  } catch (error) {
    if (error instanceof OperationError) return undefined;
    throw error;
  }
}

function nameRecordOf(all: readonly RecordSet[]): NameRecord | undefined {
  const sets = all.filter(({ type }) => addressTypes.includes(type));
  if (sets.length === 0) return undefined;
  return {
    types: sets.map(({ type }) => type),
    isAlias: sets.some(({ alias }) => alias !== undefined),
    ttlSeconds: Math.max(...sets.map(({ ttlSeconds }) => ttlSeconds ?? aliasTtlSeconds)),
  };
}
