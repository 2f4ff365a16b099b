import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureName } from '../../../src/validation/measure/name.ts';
import type { NameSeen, NameSource, Observed } from '../../../src/validation/record/observed.ts';
import { at } from '../../support/changes.ts';
import { evidence } from '../../support/evidence.ts';

const timed = <F extends Observed>(seconds: number, fact: F) => ({ ...fact, at: new Date(at(seconds)).toISOString() });
const seen = (seconds: number, by: NameSource, values: readonly string[], ttlSeconds: number | null = null) =>
  timed<NameSeen>(seconds, {
    type: 'name-seen',
    by,
    values,
    ttlSeconds: values.length === 0 ? null : (ttlSeconds ?? 300),
    code: values.length === 0 ? 'NXDOMAIN' : 'NOERROR',
  });
const fails = (seconds: number, by: NameSource, code: NameSeen['code'] = 'TIMEOUT') => ({
  ...seen(seconds, by, []),
  code,
});
const lb = ['lb.example.org'];
const start = [
  timed(-30, { type: 'zone-read', zone: 'example.com', authority: '10.0.0.1', negativeTtlSeconds: 60 }),
  ...(['zone', 'authority', 'resolver'] as const).map((by) => seen(-30, by, lb)),
];
const rounds = [
  { openedAt: at(0), actedAt: at(1), restAt: at(60) },
  { openedAt: at(100), actedAt: at(101), restAt: at(250) },
];
const outages = [
  { kinds: ['dns' as const], from: new Date(at(211)).toISOString(), to: new Date(at(331)).toISOString() },
];
const all = [
  ...start,
  ...[seen(2, 'zone', []), seen(42, 'zone', lb), seen(20, 'authority', []), seen(55, 'authority', lb)],
  ...[seen(102, 'zone', []), seen(130, 'authority', []), seen(210, 'resolver', [])],
  ...[seen(262, 'zone', lb), seen(290, 'authority', lb), seen(330, 'resolver', lb)],
].sort((a, b) => a.at.localeCompare(b.at));
type Fact = (typeof all)[number];
const without = (source: NameSource, facts: readonly Fact[] = all) =>
  facts.filter((fact) => !('by' in fact && fact.by === source));
const measured = (...observed: readonly Fact[]) =>
  measureName(evidence({ observed: observed.toSorted((a, b) => a.at.localeCompare(b.at)), rounds, outages }));

test('self-heal is measured in the first round, absence and return in the second', () => {
  assert.deepEqual(measureName(evidence({ observed: all, rounds, outages })), {
    recordTtlSeconds: 300,
    negativeTtlSeconds: 60,
    selfHealSeconds: 41,
    authorityGoneSeconds: 29,
    resolverGoneSeconds: 109,
    returnSeenBy: 'authority',
    resolverTailSeconds: 40,
    clientTailSeconds: 41,
    restored: true,
    untold: [],
  });
});

test('a name is restored if every source has the same record at the end as at the start', () => {
  const restoredWith = (...more: readonly ReturnType<typeof seen>[]) =>
    measureName(evidence({ observed: [...all, ...more], rounds })).restored;
  assert.equal(restoredWith(seen(400, 'resolver', [])), false);
  assert.equal(restoredWith(seen(400, 'zone', ['other.example.org'])), false);
  assert.equal(restoredWith(seen(400, 'resolver', lb)), true);
  for (const by of ['zone', 'resolver'] as const) {
    const { restored, untold } = measured(...without(by));
    assert.deepEqual([restored, untold], [null, [by]], `the ${by} was not asked`);
    const gone = [seen(-30, by, []), ...without(by), seen(400, by, lb)];
    assert.equal(measured(...gone).restored, null, 'first seen when it was gone');
    const late = [fails(-30, by), ...without(by), seen(42, by, lb)];
    assert.equal(measured(...late).restored, null, 'no answer before the deletion');
  }
});

test('what was not observed is null, never zero', () => {
  const {
    restored: _,
    recordTtlSeconds: __,
    negativeTtlSeconds: ___,
    untold: ____,
    ...rest
  } = measureName(evidence({ observed: start, rounds }));
  assert.deepEqual(new Set(Object.values(rest)), new Set([null]));
});

test('self-heal is measured at the zone, within the round', () => {
  const heal = (...more: readonly ReturnType<typeof seen>[]) =>
    measureName(evidence({ observed: [...start, ...more], rounds })).selfHealSeconds;
  assert.equal(heal(seen(2, 'zone', []), seen(61, 'zone', lb)), null);
  assert.equal(heal(seen(2, 'zone', []), seen(30, 'authority', lb), seen(42, 'zone', lb)), 41);
});

test('a name that was never present was not restored, and without an outage no client failed', () => {
  const never = (['zone', 'authority', 'resolver'] as const).map((by) => seen(-30, by, []));
  assert.equal(measureName(evidence({ observed: never, rounds })).restored, false);
  assert.equal(measureName(evidence({ observed: all, rounds, outages: [] })).clientTailSeconds, null);
});

