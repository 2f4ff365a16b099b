import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stoppingOf } from '../../src/kubelet/stopping.ts';

test('the seconds of a stop come from the container’s spec: preStop sleep, an exec that sleeps, the program’s arguments', () => {
  const spec = { name: 'n', image: 'i' };
  const of = (more: object) => stoppingOf({ ...spec, ...more }, 30, 0.1);
  assert.equal(of({}).preStopSeconds, 0);
  assert.equal(of({ lifecycle: { preStop: { sleep: { seconds: 10 } } } }).preStopSeconds, 10);
  assert.equal(of({ lifecycle: { preStop: { exec: { command: ['/bin/sh', '-c', 'sleep 7'] } } } }).preStopSeconds, 7);
  assert.equal(of({ args: ['--shutdown-grace-period=5'] }).lingersSeconds, 5);
});

test('one’s own program may answer on until it ends, or ignore SIGTERM and answer until it is killed; ingress-nginx does neither', () => {
  const endOf = (image: string, onSigterm: 'closes' | 'answers' | 'ignores') => {
    const { lingersSeconds, quitsSeconds } = stoppingOf({ name: 'n', image }, 30, 4, onSigterm);
    return [lingersSeconds, quitsSeconds];
  };
  const own = 'ghcr.io/acme/shop:1.0';
  assert.deepEqual(endOf(own, 'closes'), [0, 4]);
  assert.deepEqual(endOf(own, 'answers'), [4, 0]);
  assert.deepEqual(endOf(own, 'ignores'), [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
  const controller = 'registry.k8s.io/ingress-nginx/controller:v1.15.1';
  assert.deepEqual(endOf(controller, 'ignores'), endOf(controller, 'closes'));
});
