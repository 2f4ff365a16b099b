import { OperationError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import type { Cloud, HostedZone, RecordChange, RecordSet } from '../cloud.ts';
import { type AwsAccess, type AwsRequest, ask, refused } from './request.ts';
import { type Element, readXml } from './xml.ts';

/** Route 53's REST API, version 2013-04-01: https://docs.aws.amazon.com/Route53/latest/APIReference/ */
export function route53(
  host: Pick<Host, 'http' | 'clock'>,
  access: AwsAccess,
): Pick<Cloud, 'zone' | 'records' | 'change' | 'restoreByHand'> {
  const call = async (
    tried: string,
    on: string,
    rest: Pick<AwsRequest, 'method' | 'path' | 'body'>,
  ): Promise<string> => {
    const headers = rest.body === undefined ? {} : { 'content-type': 'application/xml' };
    const path = `/2013-04-01${rest.path}`;
    const answer = await ask(host, access, {
      tried,
      on,
      service: 'route53',
      region: 'us-east-1',
      headers,
      ...rest,
      path,
    });
    if (answer.status >= 400) throw refused({ tried, on }, answer);
    return answer.xml;
  };
  const api: Api = { clock: host.clock, call };
  return {
    zone: (name) => findZone(api, name),
    records: async ({ id }, names) => (await Promise.all(names.map((name) => recordsOf(api, id, name)))).flat(),
    change: (zone, changes, signal) => change(api, zone, changes, signal),
    restoreByHand,
  };
}

interface Api {
  readonly clock: Host['clock'];
  /** The XML of the response. */
  readonly call: (tried: string, on: string, rest: Pick<AwsRequest, 'method' | 'path' | 'body'>) => Promise<string>;
}

async function findZone(api: Api, name: string): Promise<HostedZone | undefined> {
  const query = new URLSearchParams({ dnsname: name });
  const xml = await api.call('ListHostedZonesByName', name, { method: 'GET', path: `/hostedzonesbyname?${query}` });
  const zones = readXml(xml).one('HostedZones').all('HostedZone');
  const ours = zones.filter((zone) => plain(zone.text('Name')) === name && !isPrivate(zone));
  if (ours.length > 1)
    throw new OperationError({
      tried: 'Finding the zone',
      on: name,
      reason: `there are ${ours.length} public zones of this name, and only one can be meant`,
    });
  const [zone] = ours;
  if (zone === undefined) return undefined;
  const id = bareId(zone.text('Id'));
  const apex = await recordsOf(api, id, name);
  const find = (type: string) => apex.find((set) => set.type === type);
  const soa = find('SOA');
  if (soa === undefined)
    throw new OperationError({ tried: 'Reading the zone', on: name, reason: 'it has no SOA record' });
  const nameServers = (find('NS')?.values ?? []).map(plain);
  return { id, name, nameServers, negativeTtlSeconds: negativeTtl(soa) };
}

/**
 * Answers name an object `/change/C1`, `/hostedzone/Z1` or, as the documented answer of GetChange, `C1`; requests take
 * the last part.
 */
const bareId = (id: string): string => id.replace(/^.*\//, '');
const isPrivate = (zone: Element): boolean => zone.one('Config').text('PrivateZone') === 'true';
/** The name without its final dot. */
const plain = (name: string): string => name.replace(/\.$/, '');

/** The last field of the SOA record is its minimum. */
function negativeTtl({ values: [text = ''], ttlSeconds }: RecordSet): number {
  return Math.min(ttlSeconds ?? Number.POSITIVE_INFINITY, Number(text.split(' ').at(-1)));
}

/**
 * One page is enough: a name has at most some dozens of record sets, also with weights. Route 53 lists from a name on,
 * so other names follow.
 */
async function recordsOf({ call }: Api, zoneId: string, name: string): Promise<readonly RecordSet[]> {
  const query = new URLSearchParams({ name, maxitems: '100' });
  const path = `/hostedzone/${zoneId}/rrset?${query}`;
  const xml = await call('ListResourceRecordSets', name, { method: 'GET', path });
  const sets = [...xml.matchAll(/<ResourceRecordSet>[\s\S]*?<\/ResourceRecordSet>/g)].map(([whole]) =>
    recordSet(whole),
  );
  return sets.filter((set) => set.name === name);
}

function recordSet(whole: string): RecordSet {
  const set = readXml(whole);
  const ttl = set.text('TTL');
  const target = set.one('AliasTarget');
  const alias = target.text('DNSName');
  const setIdentifier = set.text('SetIdentifier');
  const values = set
    .one('ResourceRecords')
    .all('ResourceRecord')
    .map((record) => record.text('Value'));
  return {
    name: plain(set.text('Name')),
    type: set.text('Type'),
    ttlSeconds: ttl === '' ? null : Number(ttl),
    values: alias === '' ? values : [plain(alias)],
    ...(alias === '' ? {} : { alias: aliasOf(target) }),
    ...(setIdentifier === '' ? {} : { setIdentifier }),
    whole,
  };
}

function aliasOf(target: Element): NonNullable<RecordSet['alias']> {
  return {
    zoneId: target.text('HostedZoneId'),
    name: target.text('DNSName'),
    evaluatesTargetHealth: target.text('EvaluateTargetHealth') === 'true',
  };
}

async function change(
  { call, clock }: Api,
  { id, name }: HostedZone,
  changes: readonly RecordChange[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const each = changes.map(
    ({ action, set: { whole } }) => `<Change><Action>${action.toUpperCase()}</Action>${whole}</Change>`,
  );
  const batch = `<ChangeBatch><Changes>${each.join('')}</Changes></ChangeBatch>`;
  const body = `<ChangeResourceRecordSetsRequest xmlns="https://route53.amazonaws.com/doc/2013-04-01/">${batch}</ChangeResourceRecordSetsRequest>`;
  let xml = await call('ChangeResourceRecordSets', name, { method: 'POST', path: `/hostedzone/${id}/rrset/`, body });
  const endsAt = clock.monotonicSeconds() + inSyncWithinSeconds;
  for (;;) {
    const info = readXml(xml).one('ChangeInfo');
    if (info.text('Status') === 'INSYNC') return;
    if (clock.monotonicSeconds() >= endsAt) break;
    await clock.sleep(pollSeconds, signal);
    xml = await call('GetChange', name, { method: 'GET', path: `/change/${bareId(info.text('Id'))}` });
  }
  const reason = `the change is not INSYNC after ${inSyncWithinSeconds} s`;
  throw new OperationError({ tried: 'ChangeResourceRecordSets', on: name, reason });
}

/** Five times the 60 s within which Route 53 makes most changes INSYNC. */
const inSyncWithinSeconds = 300;
/** Route 53 allows five requests a second per account, and others need theirs. */
const pollSeconds = 2;

/** The command of the AWS command line that creates these record sets again. */
const restoreByHand = ({ id }: HostedZone, sets: readonly RecordSet[]): string =>
  `aws route53 change-resource-record-sets --hosted-zone-id ${id} --change-batch '${batchOf(sets)}'`;

/**
 * A change batch for the AWS command line, safe in single quotes of a shell; UPSERT, because some of the sets may
 * exist.
 */
function batchOf(sets: readonly RecordSet[]): string {
  const changes = sets.map(({ name, type, ttlSeconds, values, alias }) => ({
    Action: 'UPSERT',
    ResourceRecordSet: {
      Name: name,
      Type: type,
      ...(alias === undefined
        ? { TTL: ttlSeconds, ResourceRecords: values.map((value) => ({ Value: value })) }
        : {
            AliasTarget: {
              HostedZoneId: alias.zoneId,
              DNSName: alias.name,
              EvaluateTargetHealth: alias.evaluatesTargetHealth,
            },
          }),
    },
  }));
  return JSON.stringify({ Changes: changes }).replaceAll("'", String.raw`\u0027`);
}
