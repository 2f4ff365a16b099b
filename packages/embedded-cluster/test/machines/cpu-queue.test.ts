import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Container } from '../../src/machines/containers.ts';
import { createCpuQueue } from '../../src/machines/cpu-queue.ts';
import { container } from '../support/container.ts';

function queueOf(one: Container = container()) {
  const state = { now: 10_000, strained: [] as string[] };
  const runtime = { container: () => one, strain: (id: string) => void state.strained.push(id) };
  return { state, one, queue: createCpuQueue(runtime, () => state.now) };
}

test('requests have the CPU one after another, as fast as the limit lets them', () => {
  const { state, one, queue } = queueOf();
  const share = { secondsPerRequest: 0.1, cores: 0.2 };
  assert.deepEqual(queue.queue(one, share), { from: 10_000, to: 10_500, answeredAt: 10_500 });
  assert.deepEqual(queue.queue(one, share), { from: 10_500, to: 11_000, answeredAt: 11_000 });
  state.now = 10_750;
  assert.equal(queue.waitSeconds(one.id), 0.25);
  state.now = 20_000;
  assert.equal(queue.waitSeconds(one.id), 0);
  assert.deepEqual(queue.queue(one, share).from, 20_000);
});

test('several cores serve several requests, and one request uses one of them', () => {
  const { one, queue } = queueOf();
  const share = { secondsPerRequest: 0.1, cores: 2 };
  assert.deepEqual(queue.queue(one, share), { from: 10_000, to: 10_050, answeredAt: 10_100 });
  assert.deepEqual(queue.queue(one, share), { from: 10_050, to: 10_100, answeredAt: 10_150 });
});

test('the kubelet gets a notice when a request waits longer than the least timeout of a probe', () => {
  const { state, one, queue } = queueOf();
  for (let request = 0; request < 10; request += 1) queue.queue(one, { secondsPerRequest: 0.1, cores: 1 });
  assert.deepEqual(state.strained, []);
  queue.queue(one, { secondsPerRequest: 0.1, cores: 1 });
  assert.deepEqual(state.strained, [one.id]);
});

test('nothing waits for a container that has ended', () => {
  const { state, one, queue } = queueOf(container({ exitsAt: 12_000 }));
  queue.queue(one, { secondsPerRequest: 5, cores: 1 });
  state.now = 12_000;
  assert.equal(queue.waitSeconds(one.id), 0);
});

test('in no span of time is more CPU had than the limit allows, and no request is before one that came earlier', () => {
  const arrivals = fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(
      arrivals,
      fc.constantFrom(0.1, 0.5, 1, 4),
      fc.constantFrom(0.001, 0.02, 0.3),
      (gaps, cores, seconds) => {
        const { state, one, queue } = queueOf();
        let last = 0;
        for (const gap of gaps) {
          state.now += gap;
          const { from, to, answeredAt } = queue.queue(one, { secondsPerRequest: seconds, cores });
          assert.ok(from >= Math.max(last, state.now) - 1e-6 && to > from);
          assert.ok(Math.abs(seconds / cores - (to - from) / 1000) < 1e-9);
          assert.ok(answeredAt >= state.now + 1000 * seconds - 1e-6, 'never faster than its CPU time');
          last = to;
        }
      },
    ),
  );
});
