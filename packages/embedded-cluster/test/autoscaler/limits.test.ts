import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWithin, roomOf } from '../../src/autoscaler/limits.ts';
import { instanceType } from '../../src/machines/instance-types.ts';
import { cacheOf } from '../support/cache-of.ts';
import * as objects from '../support/objects.ts';
import { others } from '../support/pool-members.ts';

test('a limit leaves what the capacity of the pool’s nodes has not used; without limits every node fits', () => {
  const limited = { ...objects.nodePool, spec: { ...objects.nodePool.spec, limits: { cpu: '6', nodes: '5' } } };
  const room = roomOf(limited, cacheOf(others(2)));
  assert.deepEqual(room, { cpu: 2, nodes: 3 });
  const fits = (type: string) => isWithin(room, instanceType(type) ?? assert.fail());
  assert.deepEqual([fits('r8g.large'), fits('r8g.xlarge')], [true, false]);
  assert.ok(isWithin(roomOf(objects.nodePool, cacheOf(others(99))), instanceType('r8g.4xlarge') ?? assert.fail()));
});
