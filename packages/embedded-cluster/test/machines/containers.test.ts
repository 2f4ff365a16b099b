import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hasExited, isRunning, listensOn, stopped } from '../../src/machines/containers.ts';
import { container } from '../support/container.ts';

const stop = (over: object = {}) => ({
  preStopSeconds: 0,
  graceSeconds: 30,
  lingersSeconds: 0,
  quitsSeconds: 0.1,
  reapedSeconds: 1,
  ...over,
});

test('a container stops in order: preStop hook, stop signal and closed socket, exit, clean-up by the kubelet', () => {
  const end = stopped(container(), 10_000, stop({ preStopSeconds: 10 }));
  assert.ok(listensOn(end, 80, 19_999) && !listensOn(end, 80, 20_000));
  assert.ok(isRunning(end, 20_099) && hasExited(end, 20_100));
  assert.deepEqual([end.exitCode, end.reapedAt], [0, 21_100]);
});

test('a preStop hook ends with the grace period, and the process still gets two seconds', () => {
  const end = stopped(container(), 10_000, stop({ preStopSeconds: 60, graceSeconds: 5, quitsSeconds: 10 }));
  assert.deepEqual([end.closesAt, end.exitsAt, end.exitCode], [15_000, 17_000, 137]);
});

test('a second stop request never delays the exit, whatever its grace period', () => {
  const seconds = fc.integer({ min: 0, max: 60 });
  const how = fc.record({
    preStopSeconds: seconds,
    graceSeconds: seconds,
    lingersSeconds: seconds,
    quitsSeconds: seconds,
    reapedSeconds: seconds,
  });
  fc.assert(
    fc.property(
      how,
      how,
      fc.integer({ min: 0, max: 100_000 }),
      fc.integer({ min: 0, max: 100_000 }),
      (first, second, at, later) => {
        const once = stopped(container(), at, first);
        const twice = stopped(once, at + later, second);
        assert.ok((twice.exitsAt ?? 0) <= (once.exitsAt ?? 0));
        assert.ok((twice.closesAt ?? 0) <= (twice.exitsAt ?? 0));
        assert.ok((twice.reapedAt ?? 0) >= (twice.exitsAt ?? 0));
      },
    ),
  );
});
