import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measure } from '../../../src/validation/measure/measure.ts';
import type { WatchedKind } from '../../../src/validation/record/digest.ts';
import { neighboursNote } from '../../../src/validation/record/neighbours-note.ts';
import { at, change, claim, history, node, pod, stamp } from '../../support/changes.ts';
import { evidence } from '../../support/evidence.ts';

test('Pod Ready Time counts from the disruption to the last replacement pod', () => {
  const changes = [
    change(-50, 'Pod', 'old', pod('old')),
    change(3, 'Pod', 'new', pod('new', { createdAt: stamp(2), ready: false })),
    change(9, 'Pod', 'new', pod('new', { createdAt: stamp(2), readyAt: stamp(9) })),
  ];
  const { application } = measure(evidence({ history: history(changes) }), true);
  assert.equal(application?.podReady?.seconds, 8);
  assert.equal(application?.readyAtRest, 2);
});

test('where nothing is replaced Pod Ready Time counts from the creation of the slowest pod', () => {
  const changes = [
    change(9, 'Pod', 'a', pod('a', { createdAt: stamp(2), readyAt: stamp(6) })),
    change(30, 'Pod', 'b', pod('b', { createdAt: stamp(2), readyAt: stamp(30) })),
  ];
  const { application } = measure(evidence({ history: history(changes) }), false);
  // Its creation was seen only when it was ready.
  assert.deepEqual(application?.podReady, { seconds: 27.5, lowerSeconds: 27, upperSeconds: 28 });
});

test('a pod that came after the cluster had settled belongs to the undo', () => {
  const changes = [change(150, 'Pod', 'late', pod('late', { createdAt: stamp(140), readyAt: stamp(150) }))];
  assert.equal(measure(evidence({ history: history(changes) }), true).application?.podReady, null);
});

