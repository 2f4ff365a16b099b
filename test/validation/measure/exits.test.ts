import assert from 'node:assert/strict';
import { test } from 'node:test';
import { podExits } from '../../../src/validation/measure/application.ts';
import type { PodDigest } from '../../../src/validation/record/digest.ts';
import { at, change, history, pod, stamp } from '../../support/changes.ts';

/** Deleted at 10 s with a grace period of 40 s, gone at `goneSeconds`. */
function exitOf(goneSeconds: number, last: Partial<PodDigest> = {}) {
  const leaving = pod('p', { deletingAt: stamp(50) });
  const changes = [
    change(-50, 'Pod', 'p', pod('p')),
    change(10, 'Pod', 'p', leaving),
    change(goneSeconds, 'Pod', 'p', { ...leaving, ready: false, ...last }, 'deleted'),
  ];
  return podExits(history(changes), at(0), at(100));
}

test('a pod’s exit lasts from its deletion to its end', () => {
  assert.deepEqual(exitOf(21, { exitCode: 0 }), [{ pod: 'p', seconds: 11, graceful: true }]);
});

test('exit code 137 is SIGKILL and not graceful, any other is', () => {
  assert.equal(exitOf(21, { exitCode: 137 })[0]?.graceful, false);
  assert.equal(exitOf(21, { exitCode: 143 })[0]?.graceful, true);
});

test('without an exit code the grace period decides', () => {
  assert.equal(exitOf(51)[0]?.graceful, true);
  assert.equal(exitOf(53)[0]?.graceful, false);
});

test('only pods of the application that were deleted and gone in the window count', () => {
  assert.deepEqual(exitOf(101), []);
  const others = [change(20, 'IngressPod', 'i', pod('i', { deletingAt: stamp(50) }), 'deleted')];
  assert.deepEqual(podExits(history(others), at(0), at(100)), []);
});

test('an end before the window does not count, and one without a deletion before it took no time', () => {
  const ends = (...changes: readonly ReturnType<typeof change>[]) => podExits(history(changes), at(0), at(100));
  assert.deepEqual(ends(change(-1, 'Pod', 'p', pod('p', { deletingAt: stamp(30) }), 'deleted')), []);
  assert.deepEqual(ends(change(5, 'Pod', 'p', pod('p'), 'deleted')), [{ pod: 'p', seconds: 0, graceful: true }]);
});
