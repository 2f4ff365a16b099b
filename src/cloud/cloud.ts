import type { RecordType } from '../host/host.ts';

/** What is done to the cloud beneath a cluster, and no more. Trouble is an `OperationError` with the cloud's own words. */
export interface Cloud {
  /** By a Node's `spec.providerID`; undefined when there is none, or none any more. */
  instance(providerId: string): Promise<Instance | undefined>;
  /** Asked for, not awaited: the instance ends by itself within seconds to minutes. */
  terminate(providerId: string): Promise<void>;
  /** The public zone of that name; undefined when this account has none. */
  zone(name: string): Promise<HostedZone | undefined>;
  /** Every record set of these names, whole. */
  records(zone: HostedZone, names: readonly string[]): Promise<readonly RecordSet[]>;
  /** All of it or nothing. Returns when every authoritative server has it; the signal ends only the waiting. */
  change(zone: HostedZone, changes: readonly RecordChange[], signal?: AbortSignal): Promise<void>;
}

export interface Instance {
  readonly id: string;
  readonly state: 'pending' | 'running' | 'shutting-down' | 'terminated' | 'stopping' | 'stopped';
  readonly tags: Readonly<Record<string, string>>;
}

export interface HostedZone {
  readonly id: string;
  readonly name: string;
  /** Names of its authoritative servers. */
  readonly nameServers: readonly string[];
  /** How long a resolver may keep "no such name": the lesser of the SOA's TTL and its minimum (RFC 2308, section 5). */
  readonly negativeTtlSeconds: number;
}

/** All values of one name and type, and of one set identifier where they have one. */
export interface RecordSet {
  readonly name: string;
  readonly type: RecordType | 'NS' | 'SOA' | string;
  /** Null for an alias, which has none of its own. */
  readonly ttlSeconds: number | null;
  readonly values: readonly string[];
  /** Where it is an alias of Route 53's own kind. */
  readonly alias?: { readonly zoneId: string; readonly name: string; readonly evaluatesTargetHealth: boolean };
  /** Where it is one of several of its name and type, among which a routing policy chooses. */
  readonly setIdentifier?: string;
  /** As the cloud keeps it, every field of it: what is given back to restore it. */
  readonly whole: string;
}
export interface RecordChange {
  readonly action: 'create' | 'delete';
  readonly set: Pick<RecordSet, 'whole'>;
}
