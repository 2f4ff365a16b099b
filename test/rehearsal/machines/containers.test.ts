import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readinessOf } from '../../../src/rehearsal/kubelet/readiness.ts';
import { stoppingOf } from '../../../src/rehearsal/kubelet/stopping.ts';
import {
  type Container,
  hasExited,
  isRunning,
  listensOn,
  stopped,
} from '../../../src/rehearsal/machines/containers.ts';

const container = (over: Partial<Container> = {}): Container => ({
  id: 'c',
  podKey: 'default/p',
  podUid: 'u',
  name: 'nginx',
  image: 'nginx',
  instanceId: 'i',
  address: '10.64.1.1',
  ports: [80],
  restarts: 0,
  createdAt: 0,
  startsAt: 1000,
  listensAt: 1050,
  seenAt: 1500,
  ...over,
});
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

test('the seconds of a stop come from the container’s spec: preStop sleep, an exec that sleeps, the program’s arguments', () => {
  const spec = { name: 'n', image: 'i' };
  const of = (more: object) => stoppingOf({ ...spec, ...more }, 30, 0.1);
  assert.equal(of({}).preStopSeconds, 0);
  assert.equal(of({ lifecycle: { preStop: { sleep: { seconds: 10 } } } }).preStopSeconds, 10);
  assert.equal(of({ lifecycle: { preStop: { exec: { command: ['/bin/sh', '-c', 'sleep 7'] } } } }).preStopSeconds, 7);
  assert.equal(of({ args: ['--shutdown-grace-period=5'] }).lingersSeconds, 5);
});

test('a container becomes ready with the first probe that succeeds, or with as many as successThreshold asks', () => {
  const late = container({ listensAt: 4200 });
  assert.deepEqual(readinessOf(late, { periodSeconds: 1 }, 4499), { ready: false, since: 0, changesAt: 4500 });
  assert.deepEqual(readinessOf(late, { periodSeconds: 1 }, 4500), { ready: true, since: 4500 });
  assert.equal(readinessOf(late, { periodSeconds: 1, successThreshold: 3 }, 6499).ready, false);
  assert.equal(readinessOf(late, { periodSeconds: 10 }, 11_499).changesAt, 11_500);
  assert.equal(readinessOf(container(), { periodSeconds: 10, initialDelaySeconds: 20 }, 20_999).changesAt, 21_000);
});

test('a closed socket makes a container unready after failureThreshold probes, an exit at once', () => {
  const closed = container({ closesAt: 10_000, exitsAt: 60_000 });
  assert.equal(readinessOf(closed, { periodSeconds: 1 }, 12_000).ready, true);
  assert.equal(readinessOf(closed, { periodSeconds: 1 }, 12_500).ready, false);
  assert.equal(
    readinessOf(container({ closesAt: 10_000, exitsAt: 10_100 }), { periodSeconds: 10 }, 10_100).ready,
    false,
  );
  assert.equal(readinessOf(container({ exitsAt: 10_100 }), undefined, 10_099).ready, true);
});
