import type { DnsAnswer } from '../../host/host.ts';
/** The journal's words for it, without their time. */
export type Observed = NameSeen | ZoneRead | CpuSeen | CpuNotMeasured;

/** Who was asked for the name: the cloud's API, an authoritative server of the zone, or the resolver that clients use. */
export type NameSource = 'zone' | 'authority' | 'resolver';

export interface NameSeen {
  readonly type: 'name-seen';
  readonly by: NameSource;
  readonly code: DnsAnswer['code'];
  /** Sorted. */
  readonly values: readonly string[];
  /** Of the name's own record, as that source told it; null where it told none. */
  readonly ttlSeconds: number | null;
  /** Said by the zone only: the record is an alias of Route 53's own kind, to what `values` names. */
  readonly alias?: true;
}

export interface ZoneRead {
  readonly type: 'zone-read';
  readonly zone: string;
  /** The address of the authoritative server that is asked; null where none was found. */
  readonly authority: string | null;
  /** How long a resolver may keep "no such name" (RFC 2308, section 5). */
  readonly negativeTtlSeconds: number;
}

export interface CpuSeen {
  readonly type: 'cpu-seen';
  /** End of the window over which the usage was averaged, epoch milliseconds. */
  readonly measuredAt: number;
  /** The longest of the pods' windows; not there in journals of earlier versions, nor where it cannot be read. */
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
