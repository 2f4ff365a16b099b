import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NameMeasurement } from '../../../src/validation/measure/name.ts';
import type { NameSeen, NameSource } from '../../../src/validation/record/observed.ts';
import { dnsFailure } from '../../../src/validation/scenarios/dns-failure.ts';
import { outcomes, settings, words } from '../../support/measured.ts';
import { before } from '../../support/objects.ts';
import { downtime } from '../../support/results.ts';

const automation = {
  ...({ component: 'DNS automation', namespace: 'external-dns', pod: 'external-dns-1' } as const),
  node: 'system',
  deployment: 'external-dns',
};
const now = before({ components: [automation] });
const deletion = { action: 'delete-dns-record', target: { name: 'app.example.com', zone: 'example.com' } };

test('first the DNS automation restores the record, then it is paused so that clients fail', () => {
  assert.deepEqual(dnsFailure.plan(now, settings, 0), { actions: [deletion] });
  const target = { namespace: 'external-dns', name: 'external-dns', selector: settings.dnsAutomation.selector };
  assert.deepEqual(dnsFailure.plan(now, settings, 1), { actions: [{ action: 'pause-deployment', target }, deletion] });
});

test('an apex, a wildcard, a name of another zone and an automation that cannot be paused are inconclusive', () => {
  for (const url of ['http://example.com/', 'http://*.example.com/', 'http://app.example.org/'])
    assert.ok('inconclusive' in dnsFailure.plan(now, { ...settings, url }, 0), url);
  assert.ok(
    'inconclusive' in dnsFailure.plan(before({ components: [{ ...automation, deployment: undefined }] }), settings, 1),
  );
});

const seen = (by: NameSource, code: NameSeen['code']): NameSeen => ({
  type: 'name-seen',
  by,
  code,
  values: [],
  ttlSeconds: null,
});
const settled = (round: number, ...all: readonly NameSeen[]) =>
  dnsFailure.settled({ ...now, name: Object.fromEntries(all.map((one) => [one.by, one])) }, now, round);

test('the first round settles when zone and authoritative server have the record again, the second when the resolver has not', () => {
  const there = [seen('zone', 'NOERROR'), seen('authority', 'NOERROR'), seen('resolver', 'NOERROR')];
  assert.equal(settled(0, ...there), true);
  assert.equal(settled(0, seen('zone', 'NOERROR'), seen('authority', 'NXDOMAIN')), false);
  assert.equal(settled(0, seen('zone', 'NXDOMAIN'), seen('authority', 'NOERROR')), false);
  assert.equal(settled(0, seen('authority', 'NOERROR')), false);
  assert.equal(settled(0, seen('zone', 'NOERROR'), seen('authority', 'NODATA')), false);
  assert.equal(settled(0, seen('zone', 'NOERROR')), true, 'no authoritative server was found');
  for (const code of ['TIMEOUT', 'SERVFAIL'] as const)
    assert.equal(settled(0, seen('zone', 'NOERROR'), seen('authority', code)), true, `it may not be asked: ${code}`);
  assert.equal(settled(1), false);
  assert.equal(settled(1, ...there), false);
  assert.equal(settled(1, seen('resolver', 'NXDOMAIN')), true);
  assert.equal(settled(1, seen('resolver', 'SERVFAIL')), false, 'a resolver in trouble knows nothing');
});

const name: NameMeasurement = {
  recordTtlSeconds: 300,
  negativeTtlSeconds: 60,
  selfHealSeconds: 41,
  authorityGoneSeconds: 32,
  resolverGoneSeconds: 104,
  returnSeenBy: 'authority',
  resolverTailSeconds: 20,
  clientTailSeconds: 21,
  restored: true,
  untold: [],
};

