import assert from 'node:assert/strict';
import { test } from 'node:test';
import { preStopHook } from '../../src/kubelet/pre-stop.ts';

const shell = (script: string, image = 'ghcr.io/acme/shop:1.0') =>
  preStopHook({ image, lifecycle: { preStop: { exec: { command: ['/bin/sh', '-c', script] } } } });
const known = (seconds: number) => ({ seconds, isKnown: true });

test('a preStop hook takes as long as a shell would need for it', () => {
  for (const [script, seconds] of [
    ['sleep 15', 15],
    ['sleep 1m', 60],
    ['sleep 5 && sleep 2.5', 7.5],
    ['sleep 5; exit 0; sleep 9', 5],
    ['sleep 15 &', 0],
    ['true || sleep 9; sleep 1', 1],
    ['exec sleep 7', 7],
  ] as const)
    assert.deepEqual(shell(script), known(seconds), script);
});

test('a program that is told to quit ends the container, and the hook with it', () => {
  assert.deepEqual(shell('nginx -s quit; sleep 15'), known(0));
  assert.deepEqual(shell('sleep 5; /usr/sbin/nginx -s quit; sleep 15'), known(5));
  assert.deepEqual(shell('kill -QUIT 1; sleep 9'), known(0));
});

test('what only its program knows takes no time, and is not known', () => {
  assert.deepEqual(shell('/app/drain; sleep 3'), { seconds: 3, isKnown: false });
  assert.deepEqual(shell('while kill -0 1; do sleep 1; done').isKnown, false);
  const hook = { httpGet: { path: '/drain', port: 80 } };
  assert.deepEqual(preStopHook({ image: 'shop', lifecycle: { preStop: hook } } as never), {
    seconds: 0,
    isKnown: false,
  });
});

test('in an image without a shell a hook that calls one ends at once', () => {
  assert.deepEqual(shell('sleep 15', 'gcr.io/distroless/static-debian12:nonroot'), known(0));
  assert.deepEqual(shell('sleep 15', 'gcr.io/distroless/static-debian12:debug'), known(15));
  const sleep = { preStop: { sleep: { seconds: 4 } } };
  assert.deepEqual(preStopHook({ image: 'gcr.io/distroless/static', lifecycle: sleep }), known(4));
});
