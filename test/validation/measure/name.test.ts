import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureName } from '../../../src/validation/measure/name.ts';
import type { NameSeen, NameSource, Observed } from '../../../src/validation/observe/observation.ts';
import { at } from '../../support/changes.ts';
import { evidence } from '../../support/evidence.ts';

const timed = <F extends Observed>(seconds: number, fact: F) => ({ ...fact, at: new Date(at(seconds)).toISOString() });
const seen = (seconds: number, by: NameSource, values: readonly string[], ttlSeconds: number | null = null) =>
  timed<NameSeen>(seconds, {
    ...{ type: 'name-seen', by, values, ttlSeconds: values.length === 0 ? null : (ttlSeconds ?? 300) },
    code: values.length === 0 ? 'NXDOMAIN' : 'NOERROR',
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
const outages = [{ from: new Date(at(211)).toISOString(), to: new Date(at(331)).toISOString() }];
const all = [
  ...start,
  ...[seen(2, 'zone', []), seen(42, 'zone', lb), seen(20, 'authority', []), seen(55, 'authority', lb)],
  ...[seen(102, 'zone', []), seen(130, 'authority', []), seen(210, 'resolver', [])],
  ...[seen(262, 'zone', lb), seen(290, 'authority', lb), seen(330, 'resolver', lb)],
].sort((a, b) => a.at.localeCompare(b.at));

test('self-heal from the first round, absence and return from the second', () => {
  assert.deepEqual(measureName(evidence({ observed: all, rounds, outages })), {
    recordTtlSeconds: 300,
    negativeTtlSeconds: 60,
    selfHealSeconds: 41,
    authorityGoneSeconds: 29,
    resolverGoneSeconds: 109,
    resolverTailSeconds: 40,
    clientTailSeconds: 41,
    restored: true,
  });
});

test('restored is what every source tells in the end as in the beginning', () => {
  const restoredWith = (...more: readonly ReturnType<typeof seen>[]) =>
    measureName(evidence({ observed: [...all, ...more], rounds })).restored;
  assert.equal(restoredWith(seen(400, 'resolver', [])), false);
  assert.equal(restoredWith(seen(400, 'zone', ['other.example.org'])), false);
  assert.equal(restoredWith(seen(400, 'resolver', lb)), true);
  const unasked = all.filter((fact) => !('by' in fact && fact.by === 'authority'));
  assert.equal(
    measureName(evidence({ observed: unasked, rounds })).restored,
    null,
    'nobody asked the authoritative server',
  );
  const late = [
    seen(30, 'zone', []),
    ...all.filter((fact) => !('by' in fact && fact.by === 'zone')),
    seen(400, 'zone', lb),
  ];
  assert.equal(measureName(evidence({ observed: late, rounds })).restored, null, 'first seen when it was gone');
});

test('what was never seen is null, never zero', () => {
  const {
    restored: _,
    recordTtlSeconds: __,
    negativeTtlSeconds: ___,
    ...rest
  } = measureName(evidence({ observed: start, rounds }));
  assert.deepEqual(new Set(Object.values(rest)), new Set([null]));
});

test('self-heal is what the zone tells, within the round', () => {
  const heal = (...more: readonly ReturnType<typeof seen>[]) =>
    measureName(evidence({ observed: [...start, ...more], rounds })).selfHealSeconds;
  assert.equal(heal(seen(2, 'zone', []), seen(61, 'zone', lb)), null);
  assert.equal(heal(seen(2, 'zone', []), seen(30, 'authority', lb), seen(42, 'zone', lb)), 41);
});

test('a name that was never there was not restored, and without an outage no client failed', () => {
  const never = (['zone', 'authority', 'resolver'] as const).map((by) => seen(-30, by, []));
  assert.equal(measureName(evidence({ observed: never, rounds })).restored, false);
  assert.equal(measureName(evidence({ observed: all, rounds, outages: [] })).clientTailSeconds, null);
});