test('a record that is back, and resolves within the negative TTL and a margin, is as expected; the rest is recorded', () => {
  assert.deepEqual(outcomes(dnsFailure, { name }), {
    'record-restored': 'met',
    'resolves-again': 'met',
    clients: 'noted',
    ttl: 'noted',
    'self-heal': 'noted',
  });
  const recorded = { name, downtime: downtime({ bad: 60, seconds: 60 }) };
  assert.match(words(dnsFailure, 'clients', recorded), /60\.0 s of downtime, of which 21 s after the record was back/);
  assert.match(
    words(dnsFailure, 'ttl', recorded),
    /TTL 300 s \(settings: 300 s\), negative TTL 60 s; .* after 32 s, .* after 104 s, .* 20 s after/,
  );
  assert.match(words(dnsFailure, 'self-heal', recorded), /after 41 s/);
});

test('an incomplete restore fails', () => {
  assert.equal(outcomes(dnsFailure, { name: { ...name, restored: false } })['record-restored'], 'not-met');
  assert.equal(outcomes(dnsFailure, { name: { ...name, restored: null } })['record-restored'], 'inconclusive');
  assert.equal(outcomes(dnsFailure)['record-restored'], 'inconclusive');
  const late = outcomes(dnsFailure, { name: { ...name, restored: null, resolverTailSeconds: null } });
  assert.equal(late['resolves-again'], 'not-met');
});

test('a name that does not resolve in time is not as expected; one that was never gone tested nothing', () => {
  const again = (resolverTailSeconds: number | null, resolverGoneSeconds: number | null = 104) =>
    outcomes(dnsFailure, { name: { ...name, resolverTailSeconds, resolverGoneSeconds } })['resolves-again'];
  assert.deepEqual(
    [again(90), again(91), again(null), again(null, null)],
    ['met', 'not-met', 'not-met', 'inconclusive'],
  );
});

test('a record whose TTL is longer than the scenario waits is named as the cause, with its annotation', () => {
  const kept = { name: { ...name, recordTtlSeconds: 3600, resolverTailSeconds: null, resolverGoneSeconds: null } };
  assert.match(words(dnsFailure, 'resolves-again', kept), /its TTL of 3600 s.*external-dns.*ttl to 60/);
  const unknown = { name: { ...kept.name, recordTtlSeconds: 300 } };
  assert.doesNotMatch(words(dnsFailure, 'resolves-again', unknown), /TTL of 3/);
});

test('NODATA counts as absent, and seconds without a sample leave open how long clients fail', () => {
  const why = (url: string) => JSON.stringify(dnsFailure.plan(now, { ...settings, url }, 0));
  assert.match(why('http://example.com/'), /apex or a wildcard/);
  assert.match(why('http://app.example.org/'), /not in zone example.com/);
  assert.equal(settled(1, seen('resolver', 'NODATA')), true);
  for (const over of [{ unknown: 1 }, { samples: 0 }])
    assert.equal(outcomes(dnsFailure, { name, downtime: downtime(over) }).clients, 'inconclusive');
});

test('a source without an answer is named, and is no failure', () => {
  const restored = (over: Partial<NameMeasurement>) => {
    const measured = { name: { ...name, ...over } };
    return [outcomes(dnsFailure, measured)['record-restored'], words(dnsFailure, 'record-restored', measured)];
  };
  assert.deepEqual(restored({}), ['met', 'it is | ']);
  const [outcome, said = ''] = restored({ untold: ['authority'] });
  assert.equal(outcome, 'met');
  assert.match(said, /^it is at the others; the authoritative server did not answer both before and after: .*port 53/);
  assert.deepEqual(restored({ restored: null, untold: ['zone', 'resolver'] }), [
    'inconclusive',
    'the zone and the resolver did not answer both before and after | ',
  ]);
});

test('the limit from the zone’s change includes the time until its servers have it', () => {
  const again = (resolverTailSeconds: number) =>
    outcomes(dnsFailure, { name: { ...name, returnSeenBy: 'zone', resolverTailSeconds } })['resolves-again'];
  assert.deepEqual([again(150), again(151)], ['met', 'not-met']);
});

test('if the return of the record was not observed, the resolver’s time is inconclusive', () => {
  const unseen = { ...name, returnSeenBy: null, resolverTailSeconds: null };
  assert.equal(outcomes(dnsFailure, { name: unseen })['resolves-again'], 'inconclusive');
});
