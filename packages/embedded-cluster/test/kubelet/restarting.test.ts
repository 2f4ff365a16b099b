import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restartAt } from '../../src/kubelet/restarting.ts';
import type { Container } from '../../src/machines/containers.ts';

const exited = (crashes: number, more: Partial<Container> = {}): Container => ({
  id: 'uid/c/0',
  podKey: 'default/p',
  podUid: 'uid',
  name: 'c',
  image: 'nginx',
  instanceId: 'i-1',
  address: '10.0.0.1',
  ports: [],
  restarts: crashes,
  createdAt: 0,
  startsAt: 0,
  listensAt: 0,
  seenAt: 0,
  exitsAt: 4000,
  crashes,
  ...more,
});
const waits = (container: Container): number => (restartAt(container) - (container.exitsAt ?? 0)) / 1000;

test('a container that ends by itself is restarted at once, then after 10 s, 20 s … 300 s', () => {
  assert.deepEqual(
    [0, 1, 2, 5, 9].map((crashes) => waits(exited(crashes))),
    [0, 10, 20, 160, 300],
  );
});

test('one that its kubelet has killed, for a liveness probe, is restarted at once twice, and waits the third time', () => {
  const killed = { stopGraceSeconds: 30 };
  assert.deepEqual(
    [0, 1, 2, 3].map((crashes) => waits(exited(crashes, killed))),
    [0, 0, 10, 20],
  );
});

test('a container that has run for ten minutes begins anew', () => {
  assert.equal(waits(exited(5, { exitsAt: 600_000 })), 0);
});
