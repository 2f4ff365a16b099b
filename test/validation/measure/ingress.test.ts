import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureIngress } from '../../../src/validation/measure/ingress.ts';
import { change, history, pod, stamp } from '../../support/changes.ts';
import { evidence } from '../../support/evidence.ts';

const two = [
  change(-10, 'IngressPod', 'one', pod('one'), 'added'),
  change(-10, 'IngressPod', 'two', pod('two'), 'added'),
];
const { readyAt: _, ...notReady } = pod('next', { ready: false });

test('the controller’s pods are measured as ready at the start, fewest ready, and seconds until the last new one was ready', () => {
  const changes = [
    ...two,
    change(2, 'IngressPod', 'one', pod('one', { ready: false })),
    change(3, 'IngressPod', 'next', notReady, 'added'),
    change(10, 'IngressPod', 'one', pod('one'), 'deleted'),
    change(21, 'IngressPod', 'next', pod('next', { readyAt: stamp(21) })),
  ];
  assert.deepEqual(measureIngress(evidence({ history: history(changes) })), {
    readyAtStart: 2,
    fewestReady: 1,
    readyAgain: { seconds: 20, lowerSeconds: 20, upperSeconds: 20 },
  });
});

test('without a new pod there are no seconds until ready', () => {
  assert.deepEqual(measureIngress(evidence({ history: history(two) })), {
    readyAtStart: 2,
    fewestReady: 2,
    readyAgain: null,
  });
});
