export type RecordType = 'A' | 'AAAA' | 'CNAME' | 'TXT';
export interface DnsQuery {
  readonly name: string;
  readonly type: RecordType;
  /** `address` or `address:port` of the server to ask; absent: the cluster's resolver. */
  readonly server?: string;
}
export interface DnsAnswer {
  readonly code: 'NOERROR' | 'NXDOMAIN' | 'NODATA' | 'SERVFAIL' | 'TIMEOUT';
  readonly records: readonly { readonly type: RecordType; readonly value: string; readonly ttlSeconds: number }[];
}