test('a server that fails, refuses or never answers shows neither absence nor return', () => {
  const hiccups = [fails(105, 'authority', 'SERVFAIL'), fails(110, 'resolver', 'SERVFAIL'), seen(115, 'resolver', lb)];
  const { authorityGoneSeconds, resolverGoneSeconds, restored } = measured(...all, ...hiccups);
  assert.deepEqual([authorityGoneSeconds, resolverGoneSeconds, restored], [29, 109, true]);
  assert.equal(
    measured(fails(-35, 'resolver'), ...all).restored,
    true,
    'no answer at first, but one before the deletion',
  );
  const mute = measured(...all, fails(400, 'resolver'));
  assert.deepEqual([mute.restored, mute.untold], [null, ['resolver']], 'no answer at the end');
});

test('without the authoritative server zone and resolver decide, and the tails count from the zone', () => {
  for (const nothing of [[], [fails(-25, 'authority')]]) {
    const {
      restored,
      untold,
      returnSeenBy,
      resolverTailSeconds,
      clientTailSeconds,
      authorityGoneSeconds,
      recordTtlSeconds,
    } = measured(...without('authority'), ...nothing);
    assert.deepEqual([restored, untold, returnSeenBy], [true, ['authority'], 'zone']);
    assert.deepEqual([resolverTailSeconds, clientTailSeconds, authorityGoneSeconds], [68, 69, null]);
    assert.equal(recordTtlSeconds, 300, 'what the zone says');
  }
  const mute = measured(
    ...without('authority'),
    seen(-30, 'authority', lb),
    seen(130, 'authority', []),
    fails(200, 'authority'),
  );
  assert.deepEqual([mute.restored, mute.untold], [true, ['authority']], 'no answer after a while');
  const asleep = [seen(-30, 'authority', lb), fails(105, 'authority'), seen(350, 'authority', lb)];
  assert.equal(measured(...without('authority'), ...asleep).returnSeenBy, 'zone', 'it showed no absence');
  const other = measured(...all, seen(400, 'authority', ['other.example.org']));
  assert.equal(other.restored, false, 'an answer that it does give counts');
});

test('the zone’s record of an alias is compared, and of its addresses only that there are some', () => {
  const alias = (seconds: number, values = lb) => ({ ...seen(seconds, 'zone', values), alias: true as const });
  const addresses = (...values: readonly string[]) => [
    ...(['authority', 'resolver'] as const).flatMap((by) => [
      ...[seen(-30, by, ['192.0.2.1', '192.0.2.2'], 60), seen(130, by, [])],
      seen(290, by, ['192.0.2.1', ...values]),
    ]),
  ];
  const zone = [alias(-30), seen(102, 'zone', []), alias(262)];
  const { restored, recordTtlSeconds } = measured(...zone, ...addresses('192.0.2.3'));
  assert.deepEqual([restored, recordTtlSeconds], [true, 60], 'the TTL is the load balancer’s');
  assert.equal(measured(...zone, ...addresses('192.0.2.3'), seen(400, 'resolver', [])).restored, false);
  assert.equal(measured(...zone, alias(400, ['other.example.org']), ...addresses('192.0.2.3')).restored, false);
  assert.equal(
    measured(...zone, seen(400, 'zone', lb), ...addresses('192.0.2.2')).restored,
    false,
    'not an alias any more',
  );
  const plain = [seen(-30, 'zone', lb), seen(102, 'zone', []), seen(262, 'zone', lb)];
  assert.equal(measured(...plain, ...addresses('192.0.2.3')).restored, false, 'a record of the zone’s own');
});

test('a resolver with several caches has the name again when the last of them has it', () => {
  const tail = (...more: readonly Fact[]) =>
    measured(...without('resolver'), seen(-30, 'resolver', lb), ...more).resolverTailSeconds;
  const flaps = [seen(210, 'resolver', []), seen(220, 'resolver', lb), seen(230, 'resolver', [])];
  assert.equal(tail(...flaps, seen(330, 'resolver', lb)), 40);
  assert.equal(tail(...flaps, seen(330, 'resolver', lb), seen(340, 'resolver', []), seen(390, 'resolver', lb)), 100);
  assert.equal(tail(seen(210, 'resolver', []), seen(220, 'resolver', lb)), 0, 'it had the record when it returned');
  const troubled = [seen(210, 'resolver', []), seen(220, 'resolver', lb), fails(230, 'resolver', 'SERVFAIL')];
  assert.equal(tail(...troubled, seen(330, 'resolver', lb)), 40, 'no answer when the record returned');
  assert.equal(tail(...flaps), null);
  assert.equal(tail(), null, 'it was never gone');
});

test('the record has returned when the last authoritative server behind one address has it', () => {
  const flapping = measured(...all, seen(132, 'authority', lb), seen(134, 'authority', []));
  assert.deepEqual([flapping.authorityGoneSeconds, flapping.resolverTailSeconds], [29, 40]);
});
