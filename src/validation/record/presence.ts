import type { DnsAnswer } from '../../host/host.ts';
import type { NameSource } from './observed.ts';

/** Whether a source has the name; `unknown` if the server failed, refused or did not answer. */
export type Presence = 'present' | 'absent' | 'unknown';

/** Absent is only a negative answer by RFC 2308, section 2: "no such name" or "no data". */
export function presence(code: DnsAnswer['code']): Presence {
  if (code === 'NOERROR') return 'present';
  return code === 'NXDOMAIN' || code === 'NODATA' ? 'absent' : 'unknown';
}

/** The sources' names for people. */
export const sourceNames: Readonly<Record<NameSource, string>> = {
  zone: 'the zone',
  authority: 'the authoritative server',
  resolver: 'the resolver',
};
