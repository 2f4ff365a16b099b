import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesTo, dnsAutomation, recordsOf } from '../../src/controllers/dns-automation.ts';
import { createZone, type RecordSet } from '../../src/dns/zone.ts';
import type { Ingress } from '../../src/kubernetes/resources.ts';
import * as objects from '../support/objects.ts';
import { onStage } from '../support/stage.ts';

const target = 'k8s-ingressn.elb.us-east-1.amazonaws.com';
const served = { ...objects.ingress, status: { loadBalancer: { ingress: [{ hostname: target }] } } };
const record: RecordSet = { name: 'app.example.com', type: 'CNAME', ttlSeconds: 300, values: [target] };
const registry: RecordSet = {
  name: 'cname-app.example.com',
  type: 'TXT',
  ttlSeconds: 300,
  values: ['"heritage=external-dns,external-dns/owner=default,external-dns/resource=ingress/default/nginx-test"'],
};
const annotated = (annotations: Record<string, string>): Ingress => ({
  ...served,
  metadata: { ...served.metadata, annotations },
  spec: {},
});
const names = (sets: readonly RecordSet[]) => sets.filter(({ type }) => type === 'CNAME').map(({ name }) => name);

test('an Ingress with an address yields a CNAME to it and the registry’s TXT record', () => {
  assert.deepEqual(recordsOf(served, 'example.com'), [record, registry]);
  assert.deepEqual(recordsOf(objects.ingress, 'example.com'), [], 'it has no address yet');
  assert.deepEqual(recordsOf(served, 'example.org'), [], 'its name is not in this zone');
});

test('a Service of type LoadBalancer with a hostname annotation yields the same', () => {
  const annotations = { 'external-dns.alpha.kubernetes.io/hostname': 'app.example.com' };
  const service = { ...objects.service, metadata: { ...objects.service.metadata, annotations }, status: served.status };
  const [cname, txt] = recordsOf(service, 'example.com');
  assert.deepEqual(cname, record);
  assert.match(txt?.values[0] ?? '', /resource=service\/default\/nginx-test/);
  assert.deepEqual(recordsOf({ ...objects.service, status: served.status }, 'example.com'), [], 'it asks for no name');
});

test('names come from rules and both hostname annotations, TTLs from both ttl annotations', () => {
  assert.deepEqual(
    names(
      recordsOf(annotated({ 'external-dns.kubernetes.io/hostname': 'a.example.com, b.example.com' }), 'example.com'),
    ),
    ['a.example.com', 'b.example.com'],
  );
  const short = {
    'external-dns.alpha.kubernetes.io/hostname': 'a.example.com',
    'external-dns.alpha.kubernetes.io/ttl': '60',
  };
  assert.equal(recordsOf(annotated(short), 'example.com')[0]?.ttlSeconds, 60);
});

test('a TTL is seconds or a duration; what is neither is the default', () => {
  const ttl = (text: string) => {
    const annotations = {
      'external-dns.alpha.kubernetes.io/hostname': 'a.example.com',
      'external-dns.alpha.kubernetes.io/ttl': text,
    };
    return recordsOf(annotated(annotations), 'example.com')[0]?.ttlSeconds;
  };
  assert.deepEqual(['60', '10m', '1h30m', '1.5s'].map(ttl), [60, 600, 5400, 1]);
  assert.deepEqual(['', '0', '-5', 'soon', '10 m', '0.5s', '4000000000'].map(ttl), Array(7).fill(300));
});

test('an object that names another controller is left alone', () => {
  const of = (controller: string) =>
    recordsOf(
      {
        ...served,
        metadata: { ...served.metadata, annotations: { 'external-dns.alpha.kubernetes.io/controller': controller } },
      },
      'example.com',
    );
  assert.deepEqual(of('dns-controller'), [record, registry]);
  assert.deepEqual(of('another'), []);
});

test('an Ingress with the alias annotation yields aliases to its load balancer, registered like a CNAME', () => {
  const asked = annotated({
    'external-dns.alpha.kubernetes.io/hostname': 'app.example.com',
    'external-dns.alpha.kubernetes.io/alias': 'true',
  });
  const wanted = recordsOf(asked, 'example.com');
  const alias = { zoneId: 'Z26RNL4JYFTOTI', evaluatesTargetHealth: true };
  assert.deepEqual(wanted, [
    { name: record.name, type: 'A', ttlSeconds: null, values: [target], alias },
    { name: record.name, type: 'AAAA', ttlSeconds: null, values: [target], alias },
    registry,
  ]);
  const changes = (there: readonly RecordSet[], records = wanted) =>
    changesTo(there, records).map(({ action, set }) => `${action} ${set.type}`);
  assert.deepEqual(changes(wanted), []);
  assert.deepEqual(changes([registry]), ['upsert A', 'upsert AAAA']);
  assert.deepEqual(changes([record, registry]), ['delete CNAME', 'upsert A', 'upsert AAAA']);
});

test('missing and wrong records are corrected, owned records that nothing wants are deleted, foreign records stay', () => {
  const wanted = [record, registry];
  const asked = (there: readonly RecordSet[], records = wanted) =>
    changesTo(there, records).map(({ action, set }) => `${action} ${set.type} ${set.name}`);
  const both = ['upsert CNAME app.example.com', 'upsert TXT cname-app.example.com'];
  assert.deepEqual(asked([]), both);
  assert.deepEqual(asked(wanted), []);
  assert.deepEqual(asked([registry]), both.slice(0, 1), 'only the CNAME is missing');
  assert.deepEqual(asked([{ ...record, values: ['other'] }, registry]), both.slice(0, 1));
  assert.deepEqual(asked([{ ...record, values: ['other'] }]), [], 'a foreign record with that name');
  assert.deepEqual(asked(wanted, []), ['delete CNAME app.example.com', 'delete TXT cname-app.example.com']);
  assert.deepEqual(asked([{ ...record, name: 'www.example.com' }], []), [], 'policy sync deletes only owned records');
  const theirs = { ...registry, values: ['"heritage=external-dns,external-dns/owner=other"'] };
  assert.deepEqual(asked([record, theirs], []), []);
});

test('a deleted record is restored within a minute, and resolves when the change has propagated', async () => {
  let now = () => 0;
  const zone = createZone({
    name: 'example.com',
    now: () => now(),
    negativeTtlSeconds: 60,
    propagationSeconds: () => 30,
  });
  await onStage([dnsAutomation(zone)], [served], async ({ clock, until }) => {
    now = () => clock.wallAt();
    const listed = () => zone.list().some(({ type }) => type === 'CNAME');
    await until(async () => listed());
    await clock.sleep(40);
    assert.equal(zone.answer('app.example.com', 'A').code, 'NOERROR');
    zone.change([{ action: 'delete', set: record }]);
    const restored = await until(async () => listed());
    assert.ok(restored <= 60, `${restored} s`);
    const propagated = await until(async () => zone.answer('app.example.com', 'A').code === 'NOERROR');
    assert.ok(propagated <= 30, `${propagated} s`);
  });
});
