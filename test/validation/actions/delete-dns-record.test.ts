import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordSet } from '@holdfast/embedded-cluster';
import type { Cloud, RecordSet as CloudRecordSet } from '../../../src/cloud/cloud.ts';
import { deleteDnsRecord } from '../../../src/validation/actions/delete-dns-record.ts';
import type { Site } from '../../../src/validation/site.ts';
import { type CloudSite, cloudSite, inSyncSeconds, mark, record } from '../../support/cloud-site.ts';

const target = { name: 'app.example.com', zone: 'example.com' };
const other = { ...record, name: 'app2.example.com' };
const never = new AbortController().signal;

/** A zone with the record, its ownership TXT, and a record of somebody else. */
function withRecord(main: (site: Site, at: CloudSite) => Promise<void>): Promise<void> {
  return cloudSite(async (at) => {
    at.put(record, mark, other);
    await at.clock.sleep(inSyncSeconds);
    await main({ host: at.host, cloud: at.cloud } as Site, at);
  });
}

/** Prepares and performs the action; the intent passes through JSON, as in the journal. */
async function deleted(site: Site) {
  const intent = JSON.parse(JSON.stringify(await deleteDnsRecord.prepare(site, target)));
  await deleteDnsRecord.perform(site, intent, never);
  return intent;
}

test('the record is deleted with its ownership TXT, at every server, and nothing else is changed', () =>
  withRecord(async (site, { zone }) => {
    await deleted(site);
    assert.deepEqual(zone.list(), [other]);
    assert.equal(zone.answer('app.example.com', 'A').code, 'NXDOMAIN');
  }));

test('a TXT of the same name that is not the DNS automation’s is kept', () =>
  withRecord(async (site, at) => {
    const mail = { ...mark, name: 'a-app.example.com', values: ['"v=spf1 -all"'] };
    at.put(mail);
    const intent = await deleted(site);
    assert.deepEqual(new Set(at.zone.list()), new Set([other, mail]));
    assert.equal((await deleteDnsRecord.undo(site, intent)).state, 'undone');
    assert.deepEqual(new Set(at.zone.list()), new Set([record, mark, other, mail]));
  }));

test('the undo creates missing records with every field; a second undo finds nothing to do', () =>
  withRecord(async (site, { zone, clock }) => {
    const intent = await deleted(site);
    const began = clock.monotonicSeconds();
    const end = await deleteDnsRecord.undo(site, intent);
    assert.equal(end.state, 'undone');
    assert.ok(clock.monotonicSeconds() - began >= inSyncSeconds, 'in sync is awaited');
    assert.deepEqual(new Set(zone.list()), new Set([record, mark, other]));
    assert.deepEqual(await deleteDnsRecord.undo(site, intent), {
      state: 'not-needed',
      because: 'all of it is there, as it was',
    });
  }));

test('a record that the DNS automation has created again is kept, and the missing one is restored', () =>
  withRecord(async (site, at) => {
    const intent = await deleted(site);
    at.put(record);
    assert.equal((await deleteDnsRecord.undo(site, intent)).state, 'undone');
    assert.deepEqual(new Set(at.zone.list()), new Set([record, mark, other]));
  }));

test('a record that somebody created meanwhile is kept, and the original is reported', () =>
  withRecord(async (site, at) => {
    const intent = await deleted(site);
    at.put({ ...record, values: ['new.example.org'] }, mark);
    const end = await deleteDnsRecord.undo(site, intent);
    assert.equal(end.state, 'kept');
    assert.match(end.because, /before the run it was app\.example\.com 300 CNAME lb\.example\.org/);
    assert.deepEqual(at.zone.list().find(({ name }) => name === record.name)?.values, ['new.example.org']);
  }));

test('a restore that the zone does not accept is no success', () =>
  withRecord(async (site, at) => {
    const intent = await deleted(site);
    at.fault = ({ method }) =>
      method === 'POST' ? { status: 403, body: '<R><Code>AccessDenied</Code></R>' } : undefined;
    await assert.rejects(deleteDnsRecord.undo(site, intent), /AccessDenied/);
    at.fault = () => undefined;
    assert.equal((await deleteDnsRecord.undo(site, intent)).state, 'undone');
  }));

