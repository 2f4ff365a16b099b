import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '../../../src/cluster/kinds.ts';
import { drift, emptiness } from '../../../src/rehearsal/autoscaler/commands.ts';
import { healthy } from '../../../src/rehearsal/setup/setup.ts';
import { cacheOf } from '../support/cache-of.ts';
import * as objects from '../support/objects.ts';
import { member, now, others, withBudget } from '../support/pool-members.ts';

const situation = (members: readonly Resource[]) => ({
  cache: cacheOf([withBudget('100%'), ...members]),
  now,
  zones: ['us-east-1a'],
  behaviour: healthy.autoscaler,
});
const chosen = (members: readonly Resource[], method = drift) =>
  method(situation(members))?.candidates.map(({ claim }) => claim.metadata.name);

test('drift takes one node at a time: empty ones first, then the one that drifted first', () => {
  const first = member('first', { driftedAt: '2026-01-01T00:10:00Z' });
  const second = member('second', { driftedAt: '2026-01-01T00:20:00Z' });
  const pods = ['first', 'second'].map((id) => objects.pod(`on-${id}`, { nodeName: `node-${id}` }, { ready: true }));
  assert.deepEqual(chosen([...second, ...first]), ['first']);
  assert.deepEqual(chosen([...second, ...first, ...pods]), ['first']);
  assert.deepEqual(chosen([...second, ...first, ...pods.slice(0, 1)]), ['second'], 'its node is empty');
  assert.equal(chosen(others(2)), undefined);
});

test('emptiness takes as many empty nodes as the budget allows', () => {
  const cache = (budget: string) =>
    cacheOf([withBudget(budget), ...others(4), objects.pod('p', { nodeName: 'node-c1' }, { ready: true })]);
  const emptied = (budget: string) =>
    emptiness({ ...situation([]), cache: cache(budget) })?.candidates.map(({ claim }) => claim.metadata.name);
  assert.deepEqual(emptied('100%'), ['c0', 'c2', 'c3']);
  assert.deepEqual(emptied('2'), ['c0', 'c2']);
  assert.equal(emptied('0'), undefined);
});
