import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  createEndpointPropagation,
  type EndpointPropagation,
  type Watcher,
} from '../../src/data-plane/endpoint-propagation.ts';
import type { EndpointSlice } from '../../src/kubernetes/resources.ts';
import type { Cache, CacheChange } from '../../src/objects/cache.ts';
import { delays } from '../../src/time/delays.ts';

const serviceKey = 'default/nginx-test';
const old: Watcher = { id: 'old process', startedAt: Number.NEGATIVE_INFINITY };

interface Rig {
  /** The Service's slice has one endpoint, with that address, from that instant on (epoch milliseconds). */
  readonly change: (address: string, at: number) => void;
  readonly at: (instant: number) => EndpointPropagation;
}

function rig(): Rig {
  let now = 0;
  let notify: (change: CacheChange<'EndpointSlice'>) => void = () => {};
  const cache = {
    subscribe: (kind: string, listener: (change: never) => void) => {
      if (kind === 'EndpointSlice') notify = listener as typeof notify;
    },
    list: () => [],
  } as unknown as Cache;
  const propagation = createEndpointPropagation(cache, () => now, delays);
  return {
    change: (address, at) => {
      now = at;
      notify({ type: 'modified', object: slice(address) });
    },
    at: (instant) => {
      now = instant;
      return propagation;
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

const atWorker = (propagation: EndpointPropagation, worker = 0, controller = old) =>
  propagation.atIngressWorker(controller, worker, serviceKey)?.ready[0]?.address;
const atProxy = (propagation: EndpointPropagation, proxy = old) =>
  propagation.atKubeProxy(proxy, serviceKey)?.ready[0]?.address;

test('an ingress worker reads a change at its next poll, within 1.05 s of a change that no sync delays', () => {
  const { change, at } = rig();
  change('10.0.0.1', 0);
  change('10.0.0.2', 100_000);
  assert.equal(atWorker(at(100_001)), '10.0.0.1');
  for (let worker = 0; worker < 8; worker += 1) assert.equal(atWorker(at(101_051), worker), '10.0.0.2');
  const polls = Array.from({ length: 100 }, (_, ten) =>
    Array.from({ length: 8 }, (_, worker) => atWorker(at(100_000 + 10 * ten), worker)),
  );
  const firsts = Array.from({ length: 8 }, (_, worker) => polls.findIndex((all) => all[worker] === '10.0.0.2'));
  assert.ok(new Set(firsts).size > 3, 'each worker polls at its own moment');
});

test('a second change soon after the first waits for ingress-nginx’s rate limit, 10/3 s after the first sync', () => {
  const { change, at } = rig();
  change('10.0.0.1', 0);
  change('10.0.0.2', 100_000);
  change('10.0.0.3', 100_500);
  assert.equal(atWorker(at(103_300)), '10.0.0.2');
  assert.equal(atWorker(at(104_400)), '10.0.0.3');
});

test('a sync reads the latest version: a change between two syncs that is overwritten is never read', () => {
  const { change, at } = rig();
  change('10.0.0.1', 0);
  change('10.0.0.2', 100_000);
  change('10.0.0.3', 100_500);
  change('10.0.0.4', 103_000);
  const versions = Array.from({ length: 600 }, (_, ten) => atWorker(at(100_000 + 10 * ten)));
  assert.deepEqual([...new Set(versions)], ['10.0.0.1', '10.0.0.2', '10.0.0.4']);
});

test('kube-proxy applies a change within 0.3 s, and syncs at most once a second', () => {
  const { change, at } = rig();
  change('10.0.0.1', 0);
  change('10.0.0.2', 100_000);
  assert.equal(atProxy(at(100_040)), '10.0.0.1');
  assert.equal(atProxy(at(100_301)), '10.0.0.2');
  change('10.0.0.3', 100_400);
  assert.equal(atProxy(at(101_040)), '10.0.0.2');
  assert.equal(atProxy(at(101_301)), '10.0.0.3');
});

test('a process that has exited does not sync any more, and a new one starts with the current version', () => {
  const { change, at } = rig();
  change('10.0.0.1', 0);
  change('10.0.0.2', 100_000);
  change('10.0.0.3', 110_000);
  assert.equal(atProxy(at(150_000), { ...old, endedAt: 105_000 }), '10.0.0.2');
  assert.equal(atWorker(at(105_000), 0, { id: 'new', startedAt: 104_000 }), '10.0.0.2');
});

test('for any sequence of changes, a worker has a version that existed, superseded at most 3.4 + 1.1 s ago', () => {
  const gaps = fc.array(fc.integer({ min: 1, max: 6000 }), { minLength: 1, maxLength: 25 });
  fc.assert(
    fc.property(gaps, fc.integer({ min: 0, max: 8000 }), (pauses, later) => {
      const { change, at } = rig();
      let now = 0;
      const changedAt = pauses.map((pause, index) => {
        now += pause;
        change(String(index), now);
        return now;
      });
      const readAt = now + later;
      const version = Number(atWorker(at(readAt)));
      const superseded = changedAt[version + 1] ?? Number.POSITIVE_INFINITY;
      assert.ok((changedAt[version] ?? Number.POSITIVE_INFINITY) <= readAt);
      assert.ok(superseded > readAt - 4500, `its version was superseded ${readAt - superseded} ms ago`);
    }),
  );
});