test('a name without an address record, a missing zone and no access to the cloud are errors', () =>
  withRecord(async (site) => {
    const { prepare } = deleteDnsRecord;
    await assert.rejects(prepare(site, { ...target, name: 'nobody.example.com' }), /no A, AAAA or CNAME/);
    await assert.rejects(prepare(site, { ...target, zone: 'example.org' }), /no public zone example\.org/);
    await assert.rejects(prepare({ host: site.host } as Site, target), /no access to the cloud/);
  }));

test('the undo by hand is one command for the AWS command line', () =>
  withRecord(async (site) => {
    const typed = deleteDnsRecord.byHand(await deleteDnsRecord.prepare(site, target));
    assert.match(typed, /^aws route53 change-resource-record-sets --hosted-zone-id Z00REHEARSAL00ZONE /);
    assert.deepEqual(
      changesByHand(typed).map(({ Action, ResourceRecordSet: { Name, Type, TTL } }) => [Action, Name, Type, TTL]),
      [
        ['UPSERT', 'app.example.com', 'CNAME', 300],
        ['UPSERT', 'cname-app.example.com', 'TXT', 300],
      ],
    );
  }));

const lb = 'k8s-ingressn.elb.us-east-1.amazonaws.com';
const toLoadBalancer = { zoneId: 'Z26RNL4JYFTOTI', evaluatesTargetHealth: true };
const aliases: readonly RecordSet[] = (['A', 'AAAA'] as const).map((type) => ({
  name: record.name,
  type,
  ttlSeconds: null,
  values: [lb],
  alias: toLoadBalancer,
}));

test('aliases are deleted and restored as aliases, by hand too', () =>
  cloudSite(async (at) => {
    at.put(...aliases, mark);
    await at.clock.sleep(inSyncSeconds);
    const site = { host: at.host, cloud: at.cloud } as Site;
    const intent = await deleted(site);
    assert.deepEqual(at.zone.list(), []);
    assert.equal((await deleteDnsRecord.undo(site, intent)).state, 'undone');
    assert.deepEqual(new Set(at.zone.list()), new Set([...aliases, mark]));
    at.zone.change(aliases.slice(1).map((set) => ({ action: 'delete', set })));
    assert.equal((await deleteDnsRecord.undo(site, intent)).state, 'undone', 'one type of two was gone');
    assert.deepEqual(new Set(at.zone.list()), new Set([...aliases, mark]));
    assert.deepEqual(
      changesByHand(deleteDnsRecord.byHand(intent)).slice(0, 2),
      ['A', 'AAAA'].map((Type) => ({
        Action: 'UPSERT',
        ResourceRecordSet: {
          Name: record.name,
          Type,
          AliasTarget: { HostedZoneId: toLoadBalancer.zoneId, DNSName: `${lb}.`, EvaluateTargetHealth: true },
        },
      })),
    );
  }));

test('a name with a routing policy is left alone, because others may take its traffic', () =>
  withRecord(async (site) => {
    const weighted = (set: CloudRecordSet) => ({ ...set, setIdentifier: `blue-${set.type}` });
    const cloud = {
      ...site.cloud,
      records: async (...asked: Parameters<Cloud['records']>) => {
        const sets = await site.cloud?.records(...asked);
        return (sets ?? []).map(weighted);
      },
    } as Cloud;
    await assert.rejects(
      deleteDnsRecord.prepare({ ...site, cloud }, target),
      /routing policy \(blue-CNAME, blue-TXT\).*left alone/,
    );
  }));

test('the command to undo it by hand is safe in the quotes of a shell', () =>
  withRecord(async (site, at) => {
    at.put({ ...mark, values: ['"heritage=external-dns it\'s ours"'] });
    const typed = deleteDnsRecord.byHand(await deleteDnsRecord.prepare(site, target));
    assert.equal(typed.split("'").length, 3);
    assert.deepEqual(changesByHand(typed)[1]?.ResourceRecordSet.ResourceRecords, [
      { Value: '"heritage=external-dns it\'s ours"' },
    ]);
  }));

interface TypedChange {
  readonly Action: string;
  readonly ResourceRecordSet: Readonly<Record<string, unknown>>;
}

function changesByHand(typed: string): readonly TypedChange[] {
  const [, batch = ''] = /--change-batch '(.*)'$/.exec(typed) ?? [];
  return (JSON.parse(batch) as { readonly Changes: readonly TypedChange[] }).Changes;
}
