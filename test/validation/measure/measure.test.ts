import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measure } from '../../../src/validation/measure/measure.ts';
import { at, change, claim, history, node, pod, stamp } from '../../support/changes.ts';
import { evidence } from '../../support/evidence.ts';

test('Pod Ready Time counts from the disruption to the last replacement pod', () => {
  const changes = [
    change(-50, 'Pod', 'old', pod('old')),
    change(3, 'Pod', 'new', pod('new', { createdAt: stamp(2), ready: false })),
    change(9, 'Pod', 'new', pod('new', { createdAt: stamp(2), readyAt: stamp(9) })),
  ];
  const { application } = measure(evidence({ history: history(changes) }), true);
  assert.equal(application?.podReadySeconds, 8);
  assert.equal(application?.readyAtRest, 2);
});

test('where nothing is replaced Pod Ready Time counts from the pod’s creation, the slowest pod', () => {
  const changes = [
    change(9, 'Pod', 'a', pod('a', { createdAt: stamp(2), readyAt: stamp(6) })),
    change(30, 'Pod', 'b', pod('b', { createdAt: stamp(2), readyAt: stamp(30) })),
  ];
  assert.equal(measure(evidence({ history: history(changes) }), false).application?.podReadySeconds, 28);
});

test('a pod that came after the cluster was at rest belongs to the undo', () => {
  const changes = [change(150, 'Pod', 'late', pod('late', { createdAt: stamp(140), readyAt: stamp(150) }))];
  assert.equal(measure(evidence({ history: history(changes) }), true).application?.podReadySeconds, null);
});

test('Node Replacement Time is from the disruption to the replacement’s Initialized', () => {
  const changes = [
    change(-10, 'NodeClaim', 'old', claim('old')),
    change(5, 'NodeClaim', 'new', claim('new', { createdAt: stamp(5), initializedAt: stamp(71) })),
    change(80, 'NodeClaim', 'old', claim('old'), 'deleted'),
  ];
  const { pool } = measure(evidence({ history: history(changes) }), true);
  assert.deepEqual(
    { replacement: pool?.nodeReplacementSeconds, ready: pool?.nodeReadySeconds, replaced: pool?.nodesReplaced },
    { replacement: 70, ready: 70, replaced: 1 },
  );
  assert.equal(measure(evidence({ history: history(changes) }), false).pool?.nodeReplacementSeconds, null);
});

test('nodes that are disrupted count until their instance ends', () => {
  const changes = [
    change(-10, 'NodeClaim', 'a', claim('a')),
    change(-10, 'Node', 'node-a', node('a')),
    change(-10, 'NodeClaim', 'b', claim('b')),
    change(-10, 'Node', 'node-b', node('b')),
    change(10, 'Node', 'node-a', node('a', { disrupted: true })),
    change(20, 'NodeClaim', 'a', claim('a', { deletingAt: stamp(20), instanceTerminating: true })),
    change(21, 'Node', 'node-b', node('b', { disrupted: true })),
  ];
  assert.equal(measure(evidence({ history: history(changes) }), true).pool?.maxConcurrentDisruptions, 1);
  const together = changes.filter((one) => !('instanceTerminating' in one.digest && one.digest.instanceTerminating));
  assert.equal(measure(evidence({ history: history(together) }), true).pool?.maxConcurrentDisruptions, 2);
});

test('the fewest ready endpoints of the window, and no others', () => {
  const slice = (seconds: number, ready: number) =>
    change(seconds, 'EndpointSlice', 'slice', { ready, terminating: 0 });
  const changes = [slice(-20, 0), slice(-10, 2), slice(10, 1), slice(20, 2), slice(300, 0)];
  assert.equal(measure(evidence({ history: history(changes) }), true).application?.fewestReadyEndpoints, 1);
});

test('what was not watched is absent, never zero', () => {
  const { application, pool } = measure(evidence({ history: history([], ['Deployment']) }), true);
  assert.deepEqual([application, pool], [undefined, undefined]);
});

const two = [
  { openedAt: at(0), actedAt: at(1), restAt: at(50) },
  { openedAt: at(60), actedAt: at(61), restAt: at(100) },
];

