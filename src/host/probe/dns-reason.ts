import { isIP } from 'node:net';
import { askServer } from '../dns.ts';

/** The names of RCODEs (IANA, Domain Name System Parameters; RFC 1035, section 4.1.1). */
const rcodes: Readonly<Record<number, string>> = {
  1: 'FORMERR',
  2: 'SERVFAIL',
  3: 'NXDOMAIN',
  4: 'NOTIMP',
  5: 'REFUSED',
};

/** A name server that has no answer after so long is taken for silent: the system's own look-up has failed already. */
const longestSeconds = 1;

/**
 * Why a look-up found no address: the RCODE of the system's first name server, `NODATA` where the name has no such
 * record, or `timeout`. The system's resolver does not tell. Undefined where the name server has an address now, as for
 * a name that is not looked up there.
 */
export async function dnsReason(
  name: string,
  family: 4 | 6 | undefined,
  leftSeconds: number,
): Promise<string | undefined> {
  // An address is not looked up there; it is of the other family.
  if (isIP(name) !== 0) return 'NODATA';
  if (leftSeconds <= 0) return 'timeout';
  const type = family === 6 ? 'AAAA' : 'A';
  const answer = await askServer({ name, type }, Math.min(leftSeconds, longestSeconds)).catch(() => undefined);
  if (answer === undefined) return 'timeout';
  if (answer.rcode !== 0) return rcodes[answer.rcode] ?? `RCODE${answer.rcode}`;
  return answer.records.some((record) => record.type === type) ? undefined : 'NODATA';
}
