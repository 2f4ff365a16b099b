import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lifelines, lifelinesIn } from '../../src/report/lifelines.ts';
import type { ValidationFact } from '../../src/validation/record/events.ts';
import { at, change, node, pod, stamp } from '../support/changes.ts';

const facts: readonly ValidationFact[] = [
  change(0, 'Pod', 'web-1', pod('p1'), 'added'),
  change(0, 'Node', 'ip-1', node('n1'), 'added'),
  change(10, 'Pod', 'web-2', pod('p2', { ready: false }), 'added'),
  change(12, 'Pod', 'web-2', pod('p2', { ready: false, node: 'ip-1' })),
  change(15, 'Pod', 'web-2', pod('p2')),
  change(20, 'Node', 'ip-1', node('n1', { cordoned: true })),
  change(21, 'Pod', 'web-1', pod('p1', { deletingAt: stamp(21) })),
  change(24, 'Pod', 'web-1', pod('p1', { deletingAt: stamp(21) }), 'deleted'),
  change(30, 'NodePool', 'general-purpose-arm', { budgets: [{ nodes: '10%' }] }),
];

test('a pod is not ready, ready, leaving and deleted; a cordoned node is leaving', () => {
  assert.deepEqual(
    lifelines(facts).map(({ kind, name, stages }) => [
      kind,
      name,
      ...stages.map(({ state, from, to }) => `${state} ${(from - at(0)) / 1000} to ${(to - at(0)) / 1000}`),
    ]),
    [
      ['Pod', 'web-1', 'ready 0 to 21', 'leaving 21 to 24'],
      ['Node', 'ip-1', 'ready 0 to 20', 'leaving 20 to 30'],
      ['Pod', 'web-2', 'not-ready 10 to 15', 'ready 15 to 30'],
    ],
  );
});

test('a window has the lifelines that changed in it, cut to its edges', () => {
  const inWindow = lifelinesIn(lifelines(facts), { from: at(16), to: at(23) });
  assert.deepEqual(
    inWindow.map(({ name, stages }) => [
      name,
      ...stages.map(({ from, to }) => [(from - at(0)) / 1000, (to - at(0)) / 1000]),
    ]),
    [
      ['web-1', [16, 21], [21, 23]],
      ['ip-1', [16, 20], [20, 23]],
    ],
  );
});

test('a name that is used again is another lifeline', () => {
  const again = [...facts, change(40, 'Pod', 'web-1', pod('p9', { ready: false }), 'added')];
  assert.equal(lifelines(again).filter(({ name }) => name === 'web-1').length, 2);
});
