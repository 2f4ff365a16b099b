import type { HttpRequest, RecordType } from '../../host/host.ts';
import type { RecordSet, Zone } from '../dns/zone.ts';
import { type Element, parseXml, tag, within, type XmlResponse, xmlDocument } from './xml.ts';

/** What Route 53 remembers beside the zone itself: when each change is in sync, epoch milliseconds. */
export type Changes = Map<string, number>;

export interface HostedZone {
  readonly zone: Zone;
  /** The name of its authoritative server. */
  readonly nameServer: string;
  readonly changes: Changes;
}

export const hostedZoneId = 'Z00REHEARSAL00ZONE';

/** Route 53's REST API, version 2013-04-01: hosted zones by name, record sets, their changes, and whether these are in sync. */
export function answerRoute53(request: HttpRequest, hosted: HostedZone, now: number): XmlResponse {
  const { pathname, searchParams } = new URL(request.url);
  const [, , resource = '', id = '', part = ''] = pathname.split('/');
  if (resource === 'hostedzonesbyname') return zones(hosted, searchParams.get('dnsname') ?? '');
  if (resource === 'change') return changeInfo('GetChangeResponse', id, hosted.changes.get(id), now);
  if (resource !== 'hostedzone' || id !== hostedZoneId)
    return refusal(404, 'NoSuchHostedZone', `No hosted zone found with ID: ${id}`);
  if (part === '') return zoneItself(hosted);
  if (request.method === 'GET') return records(hosted, searchParams);
  return change(hosted, request.body ?? '', now);
}

function zones({ zone }: HostedZone, name: string): XmlResponse {
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

function zoneItself({ zone, nameServer }: HostedZone): XmlResponse {
  return document('GetHostedZoneResponse', [
    zoneElement(zone),
    tag('DelegationSet', [tag('NameServers', [tag('NameServer', nameServer)])]),
  ]);
}

function records({ zone, nameServer }: HostedZone, query: URLSearchParams): XmlResponse {
  const soa = `${nameServer}. awsdns-hostmaster.amazon.com. 1 7200 900 1209600 ${zone.negativeTtlSeconds}`;
  const own: readonly Listed[] = [
    { name: zone.name, type: 'NS', ttlSeconds: 172_800, values: [`${nameServer}.`] },
    { name: zone.name, type: 'SOA', ttlSeconds: 900, values: [soa] },
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

type Listed = Omit<RecordSet, 'type'> & { readonly type: string };

function setElement({ name, type, ttlSeconds, values, alias }: Listed): string {
  const each = values.map((value) => tag('ResourceRecord', [tag('Value', value)]));
  const contents =
    alias === undefined
      ? [tag('TTL', ttlSeconds ?? 0), tag('ResourceRecords', each)]
      : [
          tag('AliasTarget', [
            tag('HostedZoneId', alias.zoneId),
            tag('DNSName', `${values[0]}.`),
            tag('EvaluateTargetHealth', String(alias.evaluatesTargetHealth)),
          ]),
        ];
  return tag('ResourceRecordSet', [tag('Name', `${name}.`), tag('Type', type), ...contents]);
}

/** All of a batch or nothing of it. */
function change({ zone, changes }: HostedZone, body: string, now: number): XmlResponse {
  const batch = within(parseXml(body), 'ChangeBatch', 'Changes')?.children ?? [];
  const wanted = batch.map(changeOf);
  const mistakes = wanted.flatMap((one) => mistakeIn(one, zone));
  if (mistakes.length > 0) return refusal(400, 'InvalidChangeBatch', `[${mistakes.join(', ')}]`);
  const visibleAt = zone.change(
    wanted.map(({ set, action }) => ({ set, action: action === 'DELETE' ? 'delete' : 'upsert' })),
  );
  const id = `C${String(changes.size + 1).padStart(13, '0')}`;
  changes.set(id, visibleAt);
  return changeInfo('ChangeResourceRecordSetsResponse', id, visibleAt, now);
}

interface WantedChange {
  readonly action: string;
  readonly set: RecordSet;
}

function changeOf(element: Element): WantedChange {
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

function mistakeIn({ action, set }: WantedChange, zone: Zone): readonly string[] {
  const there = zone.list().find(({ name, type }) => name === set.name && type === set.type);
  const about = `resource record set [name='${set.name}.', type='${set.type}']`;
  if (action === 'CREATE' && there !== undefined) return [`Tried to create ${about} but it already exists`];
  if (action !== 'DELETE') return [];
  if (there === undefined) return [`Tried to delete ${about} but it was not found`];
  const textOf = ({ ttlSeconds, values, alias }: RecordSet) => JSON.stringify([ttlSeconds, values, alias]);
  const isSame = textOf(there) === textOf(set);
  return isSame ? [] : [`Tried to delete ${about} but the values provided do not match the current values`];
}

function changeInfo(name: string, id: string, visibleAt: number | undefined, now: number): XmlResponse {
  if (visibleAt === undefined)
    return refusal(404, 'NoSuchChange', `A change with the specified change ID does not exist: ${id}`);
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

/** Route 53 lists by name with the labels reversed. */
const reversed = (name: string): string => name.replace(/\.$/, '').split('.').reverse().join('.');

const namespace = ' xmlns="https://route53.amazonaws.com/doc/2013-04-01/"';

const document = (name: string, content: readonly string[]): XmlResponse => ({
  status: 200,
  body: xmlDocument(tag(name, content, namespace)),
});

function refusal(status: number, code: string, message: string): XmlResponse {
  const error = tag('Error', [tag('Type', 'Sender'), tag('Code', code), tag('Message', message)]);
  return { status, body: xmlDocument(tag('ErrorResponse', [error, tag('RequestId', 'rehearsal')], namespace)) };
}
