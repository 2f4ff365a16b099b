import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Bounded } from '../../../src/figures/figures.js';
import { againstSentence, againstTables } from '../../../src/report/against.ts';
import { comparedAll, comparedWith } from '../../../src/validation/judge/against.ts';
import type { RehearsedAgainst, SeededResult } from '../../../src/validation/record/events.ts';

type Verdict = SeededResult['scenarios'][number]['verdict'];
type Seeded = readonly [verdict: Verdict, lowerSeconds: number, upperSeconds: number];

const boundsOf = (span: Bounded) => ({ ...span, span });
const results = (
  all: readonly Seeded[],
  outcome: SeededResult['criteria'][number]['outcome'] = 'met',
): SeededResult[] =>
  all.map(([verdict, lowerSeconds, upperSeconds], seed) => ({
    seed,
    scenarios: [{ name: 'load', verdict, downtime: boundsOf({ seconds: lowerSeconds, lowerSeconds, upperSeconds }) }],
    criteria: [{ number: 1, outcome }],
  }));
const fact = (before: readonly SeededResult[], after: readonly SeededResult[]): RehearsedAgainst => ({
  at: '2026-01-01T00:00:00Z',
  type: 'rehearsed-against',
  paths: ['base'],
  before,
  after,
});
const change = (before: readonly Seeded[], after: readonly Seeded[]) =>
  comparedWith(fact(results(before), results(after))).change;

test('a change is worse if one seed fails that did not before, and better only if none does any more', () => {
  assert.equal(change([['pass', 0, 0]], [['fail', 0, 2]]), 'worse');
  assert.equal(
    change(
      [
        ['pass', 0, 0],
        ['pass', 0, 0],
      ],
      [
        ['pass', 0, 0],
        ['fail', 1, 3],
      ],
    ),
    'worse',
  );
  assert.equal(change([['fail', 1, 3]], [['pass', 0, 0]]), 'better');
  assert.equal(
    change(
      [
        ['fail', 1, 3],
        ['pass', 0, 0],
      ],
      [
        ['fail', 1, 3],
        ['pass', 0, 0],
      ],
    ),
    'same',
  );
});

test('with the same verdict only a downtime beyond all bounds of before is a change', () => {
  assert.equal(change([['pass', 5, 8]], [['pass', 7, 10]]), 'same');
  assert.equal(change([['pass', 5, 8]], [['pass', 9, 10]]), 'worse');
  assert.equal(change([['pass', 5, 8]], [['pass', 1, 4]]), 'better');
  assert.equal(
    change(
      [
        ['pass', 5, 8],
        ['pass', 20, 21],
      ],
      [
        ['pass', 9, 10],
        ['pass', 12, 13],
      ],
    ),
    'same',
  );
});

test('a criterion that is no longer met makes the whole worse', () => {
  const all: readonly Seeded[] = [['pass', 0, 0]];
  const { change: whole, criteria } = comparedWith(fact(results(all), results(all, 'not-met')));
  assert.equal(whole, 'worse');
  assert.deepEqual(criteria, [{ number: 1, before: 'met', after: 'not-met', change: 'worse' }]);
});

test('what was not tested in one of the two cannot be compared', () => {
  assert.equal(change([['not-tested', 0, 0]], [['fail', 5, 8]]), 'same');
  assert.equal(change([['pass', 0, 0]], [['not-tested', 0, 0]]), 'same');
});

test('the same manifests are never a change, and the reverse of worse is better', () => {
  const verdict = fc.constantFrom<Verdict>('pass', 'fail', 'inconclusive');
  const seeded = fc
    .tuple(verdict, fc.nat(100), fc.nat(20))
    .map(([one, lower, more]): Seeded => [one, lower, lower + more]);
  const runs = fc.array(seeded, { minLength: 1, maxLength: 3 });
  const reverse = { better: 'worse', worse: 'better', same: 'same' };
  fc.assert(
    fc.property(runs, runs, (before, after) => {
      assert.equal(change(before, before), 'same');
      assert.equal(change(after, before), reverse[change(before, after)]);
    }),
  );
});

test('of several applications the whole is as bad as the worst, and one that only one side has is not compared', () => {
  const [fine, cut] = [results([['pass', 0, 0]]), results([['fail', 1, 3]], 'not-met')];
  const facts = [
    { ...fact(fine, fine), application: 'Deployment/a' },
    { ...fact(fine, cut), application: 'Deployment/b' },
    { ...fact(cut, fine), application: 'Deployment/c' },
    { ...fact([], cut), application: 'Deployment/d' },
    { ...fact(cut, []), application: 'Deployment/e' },
  ];
  const against = comparedAll(facts);
  assert.deepEqual(
    against?.applications?.map(({ application, only, change: its }) => [application, only, its]),
    [
      ['Deployment/a', undefined, 'same'],
      ['Deployment/b', undefined, 'worse'],
      ['Deployment/c', undefined, 'better'],
      ['Deployment/d', 'after', 'same'],
      ['Deployment/e', 'before', 'same'],
    ],
  );
  assert.equal(against?.change, 'worse');
  assert.deepEqual(against?.scenarios, against?.applications?.[1]?.scenarios);
  assert.deepEqual(against?.criteria, against?.applications?.[1]?.criteria);
  assert.deepEqual(against?.seeds, [0]);
  assert.equal(
    against && againstSentence({ against }),
    'This change makes it worse, beside base, 1 seeds each; criterion 1 of Deployment/b was met and is not met; criterion 1 of Deployment/c was not met and is met; Deployment/d is new; visitors do not reach Deployment/e any more',
  );
});

test('downtimes side by side have their bounds, and none is told as zero that is not', () => {
  const against = comparedAll([
    fact(
      results([
        ['pass', 0, 0],
        ['pass', 0, 0.04],
      ]),
      results([
        ['fail', 0.2, 0.4],
        ['fail', 0.3, 1.2],
      ]),
    ),
  ]);
  const [shown] = againstTables({ against, scenarios: [] } as unknown as Parameters<typeof againstTables>[0]);
  assert.deepEqual(shown?.rows, [['load', 'pass, < 0.1 s', 'fail, 0.2–1.2 s', 'worse']]);
});
