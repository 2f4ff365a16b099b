import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrival, readyArrival } from '../../../src/validation/measure/since.ts';
import { at, change, history, pod, stamp } from '../../support/changes.ts';

const changes = [
  change(3, 'Pod', 'web', pod('a', { ready: false })),
  change(4.2, 'Pod', 'web', pod('a', { readyAt: stamp(4) })),
  change(9.4, 'Pod', 'web', pod('a', { readyAt: stamp(9) })),
  change(9.8, 'Pod', 'web', pod('a', { readyAt: stamp(9), restarts: 1 })),
];

test('an arrival is the first change that brought the object so', () => {
  assert.equal(
    arrival(history(changes), 'Pod', ({ uid }) => uid === 'a'),
    at(3),
  );
  assert.equal(
    arrival(history(changes), 'Pod', ({ uid }) => uid === 'b'),
    undefined,
  );
  assert.equal(
    arrival(history(changes), 'IngressPod', ({ uid }) => uid === 'a'),
    undefined,
  );
});

test('a pod that became ready twice arrived ready when its last time came', () => {
  assert.equal(readyArrival(history(changes), 'Pod', 'a', stamp(9)), at(9.4));
});
