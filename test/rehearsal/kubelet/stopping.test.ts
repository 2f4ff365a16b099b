import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stoppingOf } from '../../../src/rehearsal/kubelet/stopping.ts';

test('the seconds of a stop come from the container’s spec: preStop sleep, an exec that sleeps, the program’s arguments', () => {
  const spec = { name: 'n', image: 'i' };
  const of = (more: object) => stoppingOf({ ...spec, ...more }, 30, 0.1);
  assert.equal(of({}).preStopSeconds, 0);
  assert.equal(of({ lifecycle: { preStop: { sleep: { seconds: 10 } } } }).preStopSeconds, 10);
  assert.equal(of({ lifecycle: { preStop: { exec: { command: ['/bin/sh', '-c', 'sleep 7'] } } } }).preStopSeconds, 7);
  assert.equal(of({ args: ['--shutdown-grace-period=5'] }).lingersSeconds, 5);
});
