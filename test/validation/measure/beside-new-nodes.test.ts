import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OutageKind } from '../../../src/validation/downtime/outage-kind.ts';
import { besideNewNodes } from '../../../src/validation/measure/beside-new-nodes.ts';
import { noDowntime } from '../../../src/validation/scenarios/expectations.ts';
import { at, change, history, node, pod, stamp } from '../../support/changes.ts';
import { evidence } from '../../support/evidence.ts';
import { measured } from '../../support/measured.ts';
import { downtime } from '../../support/results.ts';

const outage = (seconds: number, ...kinds: readonly OutageKind[]) => ({
  from: new Date(at(seconds)).toISOString(),
  to: new Date(at(seconds + 0.1)).toISOString(),
  kinds,
});
const nodes = history([
  change(-30, 'Node', 'old', node('old'), 'added'),
  change(40, 'Node', 'first', node('first', { ready: false }), 'added'),
  change(40.5, 'Node', 'first', node('first')),
  change(60, 'Node', 'second', node('second'), 'added'),
]);
const beside = (...outages: readonly ReturnType<typeof outage>[]) =>
  besideNewNodes(evidence({ history: nodes, outages }));

test('broken connections within 5 s of a new node’s coming are laid to the load balancer', () => {
  assert.deepEqual(beside(outage(40, 'reset'), outage(45, 'refused', 'connect-timeout'), outage(61.2, 'reset')), [
    'first',
    'second',
  ]);
});

test('not so if one of the outages began otherwise, or was of another kind', () => {
  assert.deepEqual(beside(outage(40.1, 'reset'), outage(45.1, 'reset')), []);
  assert.deepEqual(beside(outage(39.9, 'reset')), []);
  assert.deepEqual(beside(outage(40.1, 'reset', '503')), []);
  assert.deepEqual(beside(outage(40.1, 'slow')), []);
  assert.deepEqual(beside(), []);
});

test('not so if a pod or a node left just before: that breaks connections, too', () => {
  const after = (...further: readonly ReturnType<typeof change>[]) =>
    besideNewNodes(evidence({ history: history([...nodes.changes, ...further]), outages: [outage(62, 'reset')] }));
  assert.deepEqual(after(), ['second']);
  assert.deepEqual(after(change(61.5, 'Pod', 'a', pod('a', { deletingAt: stamp(61) }))), []);
  assert.deepEqual(after(change(61.5, 'IngressPod', 'a', pod('a'), 'deleted')), []);
  assert.deepEqual(after(change(61.5, 'Node', 'old', node('old', { deletingAt: stamp(61) }))), []);
  assert.deepEqual(after(change(61.5, 'Pod', 'a', pod('a'))), ['second']);
  assert.deepEqual(after(change(62.5, 'Pod', 'a', pod('a', { deletingAt: stamp(62) }))), ['second']);
});

test('a node from before the window, and one after it, is not new', () => {
  assert.deepEqual(beside(outage(-29, 'reset')), []);
  const late = history([change(201, 'Node', 'late', node('late'), 'added')]);
  assert.deepEqual(besideNewNodes(evidence({ history: late, outages: [outage(202, 'reset')] })), []);
});

test('the advice is about the load balancer then, not about the application', () => {
  const edges = { samples: 1758, bad: 3 };
  const found = noDowntime(
    measured({ besideNewNodes: ['first'], downtime: downtime({ edges }) }),
    'give the container a readiness probe',
  );
  assert.equal(found.outcome, 'inconclusive');
  assert.match(found.advice ?? '', /within 5 s of the coming of first: the load balancer sent to a new node/);
  assert.deepEqual(found.rules, ['load-balancer-health']);
  assert.doesNotMatch(found.advice ?? '', /readiness/);
});