test('each round has its own new nodes and pods; the fewest ready pods and the longest times count', () => {
  const changes = [
    change(10, 'NodeClaim', 'a', claim('a', { createdAt: stamp(5), initializedAt: stamp(40) })),
    change(10, 'Node', 'node-a', node('a', { labels: { role: 'web' } })),
    change(45, 'Pod', 'p', pod('p', { createdAt: stamp(2), readyAt: stamp(45) })),
    change(70, 'Pod', 'q', pod('q', { createdAt: stamp(62), readyAt: stamp(70) })),
  ];
  const { application, pool } = measure(evidence({ history: history(changes), rounds: two }), false);
  assert.deepEqual(pool?.newNodes, [[{ name: 'node-a', labels: { role: 'web' } }], []]);
  assert.equal(pool?.nodeReadySeconds, 39);
  assert.deepEqual([application?.readyAtRest, application?.podReadySeconds], [1, 43]);
});

test('ready pods that were missing at one moment were lost at once', () => {
  const ready = (seconds: number, uid: string, isReady: boolean) =>
    change(seconds, 'Pod', uid, pod(uid, { ready: isReady }));
  const start = ['a', 'b', 'c'].map((uid) => ready(-10, uid, true));
  const lost = (...changes: readonly ReturnType<typeof ready>[]) =>
    measure(evidence({ history: history([...start, ...changes]) }), true).application?.podsLostAtOnce;
  assert.equal(lost(), 0);
  assert.equal(lost(ready(10, 'a', false), ready(20, 'a', true), ready(30, 'b', false)), 1);
  assert.equal(lost(ready(10, 'a', false), ready(11, 'b', false)), 2);
});

test('a node that is disrupted with a pod that was to stay is named; one whose pods are leaving is not', () => {
  const start = [
    change(-10, 'NodeClaim', 'a', claim('a')),
    change(-10, 'Node', 'node-a', node('a')),
    change(-10, 'Pod', 'p', pod('p', { node: 'node-a' })),
  ];
  const leaving = change(5, 'Pod', 'p', pod('p', { node: 'node-a', deletingAt: stamp(40) }));
  const tainted = change(10, 'Node', 'node-a', node('a', { disrupted: true }));
  const named = (...changes: readonly (typeof leaving)[]) =>
    measure(evidence({ history: history([...start, ...changes]) }), false).pool?.disruptedWithPods;
  assert.deepEqual(named(tainted), ['node-a']);
  assert.deepEqual(named(leaving, tainted), []);
  assert.deepEqual(named(tainted, leaving), ['node-a'], 'its pod left because of it');
  const later = change(20, 'Pod', 'q', pod('q', { node: 'node-a' }));
  assert.deepEqual(named(leaving, tainted, later), [], 'it came when the node was on its way out already');
});

test('a node that was taken is seen NotReady and gone, or is not', () => {
  const taken = [{ node: 'node-a', action: 'terminate-instance', at: at(1) }];
  const changes = [
    change(-10, 'Node', 'node-a', node('a')),
    change(56, 'Node', 'node-a', node('a', { ready: false })),
    change(61, 'Node', 'node-a', node('a', { ready: false }), 'deleted'),
  ];
  assert.deepEqual(measure(evidence({ history: history(changes), taken }), true).pool?.taken, [
    { node: 'node-a', notReadySeconds: 55, goneSeconds: 60 },
  ]);
  const [first] = changes;
  assert.deepEqual(
    measure(evidence({ history: history(first === undefined ? [] : [first]), taken }), true).pool?.taken,
    [{ node: 'node-a', notReadySeconds: null, goneSeconds: null }],
  );
});

test('the ingress controller’s pods: how few were ready, and when all were again', () => {
  const changes = [
    change(-10, 'IngressPod', 'i', pod('i')),
    change(-10, 'IngressPod', 'j', pod('j')),
    change(2, 'IngressPod', 'i', pod('i', { ready: false, deletingAt: stamp(300) })),
    change(3, 'IngressPod', 'k', pod('k', { ready: false })),
    change(13, 'IngressPod', 'k', pod('k', { readyAt: stamp(13) })),
    change(20, 'IngressPod', 'i', pod('i'), 'deleted'),
  ];
  assert.deepEqual(measure(evidence({ history: history(changes) }), true).ingress, {
    ...{ readyAtStart: 2, fewestReady: 1, readyAgainSeconds: 12 },
  });
  assert.equal(measure(evidence({ history: history(changes, ['Pod']) }), true).ingress, undefined);
});
