import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hookFails, preStopOf } from '../../src/cluster/pre-stop.ts';

const image = 'ghcr.io/acme/shop:1.0';
const shell = (script: string) => ({
  image,
  lifecycle: { preStop: { exec: { command: ['/bin/sh', '-c', script] } } },
});

test('the seconds of a preStop hook are those of its sleeps, until it ends the program', () => {
  assert.equal(preStopOf({ image }), 0);
  assert.equal(preStopOf({ image, lifecycle: { preStop: { sleep: { seconds: 10 } } } }), 10);
  assert.equal(preStopOf({ image, lifecycle: { preStop: { exec: { command: ['sleep', '7'] } } } }), 7);
  for (const [script, seconds] of [
    ['sleep 1m', 60],
    ['sleep 5 && sleep 2', 7],
    ['sleep 15 &', 0],
    ['nginx -s quit; sleep 15', 0],
    ['sleep 5; kill -QUIT 1; sleep 3', 5],
  ] as const)
    assert.equal(preStopOf(shell(script)), seconds, script);
});

test('a hook that calls a shell fails in an image that has none', () => {
  const distroless = { ...shell('sleep 15'), image: 'gcr.io/distroless/java21-debian12' };
  assert.deepEqual([hookFails(distroless), preStopOf(distroless)], [true, 0]);
  assert.deepEqual([hookFails(shell('sleep 15')), preStopOf(shell('sleep 15'))], [false, 15]);
});
