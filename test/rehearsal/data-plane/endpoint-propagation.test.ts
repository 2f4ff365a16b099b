import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { EndpointSlice } from '../../../src/cluster/resources.ts';
import { createLearned, type Learned } from '../../../src/rehearsal/data-plane/endpoint-propagation.ts';
import type { Cache, CacheChange } from '../../../src/rehearsal/objects/cache.ts';
import { delays } from '../../../src/rehearsal/time/delays.ts';

const serviceKey = 'default/nginx-test';
const old = { id: 'old process', startedAt: Number.NEGATIVE_INFINITY };

interface Told {
  readonly learned: Learned;
  /** The Service's slice becomes one endpoint with that address, at that instant (milliseconds). */
  readonly tell: (address: string, at: number) => void;
  readonly at: (instant: number) => Learned;
}

function listeners(): Told {
  let now = 0;
  let hear: (change: CacheChange<'EndpointSlice'>) => void = () => {};
  const cache = {
    subscribe: (kind: string, listener: (change: never) => void) => {
      if (kind === 'EndpointSlice') hear = listener as typeof hear;
    },
    list: () => [],
  } as unknown as Cache;
  const learned = createLearned(cache, () => now, delays);
  return {
    learned,
    tell: (address, at) => {
      now = at;
      hear({ type: 'modified', object: slice(address) });
    },
    at: (instant) => {
      now = instant;
      return learned;
    },
  };
}

function slice(address: string): EndpointSlice {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'nginx-test', namespace: 'default', labels: { 'kubernetes.io/service-name': 'nginx-test' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: [address], conditions: { ready: true, serving: true, terminating: false } }],
    ports: [{ port: 80 }],
  };
}

const seenByWorker = (learned: Learned, worker = 0, learner = old) =>
  learned.toIngressWorker(learner, worker, serviceKey)?.ready[0]?.address;
const seenByProxy = (learned: Learned, learner: { id: string; startedAt: number; endedAt?: number } = old) =>
  learned.toKubeProxy(learner, serviceKey)?.ready[0]?.address;

test('after a pause an ingress worker knows of a change within a second and the apply, never at once', () => {
  const { tell, at } = listeners();
  tell('10.0.0.1', 0);
  tell('10.0.0.2', 100_000);
  assert.equal(seenByWorker(at(100_001)), '10.0.0.1');
  for (let worker = 0; worker < 8; worker += 1) assert.equal(seenByWorker(at(101_051), worker), '10.0.0.2');
  const known = Array.from({ length: 100 }, (_, ten) =>
    Array.from({ length: 8 }, (_, worker) => seenByWorker(at(100_000 + 10 * ten), worker)),
  );
  const firsts = Array.from({ length: 8 }, (_, worker) => known.findIndex((all) => all[worker] === '10.0.0.2'));
  assert.ok(new Set(firsts).size > 3, 'each worker polls at its own moment');
});

test('a second change soon after the first waits for the rate limit, 10/3 s after the first sync', () => {
  const { tell, at } = listeners();
  tell('10.0.0.1', 0);
  tell('10.0.0.2', 100_000);
  tell('10.0.0.3', 100_500);
  assert.equal(seenByWorker(at(103_300)), '10.0.0.2');
  assert.equal(seenByWorker(at(104_400)), '10.0.0.3');
});

test('changes between two syncs are one: the sync reads what is true at its own moment', () => {
  const { tell, at } = listeners();
  tell('10.0.0.1', 0);
  tell('10.0.0.2', 100_000);
  tell('10.0.0.3', 100_500);
  tell('10.0.0.4', 103_000);
  const seen = Array.from({ length: 600 }, (_, ten) => seenByWorker(at(100_000 + 10 * ten)));
  assert.deepEqual([...new Set(seen)], ['10.0.0.1', '10.0.0.2', '10.0.0.4']);
});

test('kube-proxy applies a change within 0.3 s after a pause, and not more often than once a second', () => {
  const { tell, at } = listeners();
  tell('10.0.0.1', 0);
  tell('10.0.0.2', 100_000);
  assert.equal(seenByProxy(at(100_040)), '10.0.0.1');
  assert.equal(seenByProxy(at(100_301)), '10.0.0.2');
  tell('10.0.0.3', 100_400);
  assert.equal(seenByProxy(at(101_040)), '10.0.0.2');
  assert.equal(seenByProxy(at(101_301)), '10.0.0.3');
});

test('who has ended learns nothing more, and who begins knows what is true then', () => {
  const { tell, at } = listeners();
  tell('10.0.0.1', 0);
  tell('10.0.0.2', 100_000);
  tell('10.0.0.3', 110_000);
  assert.equal(seenByProxy(at(150_000), { ...old, endedAt: 105_000 }), '10.0.0.2');
  assert.equal(seenByWorker(at(105_000), 0, { id: 'new', startedAt: 104_000 }), '10.0.0.2');
});

test('whatever changes when, a worker’s knowledge is something that was true, and never older than 3.4 + 1.1 seconds', () => {
  const gaps = fc.array(fc.integer({ min: 1, max: 6000 }), { minLength: 1, maxLength: 25 });
  fc.assert(
    fc.property(gaps, fc.integer({ min: 0, max: 8000 }), (pauses, later) => {
      const { tell, at } = listeners();
      let now = 0;
      const told = pauses.map((pause, index) => {
        now += pause;
        tell(String(index), now);
        return now;
      });
      const asked = now + later;
      const seen = Number(seenByWorker(at(asked)));
      const superseded = told[seen + 1] ?? Number.POSITIVE_INFINITY;
      assert.ok((told[seen] ?? Number.POSITIVE_INFINITY) <= asked);
      assert.ok(superseded > asked - 4500, `what it knows was superseded ${asked - superseded} ms ago`);
    }),
  );
});
