import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CopiedObject } from '../../src/copy/copy.ts';
import { threads } from '../../src/host/thread.ts';
import type { WorkloadAnswer } from '../../src/what-if/answer-shape.ts';
import { drainAll } from '../../src/what-if/drain-all.ts';
import { factsOf } from '../../src/what-if/facts.ts';
import { triage } from '../../src/what-if/triage.ts';
import { whatIf } from '../../src/what-if/what-if.ts';
import { copyOf, deployment, node } from '../support/copied-cluster.ts';

const names = Array.from({ length: 16 }, (_, index) => `node-${String(index).padStart(2, '0')}`);
const zones = ['a', 'b', 'c'];
const spread = (name: string) => ({
  topologySpreadConstraints: [
    {
      ...{ maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' },
      labelSelector: { matchLabels: { app: name } },
    },
  ],
});

/** A budget with the status that its controller has written. */
const withStatus = (object: CopiedObject): CopiedObject =>
  object.kind === 'PodDisruptionBudget' ? ({ ...object, status: { disruptionsAllowed: 1 } } as CopiedObject) : object;

const [one = '', two = '', three = '', four = ''] = names;
const copy = copyOf(
  ...names.map((name, index) => node(name, zones[index % zones.length])),
  ...[
    ...deployment('single', [one]),
    ...deployment('pair', [one, two], { budget: { minAvailable: 1 } }),
    ...deployment('together', [two, two]),
    ...deployment('zoned', [two, three, four], { more: spread('zoned') }),
  ].map(withStatus),
  ...deployment('locked', [three, four], { budget: { minAvailable: 2 } }),
);

const verdicts = (workloads: readonly WorkloadAnswer[]) =>
  Object.fromEntries(workloads.map(({ name, verdict }) => [name, verdict]).toSorted());

test('drain --all says of each node what a drain of it alone says, the worst first', async () => {
  const counts: number[] = [];
  const all = await drainAll({}, { copy, seed: '1' }, (count) => counts.push(count));
  assert.deepEqual(
    counts,
    names.map((_, index) => index + 1),
  );
  const worst = all.nodes.slice(0, 5).map(({ verdict }) => verdict);
  assert.deepEqual(worst, ['goes-down', 'goes-down', 'blocks', 'blocks', 'stays']);
  for (const name of [one, two, three, four]) {
    const alone = await whatIf(copy, { kind: 'drain', nodes: [name] }, '1');
    const found = all.nodes.find(({ node: of }) => of === name);
    assert.deepEqual(verdicts(found?.workloads ?? []), verdicts(alone.workloads), name);
    assert.deepEqual(found?.blockedBy, alone.blockedBy);
  }
  assert.equal(all.durationSeconds, null);
});

test('the answers are the same in any number of threads', async () => {
  const inOne = await drainAll({}, { copy, seed: '1' }, () => undefined);
  const inTwo = await drainAll({ threads: { ...threads, processors: 2 } }, { copy, seed: '1' }, () => undefined);
  assert.equal(JSON.stringify(inTwo), JSON.stringify(inOne));
});

test('what is left to chance is tried: no other ready pod, a tight budget, a spread, no room', () => {
  const tried = (name: string) =>
    triage(factsOf(copy), name)
      .toTry.map((id) => id.split('/')[2])
      .toSorted();
  assert.deepEqual(tried(one), ['single']);
  assert.deepEqual(tried(two), ['together', 'zoned']);
  assert.deepEqual(tried(three), ['locked', 'zoned']);
  const full = copyOf(node('one'), node('two'), ...deployment('large', ['one', 'two'], { cpu: '3' }));
  assert.deepEqual(triage(factsOf(full), 'one'), { safe: [], toTry: ['Deployment/shop/large'] });
});
