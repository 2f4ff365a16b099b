import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drift, emptiness } from '../../src/autoscaler/commands.ts';
import type { Resource } from '../../src/kubernetes/kinds.ts';
import { healthy } from '../../src/setup/setup.ts';
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

test('drift waits while the pods of a node would go to a machine that is still starting', () => {
  const old = member('old', { driftedAt: '2026-01-01T00:10:00Z' });
  const pod = objects.pod('on-old', { nodeName: 'node-old' }, { ready: true });
  assert.deepEqual(chosen([...old, ...member('young'), pod]), ['old']);
  assert.equal(chosen([...old, ...member('young', { conditions: [] }), pod]), undefined);
});

test('the pods of a node that is going already take their room first where they are the older ones', () => {
  const going = member('going', { isDeleted: true });
  const old = member('old', { driftedAt: '2026-01-01T00:10:00Z' });
  const onNode = (id: string, createdAt: string) => {
    const there = objects.pod(`on-${id}`, { nodeName: `node-${id}` }, { ready: true });
    const containers = [{ name: 'app', image: 'app', resources: { requests: { cpu: '1500m' } } }];
    const metadata = { ...there.metadata, creationTimestamp: createdAt };
    return { ...there, metadata, spec: { ...there.spec, containers } } as Resource;
  };
  const pods = [onNode('going', '2026-01-01T00:00:00Z'), onNode('old', '2026-01-01T00:01:00Z')];
  assert.equal(
    chosen([...going, ...old, ...member('young'), ...pods]),
    undefined,
    'one of both fits, and no pool has a type',
  );
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