test('Node Replacement Time is from the disruption to the replacement’s Initialized', () => {
  const changes = [
    change(-10, 'NodeClaim', 'old', claim('old')),
    change(71, 'NodeClaim', 'new', claim('new', { createdAt: stamp(5), initializedAt: stamp(71) })),
    change(80, 'NodeClaim', 'old', claim('old'), 'deleted'),
  ];
  const { pool } = measure(evidence({ history: history(changes) }), true);
  assert.deepEqual(
    { replacement: pool?.nodeReplacement?.seconds, ready: pool?.nodeReady?.seconds, replaced: pool?.nodesReplaced },
    { replacement: 70, ready: 70, replaced: 1 },
  );
  assert.equal(measure(evidence({ history: history(changes) }), false).pool?.nodeReplacement, null);
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

test('only the ready endpoints within the window count', () => {
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
    change(40, 'NodeClaim', 'a', claim('a', { createdAt: stamp(5), initializedAt: stamp(40) })),
    change(10, 'Node', 'node-a', node('a', { labels: { role: 'web' } })),
    change(2, 'Pod', 'p', pod('p', { createdAt: stamp(2), ready: false, node: 'node-a' })),
    change(45, 'Pod', 'p', pod('p', { createdAt: stamp(2), readyAt: stamp(45), node: 'node-a' })),
    change(70, 'Pod', 'q', pod('q', { createdAt: stamp(62), readyAt: stamp(70) })),
  ];
  const { application, pool } = measure(evidence({ history: history(changes), rounds: two }), false);
  assert.deepEqual(pool?.newNodes, [[{ name: 'node-a', labels: { role: 'web' }, holdsNewPod: true }], []]);
  assert.equal(pool?.nodeReady?.seconds, 39);
  assert.deepEqual([application?.readyAtRest, application?.podReady?.seconds], [1, 43]);
});

test('a new node holds a new pod of the application, or came for somebody else', () => {
  const changes = [
    change(-10, 'Pod', 'old', pod('old', { node: 'node-b' })),
    change(10, 'NodeClaim', 'a', claim('a')),
    change(10, 'Node', 'node-a', node('a')),
    change(10, 'NodeClaim', 'b', claim('b')),
    change(10, 'Node', 'node-b', node('b')),
    change(45, 'Pod', 'new', pod('new', { node: 'node-a' })),
  ];
  const { pool } = measure(evidence({ history: history(changes) }), false);
  assert.deepEqual(
    pool?.newNodes.map((round) => round.map(({ name, holdsNewPod }) => [name, holdsNewPod])),
    [
      [
        ['node-a', true],
        ['node-b', false],
      ],
    ],
  );
});

test('the pods lost at once are the largest fall of ready pods', () => {
  const ready = (seconds: number, uid: string, isReady: boolean) =>
    change(seconds, 'Pod', uid, pod(uid, { ready: isReady }));
  const start = ['a', 'b', 'c'].map((uid) => ready(-10, uid, true));
  const lost = (...changes: readonly ReturnType<typeof ready>[]) =>
    measure(evidence({ history: history([...start, ...changes]) }), true).application?.podsLostAtOnce;
  assert.equal(lost(), 0);
  assert.equal(lost(ready(10, 'a', false), ready(20, 'a', true), ready(30, 'b', false)), 1);
  assert.equal(lost(ready(10, 'a', false), ready(11, 'b', false)), 2);
});

test('a node that is disrupted with a running pod is listed; one whose pods are being deleted is not', () => {
  const start = [
    change(-10, 'NodeClaim', 'a', claim('a')),
    change(-10, 'Node', 'node-a', node('a')),
    change(-10, 'Pod', 'p', pod('p', { node: 'node-a' })),
  ];
  const leaving = change(5, 'Pod', 'p', pod('p', { node: 'node-a', deletingAt: stamp(40) }));
  const tainted = change(10, 'Node', 'node-a', node('a', { disrupted: true }));
  const leftOver = change(5, 'Pod', 'p', pod('p', { node: 'node-a', ready: false, finished: true }));
  const named = (...changes: readonly (typeof leaving)[]) =>
    measure(evidence({ history: history([...start, ...changes]) }), false).pool?.disruptedWithPods;
  assert.deepEqual(named(tainted), ['node-a']);
  assert.deepEqual(named(leaving, tainted), []);
  assert.deepEqual(named(leftOver, tainted), []);
  assert.deepEqual(named(tainted, leaving), ['node-a'], 'its pod left because of it');
  const later = change(20, 'Pod', 'q', pod('q', { node: 'node-a' }));
  assert.deepEqual(named(leaving, tainted, later), [], 'its pod came when the node was already leaving');
});

test('a removed node has the seconds until NotReady and until gone, or null', () => {
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

test('a node on which others were too is not emptied when the application’s pod leaves it', () => {
  const podOn = (name: string) => pod(name, { node: `node-${name}` });
  const pods = [
    ...['a', 'b', 'c'].map((name) => change(-10, 'Pod', name, podOn(name))),
    ...['a', 'b', 'c'].map((name) => change(20, 'Pod', name, podOn(name), 'deleted')),
  ];
  const notes = [neighboursNote('node-a', ['default/cart-1']), neighboursNote('node-b', [])];
  const { pool } = measure(evidence({ history: history(pods), notes }), false);
  assert.deepEqual(
    pool?.emptied.map((one) => one.node),
    ['node-b', 'node-c'],
  );
});

test('the ingress controller has the fewest ready pods and the seconds until all were ready again', () => {
  const changes = [
    change(-10, 'IngressPod', 'i', pod('i')),
    change(-10, 'IngressPod', 'j', pod('j')),
    change(2, 'IngressPod', 'i', pod('i', { ready: false, deletingAt: stamp(300) })),
    change(3, 'IngressPod', 'k', pod('k', { ready: false })),
    change(13, 'IngressPod', 'k', pod('k', { readyAt: stamp(13) })),
    change(20, 'IngressPod', 'i', pod('i'), 'deleted'),
  ];
  assert.deepEqual(measure(evidence({ history: history(changes) }), true).ingress, {
    readyAtStart: 2,
    fewestReady: 1,
    readyAgain: { seconds: 12, lowerSeconds: 12, upperSeconds: 12 },
  });
  assert.equal(measure(evidence({ history: history(changes, ['Pod']) }), true).ingress, undefined);
});

test('a measurement is absent if one of its kinds was not watched', () => {
  const measured = (...kinds: readonly WatchedKind[]) => {
    const { application, pool } = measure(evidence({ history: history([], kinds) }), true);
    return [application !== undefined, pool !== undefined];
  };
  assert.deepEqual(measured('Pod', 'EndpointSlice', 'Node', 'NodeClaim'), [true, true]);
  assert.deepEqual(measured('EndpointSlice', 'Node', 'NodeClaim'), [false, false]);
  assert.deepEqual(measured('Pod', 'Node', 'NodeClaim'), [false, true]);
  assert.deepEqual(measured('Pod', 'EndpointSlice', 'NodeClaim'), [true, false]);
  assert.deepEqual(measured('Pod', 'EndpointSlice', 'Node'), [true, false]);
});

test('restarts in the window count, not earlier ones, also of a pod that is gone', () => {
  const restarted = (seconds: number, restarts: number, how?: 'deleted') =>
    change(seconds, 'Pod', 'p', pod('p', { restarts }), how);
  const restartsOf = (...changes: readonly ReturnType<typeof restarted>[]) =>
    measure(evidence({ history: history(changes) }), true).application?.podRestarts;
  assert.equal(restartsOf(restarted(-10, 3)), 0);
  assert.equal(restartsOf(restarted(-10, 3), restarted(10, 5)), 2);
  assert.equal(restartsOf(restarted(-10, 3), restarted(10, 5), restarted(20, 5, 'deleted')), 2);
});

test('without a new pod there is no Pod Ready Time, and without a new node no Node Replacement Time', () => {
  const there = [
    change(-10, 'Pod', 'old', pod('old', { createdAt: stamp(-20), readyAt: stamp(-15) })),
    change(-10, 'NodeClaim', 'a', claim('a')),
    change(-10, 'NodeClaim', 'b', claim('b')),
  ];
  for (const replaces of [true, false]) {
    const { application, pool } = measure(evidence({ history: history(there) }), replaces);
    assert.deepEqual([application?.podReady, pool?.nodeReady], [null, null]);
  }
  const gone = change(80, 'NodeClaim', 'a', claim('a'), 'deleted');
  assert.equal(measure(evidence({ history: history([...there, gone]) }), true).pool?.nodesReplaced, 1);
});

test('pods that were lost in any round count, even if they came back', () => {
  const ready = (seconds: number, uid: string, isReady: boolean) =>
    change(seconds, 'Pod', uid, pod(uid, { ready: isReady }));
  const start = ['a', 'b'].map((uid) => ready(-10, uid, true));
  const dip = (seconds: number) => [
    ...[ready(seconds, 'a', false), ready(seconds + 1, 'b', false)],
    ...[ready(seconds + 2, 'a', true), ready(seconds + 3, 'b', true)],
  ];
  const lost = (seconds: number) =>
    measure(evidence({ history: history([...start, ...dip(seconds)]), rounds: two }), true).application?.podsLostAtOnce;
  assert.deepEqual([lost(10), lost(70)], [2, 2]);
});

test('the most disruptions at once count, not the last ones; and a pod on another node keeps no node busy', () => {
  const changes = [
    change(-10, 'NodeClaim', 'a', claim('a')),
    change(-10, 'Node', 'node-a', node('a')),
    change(-10, 'Pod', 'p', pod('p', { node: 'node-b' })),
    change(10, 'Node', 'node-a', node('a', { disrupted: true })),
    change(20, 'Node', 'node-a', node('a')),
  ];
  const { pool } = measure(evidence({ history: history(changes) }), true);
  assert.deepEqual([pool?.maxConcurrentDisruptions, pool?.disruptedWithPods], [1, []]);
});

test('only changes of the removed node itself count, after its removal and within the window', () => {
  const taken = [{ node: 'node-a', action: 'terminate-instance', at: at(10) }];
  const seen = (...changes: Parameters<typeof history>[0]) =>
    measure(evidence({ history: history(changes), taken }), true).pool?.taken[0];
  const notReady = (seconds: number, name: string) => change(seconds, 'Node', name, node('a', { ready: false }));
  assert.equal(seen(notReady(20, 'node-b'))?.notReadySeconds, null);
  assert.equal(seen(notReady(9, 'node-a'))?.notReadySeconds, null);
  assert.equal(seen(notReady(201, 'node-a'))?.notReadySeconds, null);
  assert.equal(seen(change(15, 'Node', 'node-a', node('a')), notReady(20, 'node-a'))?.notReadySeconds, 10);
});

test('restarts are counted for each pod: those of a pod that is gone do not offset those of another', () => {
  const changes = [
    change(-10, 'Pod', 'p', pod('p', { restarts: 5 })),
    change(-10, 'Pod', 'q', pod('q', { restarts: 1 })),
    change(10, 'Pod', 'p', pod('p', { restarts: 5 }), 'deleted'),
    change(20, 'Pod', 'r', pod('r', { restarts: 3 })),
  ];
  assert.equal(measure(evidence({ history: history(changes) }), true).application?.podRestarts, 3);
});

test('a node that is only tainted at the end counts as replaced; one whose taint was removed does not', () => {
  const start = ['a', 'b'].flatMap((uid) => [
    change(-10, 'NodeClaim', uid, claim(uid)),
    change(-10, 'Node', `node-${uid}`, node(uid)),
  ]);
  const replaced = (...changes: readonly ReturnType<typeof change>[]) => {
    const first = change(80, 'NodeClaim', 'a', claim('a'), 'deleted');
    return measure(evidence({ history: history([...start, first, ...changes]) }), true).pool?.nodesReplaced;
  };
  const tainted = change(190, 'Node', 'node-b', node('b', { disrupted: true }));
  assert.deepEqual([replaced(), replaced(tainted)], [1, 2]);
  assert.equal(replaced(change(190, 'NodeClaim', 'b', claim('b', { deletingAt: stamp(190) }))), 2);
  assert.equal(replaced(tainted, change(195, 'Node', 'node-b', node('b'))), 1);
});
