import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HostedZone } from '../../../src/cloud/cloud.ts';
import { type CloudSite, cloudSite, inSyncSeconds, mark, record } from '../../support/cloud-site.ts';

async function zoneOf({ cloud }: CloudSite): Promise<HostedZone> {
  const zone = await cloud.zone('example.com');
  assert.ok(zone);
  return zone;
}

test('a zone is found by its name, with its name servers and its negative TTL', () =>
  cloudSite(async (at) => {
    const { name, nameServers, negativeTtlSeconds } = await zoneOf(at);
    assert.deepEqual([name, nameServers, negativeTtlSeconds], ['example.com', ['ns-1.example.net'], 60]);
    assert.equal(await at.cloud.zone('example.org'), undefined);
  }));

const zones = (...elements: readonly string[]): string =>
  `<ListHostedZonesByNameResponse><HostedZones>${elements.join('')}</HostedZones></ListHostedZonesByNameResponse>`;
const zoneElement = (id: string, name: string, isPrivate: boolean): string =>
  `<HostedZone><Id>/hostedzone/${id}</Id><Name>${name}.</Name><Config><PrivateZone>${isPrivate}</PrivateZone></Config></HostedZone>`;

test('a private zone of the same name is ignored, and two public ones are an error', () =>
  cloudSite(async (at) => {
    const answer = (...elements: readonly string[]) => {
      at.fault = ({ url }) =>
        url.includes('hostedzonesbyname') ? { status: 200, body: zones(...elements) } : undefined;
    };
    answer(zoneElement('ZPRIVATE', 'example.com', true));
    assert.equal(await at.cloud.zone('example.com'), undefined);
    answer(zoneElement('Z1', 'example.com', false), zoneElement('Z2', 'example.com', false));
    await assert.rejects(at.cloud.zone('example.com'), /there are 2 public zones of this name/);
  }));

test('the negative TTL is the lesser of the SOA’s TTL and its minimum', () =>
  cloudSite(async (at) => {
    const soa = (ttl: number, minimum: number) => {
      const value = `ns-1. hostmaster. 1 7200 900 1209600 ${minimum}`;
      const set = `<ResourceRecordSet><Name>example.com.</Name><Type>SOA</Type><TTL>${ttl}</TTL><ResourceRecords><ResourceRecord><Value>${value}</Value></ResourceRecord></ResourceRecords></ResourceRecordSet>`;
      at.fault = ({ url }) => (url.includes('/rrset') ? { status: 200, body: `<R><S>${set}</S></R>` } : undefined);
    };
    soa(900, 86_400);
    assert.equal((await zoneOf(at)).negativeTtlSeconds, 900);
    soa(900, 60);
    assert.equal((await zoneOf(at)).negativeTtlSeconds, 60);
  }));

test('the record sets of the given names are read completely, those of other names not at all', () =>
  cloudSite(async (at) => {
    at.put(record, mark, { ...record, name: 'app2.example.com' });
    const sets = await at.cloud.records(await zoneOf(at), [record.name, mark.name, 'nobody.example.com']);
    assert.deepEqual(
      sets.map(({ whole: _, ...set }) => set),
      [record, mark],
    );
    assert.match(
      sets[0]?.whole ?? '',
      /^<ResourceRecordSet>.*<Value>lb\.example\.org<\/Value>.*<\/ResourceRecordSet>$/,
    );
  }));

const aliasSet = `<ResourceRecordSet><Name>app.example.com.</Name><Type>A</Type><AliasTarget><HostedZoneId>Z26RNL4JYFTOTI</HostedZoneId><DNSName>k8s-ingress.elb.us-east-1.amazonaws.com.</DNSName><EvaluateTargetHealth>true</EvaluateTargetHealth></AliasTarget></ResourceRecordSet>`;

test('an alias has a target and no TTL of its own', () =>
  cloudSite(async (at) => {
    const zone = await zoneOf(at);
    at.fault = () => ({ status: 200, body: `<R><ResourceRecordSets>${aliasSet}</ResourceRecordSets></R>` });
    const [set] = await at.cloud.records(zone, ['app.example.com']);
    assert.deepEqual(set?.alias, {
      zoneId: 'Z26RNL4JYFTOTI',
      name: 'k8s-ingress.elb.us-east-1.amazonaws.com.',
      evaluatesTargetHealth: true,
    });
    assert.deepEqual([set?.ttlSeconds, set?.values], [null, ['k8s-ingress.elb.us-east-1.amazonaws.com']]);
    assert.equal(set?.whole, aliasSet);
  }));

test('the set identifier of a routing policy is read too', () =>
  cloudSite(async (at) => {
    const zone = await zoneOf(at);
    const weighted = aliasSet.replace(
      '<AliasTarget>',
      '<SetIdentifier>blue</SetIdentifier><Weight>50</Weight><AliasTarget>',
    );
    at.fault = () => ({ status: 200, body: `<R><ResourceRecordSets>${weighted}${aliasSet}</ResourceRecordSets></R>` });
    const sets = await at.cloud.records(zone, ['app.example.com']);
    assert.deepEqual(
      sets.map(({ setIdentifier }) => setIdentifier),
      ['blue', undefined],
    );
  }));

test('a change resolves when every server has it, and a record set is restored as it was', () =>
  cloudSite(async (at) => {
    at.put(record, mark);
    await at.clock.sleep(inSyncSeconds);
    const zone = await zoneOf(at);
    const sets = await at.cloud.records(zone, [record.name, mark.name]);
    const began = at.clock.monotonicSeconds();
    await at.cloud.change(
      zone,
      sets.map((set) => ({ action: 'delete', set })),
    );
    assert.ok(at.clock.monotonicSeconds() - began >= inSyncSeconds);
    assert.equal(at.zone.answer(record.name, 'CNAME').code, 'NXDOMAIN');
    await at.cloud.change(
      zone,
      sets.map((set) => ({ action: 'create', set })),
    );
    assert.deepEqual(at.zone.list(), [record, mark]);
  }));

test('a refused change has Route 53’s own message', () =>
  cloudSite(async (at) => {
    at.put(record);
    const zone = await zoneOf(at);
    const [set] = await at.cloud.records(zone, [record.name]);
    assert.ok(set);
    const twice = at.cloud.change(zone, [{ action: 'create', set }]);
    await assert.rejects(
      twice,
      /ChangeResourceRecordSets: example\.com: 400 InvalidChangeBatch: .*already exists|already exists/,
    );
  }));

test('a change that does not become INSYNC is an error, and a signal ends the waiting at once', () =>
  cloudSite(async (at) => {
    at.put(record);
    const zone = await zoneOf(at);
    const sets = await at.cloud.records(zone, [record.name]);
    const pending = `<R><ChangeInfo><Id>/change/C1</Id><Status>PENDING</Status></ChangeInfo></R>`;
    at.fault = () => ({ status: 200, body: pending });
    await assert.rejects(
      at.cloud.change(
        zone,
        sets.map((set) => ({ action: 'delete', set })),
      ),
      /not INSYNC after 300 s/,
    );
    const ending = AbortSignal.abort(new Error('stopped'));
    await assert.rejects(
      at.cloud.change(
        zone,
        sets.map((set) => ({ action: 'delete', set })),
        ending,
      ),
      /stopped/,
    );
  }));
