import type { RecordType } from '../host/host.ts';

/**
 * The requests that the product makes to the cloud beneath a cluster. A failure is an `OperationError` with the cloud's
 * own message.
 */
export interface Cloud {
  /** The instance of a Node's `spec.providerID`; undefined if there is none, or none any more. */
  instance(providerId: string): Promise<Instance | undefined>;
  /**
   * Requests the termination of these instances of one region at once, without waiting for it: they end within seconds
   * to minutes.
   */
  terminate(providerIds: readonly string[]): Promise<void>;
  /** The public zone of that name; undefined if this account has none. */
  zone(name: string): Promise<HostedZone | undefined>;
  /** Every record set of these names, complete. */
  records(zone: HostedZone, names: readonly string[]): Promise<readonly RecordSet[]>;
  /** Makes all changes or none. Resolves when every authoritative server has them; the signal ends only the waiting. */
  change(zone: HostedZone, changes: readonly RecordChange[], signal?: AbortSignal): Promise<void>;
  /** The shell command with which a person creates these sets again. */
  restoreByHand(zone: HostedZone, sets: readonly RecordSet[]): string;
}

export interface Instance {
  readonly id: string;
  readonly state: 'pending' | 'running' | 'shutting-down' | 'terminated' | 'stopping' | 'stopped';
  readonly tags: Readonly<Record<string, string>>;
}

export interface HostedZone {
  readonly id: string;
  readonly name: string;
  /** The names of its authoritative servers. */
  readonly nameServers: readonly string[];
  /** How long a resolver may cache NXDOMAIN: the lesser of the SOA's TTL and its minimum (RFC 2308, section 5). */
  readonly negativeTtlSeconds: number;
}

/** All values of one name and type, and of one set identifier if there is one. */
export interface RecordSet {
  readonly name: string;
  readonly type: RecordType | 'NS' | 'SOA' | string;
  /** Null for an alias, which has no TTL of its own. */
  readonly ttlSeconds: number | null;
  readonly values: readonly string[];
  /** Present for an alias of Route 53. */
  readonly alias?: { readonly zoneId: string; readonly name: string; readonly evaluatesTargetHealth: boolean };
  /** Present if a routing policy chooses among several sets of this name and type. */
  readonly setIdentifier?: string;
  /** Every field as the cloud stores it, for restoring it. */
  readonly whole: string;
}
export interface RecordChange {
  readonly action: 'create' | 'delete';
  readonly set: Pick<RecordSet, 'whole'>;
}
