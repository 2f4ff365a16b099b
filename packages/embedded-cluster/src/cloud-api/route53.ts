import type { RecordSet, Zone } from '../dns/zone.ts';
import type { RecordType } from '../outside/dns.ts';
import type { HttpRequest } from '../outside/http.ts';
import { type Element, parseXml, tag, within, type XmlResponse, xmlDocument } from './xml.ts';

/** When each change becomes INSYNC, in epoch milliseconds, by the id of the change. */
export type Changes = Map<string, number>;

export interface HostedZone {
  readonly zone: Zone;
  /** The DNS name of its authoritative server. */
  readonly nameServer: string;
  readonly changes: Changes;
}

export const hostedZoneId = 'Z00REHEARSAL00ZONE';

/**
 * The Route 53 REST API, version 2013-04-01: ListHostedZonesByName, GetHostedZone, ListResourceRecordSets,
 * ChangeResourceRecordSets and GetChange. `now` is in epoch milliseconds.
 */
export function answerRoute53(request: HttpRequest, hosted: HostedZone, now: number): XmlResponse {
  const { pathname, searchParams } = new URL(request.url);
  const [, , resource = '', id = '', part = ''] = pathname.split('/');
  if (resource === 'hostedzonesbyname') return listHostedZones(hosted, searchParams.get('dnsname') ?? '');
  if (resource === 'change') return changeInfo('GetChangeResponse', id, hosted.changes.get(id), now);
  if (resource !== 'hostedzone' || id !== hostedZoneId)
    return errorResponse(404, 'NoSuchHostedZone', `No hosted zone found with ID: ${id}`);
  if (part === '') return getHostedZone(hosted);
  if (request.method === 'GET') return listRecordSets(hosted, searchParams);
  return changeRecordSets(hosted, request.body ?? '', now);
}

function listHostedZones({ zone }: HostedZone, name: string): XmlResponse {
  const isAfter = name !== '' && reversed(name) > reversed(`${zone.name}.`);
  return document('ListHostedZonesByNameResponse', [
    tag('HostedZones', isAfter ? [] : [zoneElement(zone)]),
    tag('IsTruncated', 'false'),
    tag('MaxItems', '100'),
  ]);
}

function zoneElement(zone: Zone): string {
  return tag('HostedZone', [
    tag('Id', `/hostedzone/${hostedZoneId}`),
    tag('Name', `${zone.name}.`),
    tag('CallerReference', 'rehearsal'),
    tag('Config', [tag('PrivateZone', 'false')]),
    tag('ResourceRecordSetCount', zone.list().length + 2),
  ]);
}

function getHostedZone({ zone, nameServer }: HostedZone): XmlResponse {
  return document('GetHostedZoneResponse', [
    zoneElement(zone),
    tag('DelegationSet', [tag('NameServers', [tag('NameServer', nameServer)])]),
  ]);
}

function listRecordSets({ zone, nameServer }: HostedZone, query: URLSearchParams): XmlResponse {
  const { mailbox, serial, refreshSeconds, retrySeconds, expireSeconds, ttlSeconds } = zone.startOfAuthority;
  const times = [serial, refreshSeconds, retrySeconds, expireSeconds, zone.negativeTtlSeconds].join(' ');
  const own: readonly ListedSet[] = [
    { name: zone.name, type: 'NS', ttlSeconds: 172_800, values: [`${nameServer}.`] },
    { name: zone.name, type: 'SOA', ttlSeconds, values: [`${nameServer}. ${mailbox}. ${times}`] },
  ];
  const from = `${reversed(query.get('name') ?? '')} ${query.get('type') ?? ''}`;
  const sets = [...own, ...zone.list()]
    .sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
    .filter((set) => orderOf(set) >= from)
    .map(setElement);
  return document('ListResourceRecordSetsResponse', [
    tag('ResourceRecordSets', sets),
    tag('IsTruncated', 'false'),
    tag('MaxItems', '300'),
  ]);
}

/** A record set in a list, which includes NS and SOA: types that `RecordType` does not have. */
type ListedSet = Omit<RecordSet, 'type'> & { readonly type: string };

