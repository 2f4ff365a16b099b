import type { DnsAnswer } from '../../host/host.ts';

/** The facts in the journal about what was observed besides the cluster, without their time. */
export type Observed = NameSeen | ZoneRead | CpuSeen | CpuNotMeasured;

/**
 * Who was asked for the name: the cloud's API for the zone, an authoritative server of the zone, or the resolver that
 * clients use.
 */
export type NameSource = 'zone' | 'authority' | 'resolver';

export interface NameSeen {
  readonly type: 'name-seen';
  readonly by: NameSource;
  readonly code: DnsAnswer['code'];
  /** Sorted. */
  readonly values: readonly string[];
  /** Of the name's own record, in the source's answer; null if it had none. */
  readonly ttlSeconds: number | null;
  /** From the zone only: the record is a Route 53 alias to `values`. */
  readonly alias?: true;
}

export interface ZoneRead {
  readonly type: 'zone-read';
  readonly zone: string;
  /** The address of the authoritative server that is asked; null if none was found. */
  readonly authority: string | null;
  /** How long a resolver may keep "no such name" (RFC 2308, section 5). */
  readonly negativeTtlSeconds: number;
}

export interface CpuSeen {
  readonly type: 'cpu-seen';
  /** End of the window over which the usage was averaged, epoch milliseconds. */
  readonly measuredAt: number;
  /** The longest of the pods' windows; absent in journals of earlier versions, and if it could not be read. */
  readonly windowSeconds?: number;
  readonly pods: readonly PodCpu[];
}

export interface PodCpu {
  readonly name: string;
  readonly millicores: number;
  /** Null without a limit. */
  readonly limitMillicores: number | null;
}

export interface CpuNotMeasured {
  readonly type: 'cpu-not-measured';
  readonly because: string;
}
