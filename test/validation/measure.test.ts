import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Evidence, measure } from '../../src/validation/measure.ts';
import { at, change, claim, history, node, pod, stamp } from '../support/changes.ts';
import { downtime } from '../support/results.ts';

function evidence(over: Partial<Evidence>): Evidence {
  return {
    window: { from: at(0), to: at(200) },
    actedAt: at(1),
    restAt: at(100),
    downtime: downtime(),
    history: history([]),
    ...over,
  };
}

test('Pod Ready Time counts from the disruption to the last replacement pod', () => {
  const changes = [
    change(-50, 'Pod', 'old', pod('old')),
    change(3, 'Pod', 'new', pod('new', { createdAt: stamp(2), ready: false })),
    change(9, 'Pod', 'new', pod('new', { createdAt: stamp(2), readyAt: stamp(9) })),
  ];
  const { application } = measure(evidence({ history: history(changes) }), true);
  assert.equal(application?.podReadySeconds, 8);
  assert.equal(application?.readyAtEnd, 2);
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