function setElement({ name, type, ttlSeconds, values, alias }: ListedSet): string {
  const records = values.map((value) => tag('ResourceRecord', [tag('Value', value)]));
  const contents =
    alias === undefined
      ? [tag('TTL', ttlSeconds ?? 0), tag('ResourceRecords', records)]
      : [
          tag('AliasTarget', [
            tag('HostedZoneId', alias.zoneId),
            tag('DNSName', `${values[0]}.`),
            tag('EvaluateTargetHealth', String(alias.evaluatesTargetHealth)),
          ]),
        ];
  return tag('ResourceRecordSet', [tag('Name', `${name}.`), tag('Type', type), ...contents]);
}

/** A batch is made as a whole or not at all. */
function changeRecordSets({ zone, changes }: HostedZone, body: string, now: number): XmlResponse {
  const batch = within(parseXml(body), 'ChangeBatch', 'Changes')?.children ?? [];
  const requested = batch.map(changeOf);
  const errors = requested.flatMap((change) => errorOf(change, zone));
  if (errors.length > 0) return errorResponse(400, 'InvalidChangeBatch', `[${errors.join(', ')}]`);
  const visibleAt = zone.change(
    requested.map(({ set, action }) => ({ set, action: action === 'DELETE' ? 'delete' : 'upsert' })),
  );
  const id = `C${String(changes.size + 1).padStart(13, '0')}`;
  changes.set(id, visibleAt);
  return changeInfo('ChangeResourceRecordSetsResponse', id, visibleAt, now);
}

interface RequestedChange {
  readonly action: string;
  readonly set: RecordSet;
}

function changeOf(element: Element): RequestedChange {
  const set = within(element, 'ResourceRecordSet');
  const text = (...path: readonly string[]) => within(set, ...path)?.text ?? '';
  const named = { name: text('Name').replace(/\.$/, ''), type: text('Type') as RecordType };
  const values = (within(set, 'ResourceRecords')?.children ?? []).map((record) => within(record, 'Value')?.text ?? '');
  const target = text('AliasTarget', 'DNSName').replace(/\.$/, '');
  const alias = {
    zoneId: text('AliasTarget', 'HostedZoneId'),
    evaluatesTargetHealth: text('AliasTarget', 'EvaluateTargetHealth') === 'true',
  };
  return {
    action: within(element, 'Action')?.text ?? '',
    set:
      target === ''
        ? { ...named, ttlSeconds: Number(text('TTL')), values }
        : { ...named, ttlSeconds: null, values: [target], alias },
  };
}

/** The message for a change that the zone does not allow: a list of one, or of none. */
function errorOf({ action, set }: RequestedChange, zone: Zone): readonly string[] {
  const existing = zone.list().find(({ name, type }) => name === set.name && type === set.type);
  const about = `resource record set [name='${set.name}.', type='${set.type}']`;
  if (action === 'CREATE' && existing !== undefined) return [`Tried to create ${about} but it already exists`];
  if (action !== 'DELETE') return [];
  if (existing === undefined) return [`Tried to delete ${about} but it was not found`];
  const textOf = ({ ttlSeconds, values, alias }: RecordSet) => JSON.stringify([ttlSeconds, values, alias]);
  const isSame = textOf(existing) === textOf(set);
  return isSame ? [] : [`Tried to delete ${about} but the values provided do not match the current values`];
}

function changeInfo(name: string, id: string, visibleAt: number | undefined, now: number): XmlResponse {
  if (visibleAt === undefined)
    return errorResponse(404, 'NoSuchChange', `A change with the specified change ID does not exist: ${id}`);
  return document(name, [
    tag('ChangeInfo', [
      tag('Id', `/change/${id}`),
      tag('Status', now < visibleAt ? 'PENDING' : 'INSYNC'),
      tag('SubmittedAt', new Date(now).toISOString()),
    ]),
  ]);
}

const orderOf = ({ name, type }: { readonly name: string; readonly type: string }): string =>
  `${reversed(name)} ${type}`;

/** Route 53 sorts names by their labels in reverse order. */
const reversed = (name: string): string => name.replace(/\.$/, '').split('.').reverse().join('.');

const namespace = ' xmlns="https://route53.amazonaws.com/doc/2013-04-01/"';

const document = (name: string, content: readonly string[]): XmlResponse => ({
  status: 200,
  body: xmlDocument(tag(name, content, namespace)),
});

function errorResponse(status: number, code: string, message: string): XmlResponse {
  const error = tag('Error', [tag('Type', 'Sender'), tag('Code', code), tag('Message', message)]);
  return { status, body: xmlDocument(tag('ErrorResponse', [error, tag('RequestId', 'rehearsal')], namespace)) };
}
