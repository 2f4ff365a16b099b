import type { DnsAnswer } from '../../host/host.ts';
import type { NameSource } from './observed.ts';

/** What a source told of the name; `untold` is a server that failed, refused or never answered: it says neither. */
export type Presence = 'there' | 'absent' | 'untold';

/** Pure. Absent is only what RFC 2308, section 2 calls a negative answer: "no such name", and "no data". */
export function presence(code: DnsAnswer['code']): Presence {
  if (code === 'NOERROR') return 'there';
  return code === 'NXDOMAIN' || code === 'NODATA' ? 'absent' : 'untold';
}

/** For people. */
export const sourceNames: Readonly<Record<NameSource, string>> = {
  zone: 'the zone',
  authority: 'the authoritative server',
  resolver: 'the resolver',
};
