import assert from 'node:assert/strict';
import { test } from 'node:test';
import { disruptionBudget } from '../../src/controllers/disruption-budget.ts';
import type { Resource } from '../../src/kubernetes/kinds.ts';
import type { ReplicaSet } from '../../src/kubernetes/resources.ts';
import { controlledBy } from '../../src/objects/owners.ts';
import * as objects from '../support/objects.ts';
import { onStage, type Stage } from '../support/stage.ts';

const at = (name: string) => ({ name, namespace: 'default' });
const on = (name: string, ready: boolean) => objects.pod(name, { nodeName: 'a' }, { ready });
const budgetStatus = async ({ cluster }: Stage) => (await cluster.get('PodDisruptionBudget', at('nginx-pdb')))?.status;

test('minAvailable 1 allows one disruption for each healthy pod beyond the first', async () => {
  await onStage([disruptionBudget], [objects.budget, on('a', true), on('b', true), on('c', false)], async (stage) => {
    await stage.until(async () => (await budgetStatus(stage))?.observedGeneration !== undefined);
    assert.deepEqual(await budgetStatus(stage), {
      observedGeneration: 1,
      disruptionsAllowed: 1,
      currentHealthy: 2,
      desiredHealthy: 1,
      expectedPods: 3,
      conditions: [
        {
          type: 'DisruptionAllowed',
          status: 'True',
          reason: 'SufficientPods',
          message: '',
          observedGeneration: 1,
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
    });
    await stage.cluster.delete('Pod', at('a'));
    await stage.until(async () => (await budgetStatus(stage))?.disruptionsAllowed === 0);
    assert.equal((await budgetStatus(stage))?.conditions?.[0]?.reason, 'InsufficientPods');
  });
});

test('an eviction reduces disruptionsAllowed itself: of two at once the second is refused, with the reason', async () => {
  await onStage([disruptionBudget], [objects.budget, on('a', true), on('b', true)], async (stage) => {
    await stage.until(async () => (await budgetStatus(stage))?.disruptionsAllowed === 1);
    const evict = async (name: string) => {
      const uid = (await stage.cluster.get('Pod', at(name)))?.metadata.uid ?? '';
      return stage.cluster.evict({ ...at(name), uid });
    };
    assert.equal((await evict('a')).outcome, 'evicted');
    const second = await evict('b');
    assert.equal(second.outcome, 'refused');
    await stage.clock.sleep(1);
    const third = await evict('b');
    assert.match('cause' in third ? third.cause : '', /needs 1 healthy pods and has 1 currently/);
  });
});

/** A Deployment of that many replicas in a rollout: an old set with one pod and a new set with the others. */
function rollingOut(replicas: number): readonly Resource[] {
  const owner = { ...objects.deployment(replicas), metadata: { ...at('nginx-test'), uid: 'd' } };
  const { spec } = owner;
  const set = (name: string, count: number): ReplicaSet => ({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { ...at(name), uid: name, ownerReferences: [controlledBy(owner)] },
    spec: { replicas: count, selector: spec.selector, template: spec.template },
  });
  const of = (owner: ReplicaSet, name: string): Resource => {
    const pod = on(name, true);
    return { ...pod, metadata: { ...pod.metadata, ownerReferences: [controlledBy(owner)] } };
  };
  const [old, current] = [set('old', 1), set('new', replicas)];
  const fresh = Array.from({ length: replicas }, (_, index) => of(current, `new-${index}`));
  return [owner, old, current, of(old, 'old-0'), ...fresh];
}

test('maxUnavailable and percentages refer to the expected scale: a Deployment counts once, however many sets it has', async () => {
  const cases = [
    [{ minAvailable: '50%' }, { expectedPods: 3, desiredHealthy: 2, disruptionsAllowed: 2 }],
    [{ maxUnavailable: '50%' }, { expectedPods: 3, desiredHealthy: 1, disruptionsAllowed: 3 }],
    [{ maxUnavailable: 1 }, { expectedPods: 3, desiredHealthy: 2, disruptionsAllowed: 2 }],
    [{ minAvailable: 3 }, { expectedPods: 4, desiredHealthy: 3, disruptionsAllowed: 1 }],
    [{}, { expectedPods: 0, desiredHealthy: 0, disruptionsAllowed: 0 }],
  ] as const;
  for (const [wanted, expected] of cases) {
    const { selector } = objects.budget.spec;
    const budget = { ...objects.budget, spec: { selector: selector ?? {}, ...wanted } };
    await onStage([disruptionBudget], [...rollingOut(3), budget], async (stage) => {
      await stage.until(async () => (await budgetStatus(stage))?.observedGeneration !== undefined);
      const { expectedPods, desiredHealthy, disruptionsAllowed } = (await budgetStatus(stage)) ?? {};
      assert.deepEqual({ expectedPods, desiredHealthy, disruptionsAllowed }, expected, JSON.stringify(wanted));
    });
  }
});

test('pods without a controller do not count in the expected scale; a controller without a scale is an error', async () => {
  const budget = { ...objects.budget, spec: { selector: objects.budget.spec.selector ?? {}, maxUnavailable: 1 } };
  await onStage([disruptionBudget], [budget, on('a', true), on('b', true)], async (stage) => {
    await stage.until(async () => (await budgetStatus(stage))?.observedGeneration !== undefined);
    assert.equal((await budgetStatus(stage))?.expectedPods, 0);
    assert.equal((await budgetStatus(stage))?.disruptionsAllowed, 0);
  });
  const pod = on('a', true);
  const withUid = { ...objects.daemonSet, metadata: { ...objects.daemonSet.metadata, uid: 'daemon-set' } };
  const daemons = { ...pod, metadata: { ...pod.metadata, ownerReferences: [controlledBy(withUid)] } };
  await onStage([disruptionBudget], [budget, daemons], async (stage) => {
    await stage.until(async () => (await budgetStatus(stage))?.conditions !== undefined);
    const [condition] = (await budgetStatus(stage))?.conditions ?? [];
    assert.equal(condition?.reason, 'SyncFailed');
    const uid = (await stage.cluster.get('Pod', at('a')))?.metadata.uid ?? '';
    assert.equal((await stage.cluster.evict({ ...at('a'), uid })).outcome, 'refused');
  });
});

test('a change of a pod that two budgets have counts in one of them alone', async () => {
  const second = { ...objects.budget, metadata: { ...objects.budget.metadata, name: 'second' } };
  await onStage([disruptionBudget], [objects.budget, second, on('a', true)], async (stage) => {
    const healthy = async () =>
      (await stage.cluster.list('PodDisruptionBudget')).map(({ status }) => status?.currentHealthy ?? -1).sort();
    await stage.until(async () => (await healthy()).every((count) => count === 1));
    const b = on('b', true);
    await stage.cluster.create(b);
    await stage.clock.sleep(1);
    const ready = { type: 'merge', value: { status: b.status } } as const;
    await stage.cluster.patch('Pod', at('b'), ready, { subresource: 'status' });
    await stage.until(async () => Math.max(...(await healthy())) === 2);
    await stage.clock.sleep(60);
    assert.deepEqual(await healthy(), [1, 2]);
  });
});
