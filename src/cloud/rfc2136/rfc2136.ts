import { readName, recordTypes } from '../../host/dns-message.ts';
import type { Host, RecordType } from '../../host/host.ts';
import type { Cloud, HostedZone, RecordChange } from '../cloud.ts';
import { ask, type NameServerAccess } from './ask.ts';
import { inSync, serialOf } from './in-sync.ts';
import { classes, opcodes, types, type WireRecord } from './message.ts';
import { recordSet, recordsOf } from './record-set.ts';

/**
 * Types that a scenario may remove and restore: the addresses of a name, and the TXT by which external-dns owns them.
 */
const restorable: readonly RecordType[] = ['A', 'AAAA', 'CNAME', 'TXT'];

/**
 * A zone that is changed by dynamic updates (RFC 2136), each signed by a key (RFC 8945), as external-dns' provider
 * `rfc2136` does.
 */
export function rfc2136(
  host: Pick<Host, 'exchange' | 'clock' | 'random' | 'resolve' | 'files'>,
  access: NameServerAccess,
): Pick<Cloud, 'zone' | 'records' | 'change' | 'restoreByHand'> {
  const query = async (name: string, type: number) =>
    ask(host, access, { opcode: opcodes.query, question: { name, type } });
  return {
    zone: (name) => findZone(query, name),
    async records(_zone, names) {
      const each = names.flatMap((name) => restorable.map((type) => ({ name, type })));
      const sets = await Promise.all(
        each.map(async ({ name, type }) => {
          const { answers } = await query(name, recordTypes[type]);
          return recordSet(name, type, ofName(answers, name, recordTypes[type]));
        }),
      );
      return sets.filter((set) => set !== undefined);
    },
    async change(zone, changes, signal) {
      const parts = changes.map(partOf);
      await ask(host, access, {
        opcode: opcodes.update,
        question: { name: zone.name, type: types.SOA },
        prerequisites: parts.flatMap(({ prerequisites }) => prerequisites),
        updates: parts.flatMap(({ updates }) => updates),
      });
      const { answers } = await query(zone.name, types.SOA);
      const [soa] = ofName(answers, zone.name, types.SOA);
      if (soa !== undefined) await inSync(host, zone, serialOf(soa.data), signal);
    },
    restoreByHand: ({ name }, sets) => {
      const adds = sets.flatMap((set) =>
        set.values.map((value) => `update add ${set.name} ${set.ttlSeconds} ${set.type} ${value}`),
      );
      const lines = [`server ${access.server.replace(/:(\d+)$/, ' $1')}`, `zone ${name}`, ...adds, 'send'];
      return `printf '%s\\n' ${lines.map((line) => `'${line.replaceAll("'", String.raw`'\''`)}'`).join(' ')} | nsupdate -k ${access.keyFile}`;
    },
  };
}

type Query = (
  name: string,
  type: number,
) => Promise<{ readonly authoritative: boolean; readonly answers: readonly WireRecord[] }>;

async function findZone(query: Query, name: string): Promise<HostedZone | undefined> {
  const { authoritative, answers } = await query(name, types.SOA);
  const [soa] = ofName(answers, name, types.SOA);
  if (!authoritative || soa === undefined) return undefined;
  const servers = ofName((await query(name, types.NS)).answers, name, types.NS);
  const nameServers = servers.map(({ data }) => readName(data, 0).name);
  // The last field of the SOA record is its minimum (RFC 2308, section 5).
  const negativeTtlSeconds = Math.min(soa.ttlSeconds, soa.data.readUInt32BE(soa.data.length - 4));
  return { id: name, name, nameServers, negativeTtlSeconds };
}

const ofName = (records: readonly WireRecord[], name: string, type: number): readonly WireRecord[] =>
  records.filter((record) => record.type === type && record.name.toLowerCase() === name.toLowerCase());

/**
 * As with Route 53, a set is deleted only as it was read, and created only where there is none: the prerequisites of
 * RFC 2136, sections 2.4.2 and 2.4.3.
 */
function partOf({ action, set }: RecordChange): {
  readonly prerequisites: readonly WireRecord[];
  readonly updates: readonly WireRecord[];
} {
  const records = recordsOf(set);
  if (action === 'delete') {
    const prerequisites = records.map((record) => ({ ...record, ttlSeconds: 0 }));
    const updates = records.map((record) => ({ ...record, class: classes.NONE, ttlSeconds: 0 }));
    return { prerequisites, updates };
  }
  const absent = records
    .slice(0, 1)
    .map((record) => ({ ...record, class: classes.NONE, ttlSeconds: 0, data: Buffer.alloc(0) }));
  return { prerequisites: absent, updates: records };
}
