import type { Cloud, HostedZone, RecordSet } from '../../cloud/cloud.ts';
import { recordNames } from '../../cloud/record-names.ts';
import { OperationError } from '../../host/errors.ts';
import type { Undo } from '../record/undo.ts';
import type { Site } from '../site.ts';
import type { Action } from './action.ts';

export interface DnsRecordTarget {
  readonly name: string;
  readonly zone: string;
}
export interface DnsRecordIntent extends DnsRecordTarget {
  readonly zoneId: string;
  /**
   * The records of the name and the TXT by which external-dns owns them (docs/facts/dns.md, "The ownership registry"):
   * without it external-dns would never update them again.
   */
  readonly original: readonly RecordSet[];
  /** The command with which a person creates them again. */
  readonly byHand: string;
}

const addressTypes = ['A', 'AAAA', 'CNAME'];

/**
 * Deletes the A, AAAA and CNAME records of a name, and the TXT by which external-dns owns them. The undo creates the
 * ones that are still missing, equal in every field; records that somebody else created meanwhile are kept.
 */
export const deleteDnsRecord: Action<DnsRecordTarget, DnsRecordIntent> = {
  name: 'delete-dns-record',
  async prepare(site, target) {
    const cloud = cloudOf(site, target.name);
    const zone = await cloud.zone(target.zone);
    if (zone === undefined) throw trouble(target.name, `there is no public zone ${target.zone}`);
    const original = await readRecords(cloud, zone, target.name);
    if (!original.some(({ type }) => addressTypes.includes(type)))
      throw trouble(target.name, 'the zone has no A, AAAA or CNAME of it');
    refuseRouted(target.name, original);
    return { ...target, zoneId: zone.id, original, byHand: cloud.restoreByHand(zone, original) };
  },
  async perform(site, { name, zone, original }, signal) {
    const changes = original.map((set) => ({ action: 'delete', set }) as const);
    await cloudOf(site, name).change(await zoneOf(site, { name, zone }), changes, signal);
  },
  async verify(site, { name, zone }) {
    const now = await readRecords(cloudOf(site, name), await zoneOf(site, { name, zone }), name);
    const expected = `${name} gone from zone ${zone}`;
    const observed = now.length === 0 ? 'it is' : 'it was, and the DNS automation has made it again';
    return { id: 'record-deleted', expected, outcome: 'met', observed };
  },
  undo: (site, intent) => restore(site, intent),
  subject: ({ name, zone }) => `record ${name} of zone ${zone}`,
  byHand: ({ byHand }) => byHand,
};

function trouble(name: string, reason: string): OperationError {
  return new OperationError({ tried: 'Finding the record', on: name, reason });
}

/**
 * Record sets with a routing policy share the name with other clusters or regions, which would then get all of its
 * traffic.
 */
function refuseRouted(name: string, sets: readonly RecordSet[]): void {
  const routed = sets.filter(({ setIdentifier }) => setIdentifier !== undefined);
  if (routed.length === 0) return;
  const ids = [...new Set(routed.map(({ setIdentifier }) => setIdentifier))].join(', ');
  throw new OperationError({
    tried: 'Finding the record',
    on: name,
    reason: `its record sets have a routing policy (${ids}): others may take traffic by this name, so it is left alone`,
    next: 'validate with a name of its own, without a set identifier, or leave the scenario dns-failure out',
  });
}

function cloudOf({ cloud }: Site, name: string): Cloud {
  if (cloud !== undefined) return cloud;
  throw trouble(name, 'there is no access to the cloud');
}

async function zoneOf(site: Site, { name, zone }: DnsRecordTarget): Promise<HostedZone> {
  const found = await cloudOf(site, name).zone(zone);
  if (found !== undefined) return found;
  throw trouble(name, `there is no public zone ${zone} any more`);
}

async function readRecords(cloud: Cloud, zone: HostedZone, name: string): Promise<readonly RecordSet[]> {
  const sets = await cloud.records(zone, recordNames(name));
  return sets.filter((set) => isOwnership(set) || (set.name === name && addressTypes.includes(set.type)));
}

/**
 * Whether a TXT is one of external-dns' registry (docs/facts/dns.md, "The ownership registry"); others, such as a mail
 * policy, are left alone.
 */
const isOwnership = ({ type, values }: RecordSet): boolean =>
  type === 'TXT' && values.some((value) => value.includes('heritage=external-dns'));

async function restore(site: Site, { name, zone: zoneName, original }: DnsRecordIntent): Promise<Undo> {
  const cloud = cloudOf(site, name);
  const zone = await zoneOf(site, { name, zone: zoneName });
  const all = () => cloud.records(zone, recordNames(name));
  const gone = missing(original, await all());
  if (gone.length > 0)
    await cloud.change(
      zone,
      gone.map((set) => ({ action: 'create', set }) as const),
    );
  const now = await all();
  const stillGone = missing(original, now);
  if (stillGone.length > 0) return { state: 'failed', because: `still gone: ${stillGone.map(textOf).join('; ')}` };
  const others = original.filter((set) => !now.some((other) => isSame(set, other)));
  if (others.length > 0)
    return {
      state: 'kept',
      because: `somebody changed it meanwhile; before the run it was ${others.map(textOf).join('; ')}`,
    };
  return gone.length === 0
    ? { state: 'not-needed', because: 'all of it is there, as it was' }
    : { state: 'undone', because: `${gone.length} record sets are there again, as they were, at every server` };
}

const missing = (original: readonly RecordSet[], now: readonly RecordSet[]): readonly RecordSet[] =>
  original.filter((set) => !now.some(({ name, type }) => name === set.name && type === set.type));

/** The order of the values does not matter. */
const isSame = (one: RecordSet, other: RecordSet): boolean => textOf(one) === textOf(other);
const textOf = ({ name, type, ttlSeconds, values }: RecordSet): string =>
  `${name} ${ttlSeconds ?? 'alias'} ${type} ${values.toSorted().join(' ')}`;

/**
 * Why the record of this name must not be deleted, whatever the zone has; undefined if it may be (docs/facts/dns.md,
 * "Deleting a record").
 */
export function undeletableRecord(name: string, zone: string): string | undefined {
  if (name === zone || name.startsWith('*.')) return `${name} is an apex or a wildcard, which others depend on`;
  return name.endsWith(`.${zone}`) ? undefined : `${name} is not in zone ${zone}`;
}
