import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCloudApi } from '../../src/cloud-api/cloud-api.ts';
import { parseXml, tag, within } from '../../src/cloud-api/xml.ts';
import { createZone, type RecordSet } from '../../src/dns/zone.ts';
import { createMachines } from '../../src/machines/machines.ts';
import type { HttpRequest } from '../../src/outside/http.ts';

const wish = {
  type: 'r8g.large',
  zone: 'us-east-1b',
  capacityType: 'on-demand',
  labels: {},
  taints: [],
  tags: { role: 'web' },
} as const;
const record: RecordSet = { name: 'app.example.com', type: 'CNAME', ttlSeconds: 300, values: ['lb.example.org'] };
const zoneUrl = 'https://route53.amazonaws.com/2013-04-01/hostedzone/Z00REHEARSAL00ZONE';

function cloud() {
  let now = Date.parse('2026-01-01T00:00:00Z');
  const machines = createMachines({ now: () => now, region: 'us-east-1', random: () => 0.5, delay: () => 10 });
  const zone = createZone({
    name: 'example.com',
    now: () => now,
    negativeTtlSeconds: 60,
    propagationSeconds: () => 20,
  });
  const api = createCloudApi({ machines, zone, region: 'us-east-1', now: () => now, nameServer: 'ns-1.example.net' });
  const ask = (request: HttpRequest) => {
    const answer = api.handle(request);
    assert.ok(answer);
    return { status: answer.status, root: parseXml(answer.body) };
  };
  return {
    machines,
    zone,
    api,
    ec2: (parameters: Record<string, string>) =>
      ask({
        method: 'POST',
        url: 'https://ec2.us-east-1.amazonaws.com/',
        body: String(new URLSearchParams(parameters)),
      }),
    get: (url: string) => ask({ method: 'GET', url }),
    change: (action: string, set: RecordSet) =>
      ask({ method: 'POST', url: `${zoneUrl}/rrset/`, body: batch(action, set) }),
    pass: (seconds: number) => {
      now += 1000 * seconds;
    },
  };
}

const batch = (action: string, { name, type, ttlSeconds, values }: RecordSet) =>
  tag('ChangeResourceRecordSetsRequest', [
    tag('ChangeBatch', [
      tag('Changes', [
        tag('Change', [
          tag('Action', action),
          tag('ResourceRecordSet', [
            tag('Name', `${name}.`),
            tag('Type', type),
            tag('TTL', ttlSeconds ?? 0),
            tag(
              'ResourceRecords',
              values.map((value) => tag('ResourceRecord', [tag('Value', value)])),
            ),
          ]),
        ]),
      ]),
    ]),
  ]);

test('DescribeInstances returns state, zone, type and tags of an instance', () => {
  const { machines, ec2, pass } = cloud();
  const { id } = machines.launch(wish);
  const instance = () => {
    const { root } = ec2({ Action: 'DescribeInstances', 'InstanceId.1': id });
    return within(root, 'reservationSet', 'item', 'instancesSet', 'item');
  };
  assert.equal(within(instance(), 'instanceState', 'name')?.text, 'pending');
  pass(10);
  assert.equal(within(instance(), 'instanceState', 'name')?.text, 'running');
  assert.equal(within(instance(), 'instanceState', 'code')?.text, '16');
  assert.equal(within(instance(), 'placement', 'availabilityZone')?.text, 'us-east-1b');
  assert.equal(within(instance(), 'architecture')?.text, 'arm64');
  assert.equal(within(instance(), 'tagSet', 'item', 'value')?.text, 'web');
});

test('TerminateInstances starts the shutdown, a dry run does not, and an unknown id is named in the error', () => {
  const { machines, ec2, pass } = cloud();
  const { id } = machines.launch({ ...wish, bootedWithImages: [] });
  const parameters = { Action: 'TerminateInstances', 'InstanceId.1': id };
  const dry = ec2({ ...parameters, DryRun: 'true' });
  assert.equal(dry.status, 412);
  assert.equal(within(dry.root, 'Errors', 'Error', 'Code')?.text, 'DryRunOperation');
  assert.equal(machines.instance(id)?.terminateAskedAt, undefined);
  const item = within(ec2(parameters).root, 'instancesSet', 'item');
  assert.equal(within(item, 'previousState', 'name')?.text, 'running');
  assert.equal(within(item, 'currentState', 'name')?.text, 'shutting-down');
  pass(21);
  assert.equal(
    within(within(ec2(parameters).root, 'instancesSet', 'item'), 'previousState', 'name')?.text,
    'terminated',
  );
  const unknown = ec2({ ...parameters, 'InstanceId.1': 'i-none' });
  assert.match(within(unknown.root, 'Errors', 'Error', 'Message')?.text ?? '', /'i-none'/);
});

test('an upserted record set is listed at once, and its change is INSYNC after propagation', () => {
  const { change, get, pass, zone } = cloud();
  const info = within(change('UPSERT', record).root, 'ChangeInfo');
  assert.equal(within(info, 'Status')?.text, 'PENDING');
  const id = within(info, 'Id')?.text ?? '';
  const status = () => within(get(`https://route53.amazonaws.com/2013-04-01${id}`).root, 'ChangeInfo', 'Status')?.text;
  assert.equal(status(), 'PENDING');
  pass(20);
  assert.equal(status(), 'INSYNC');
  assert.deepEqual(zone.list(), [record]);
  const listed = within(get(`${zoneUrl}/rrset`).root, 'ResourceRecordSets')?.children ?? [];
  assert.deepEqual(
    listed.map((set) => within(set, 'Type')?.text),
    ['NS', 'SOA', 'CNAME'],
  );
  assert.match(within(listed[1], 'ResourceRecords', 'ResourceRecord', 'Value')?.text ?? '', / 60$/, 'the negative TTL');
});

test('a change batch with an error is refused as a whole: an existing record set created, or a different one deleted', () => {
  const { change, zone } = cloud();
  change('CREATE', record);
  for (const [action, set] of [
    ['CREATE', record],
    ['DELETE', { ...record, ttlSeconds: 60 }],
    ['DELETE', { ...record, name: 'other.example.com' }],
  ] as const) {
    const refused = change(action, set);
    assert.equal(refused.status, 400);
    assert.equal(within(refused.root, 'Error', 'Code')?.text, 'InvalidChangeBatch');
  }
  assert.deepEqual(zone.list(), [record]);
  assert.equal(change('DELETE', record).status, 200);
  assert.deepEqual(zone.list(), []);
});

test('ListHostedZonesByName and GetHostedZone find the zone and its name server, and no other zone', () => {
  const { get } = cloud();
  const { root } = get('https://route53.amazonaws.com/2013-04-01/hostedzonesbyname?dnsname=example.com');
  assert.equal(within(root, 'HostedZones', 'HostedZone', 'Name')?.text, 'example.com.');
  assert.equal(within(get(zoneUrl).root, 'DelegationSet', 'NameServers', 'NameServer')?.text, 'ns-1.example.net');
  assert.equal(get('https://route53.amazonaws.com/2013-04-01/hostedzone/Z0OTHER').status, 404);
});

test('a request to another host is not answered', () => {
  assert.equal(cloud().api.handle({ method: 'GET', url: 'http://app.example.com/' }), undefined);
});

test('text is the same after XML was written and parsed', () => {
  const text = `"heritage=external-dns" <&> 'x'`;
  assert.equal(parseXml(tag('a', [tag('b', text), '<c/>']))?.children[0]?.text, text);
  assert.equal(parseXml('<?xml version="1.0"?>\n<a x="1"><b>&#34;&#x41;</b></a>')?.children[0]?.text, '"A');
});
