import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EndpointSlice } from '../../../src/cluster/resources.ts';
import { digestOf, readyIn } from '../../../src/validation/record/digest.ts';
import { podOn } from '../../support/objects.ts';

const ended = (...codes: readonly number[]) => ({
  containerStatuses: codes.map((exitCode, index) => ({
    name: `container-${index}`,
    image: 'nginx',
    imageID: '',
    ready: false,
    restartCount: 0,
    state: { terminated: { exitCode } },
  })),
});

test('a killed container decides the exit code, whatever the others ended with', () => {
  const exitCode = (...codes: readonly number[]) => digestOf('Pod', podOn('a', { status: ended(...codes) })).exitCode;
  assert.deepEqual([exitCode(), exitCode(0), exitCode(0, 143), exitCode(1, 0)], [undefined, 0, 143, 1]);
  assert.deepEqual([exitCode(137, 143), exitCode(143, 137, 0)], [137, 137]);
});

test('a pod that succeeded or failed is finished, one that runs is not', () => {
  const finished = (phase: string) => digestOf('Pod', podOn('a', { status: { phase } })).finished;
  assert.deepEqual(['Failed', 'Succeeded'].map(finished), [true, true]);
  assert.deepEqual(['Pending', 'Running', 'Unknown'].map(finished), [undefined, undefined, undefined]);
});

test('an EndpointSlice whose endpoints are null, as the server writes none, has none ready', () => {
  const slice: EndpointSlice = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'a' },
    addressType: 'IPv4',
    endpoints: null,
  };
  assert.deepEqual(digestOf('EndpointSlice', slice), { ready: 0, terminating: 0 });
  assert.equal(readyIn([]), 0);
});
