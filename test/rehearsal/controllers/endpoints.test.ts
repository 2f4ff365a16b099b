import assert from 'node:assert/strict';
import { test } from 'node:test';
import { disruptionBudget } from '../../../src/rehearsal/controllers/disruption-budget.ts';
import { endpointSlice } from '../../../src/rehearsal/controllers/endpoint-slice.ts';
import * as objects from '../support/objects.ts';
import { onStage, type Stage } from '../support/stage.ts';

const slice = async ({ cluster }: Stage) => (await cluster.list('EndpointSlice'))[0];
const at = (name: string) => ({ name, namespace: 'default' });
const on = (name: string, ready: boolean) => objects.pod(name, { nodeName: 'a' }, { ready });

test('a Service’s slice has its pods with an address: ready, or not ready', async () => {
  const before = [objects.service, on('good', true), on('bad', false), objects.pod('without-address')];
  await onStage([endpointSlice], before, async (stage) => {
    const seconds = await stage.until(async () => (await slice(stage)) !== undefined);
    assert.ok(seconds <= 0.07, `${seconds} s`);
    const made = await slice(stage);
    assert.equal(made?.metadata.labels?.['kubernetes.io/service-name'], 'nginx-test');
    assert.deepEqual(made?.ports, [{ port: 80, protocol: 'TCP' }]);
    const seen = made?.endpoints.map(({ targetRef, conditions }) => [targetRef?.name, conditions]);
    assert.deepEqual(seen?.sort(), [
      ['bad', { ready: false, serving: false, terminating: false }],
      ['good', { ready: true, serving: true, terminating: false }],
    ]);
  });
});

test('a pod on its way out is not ready at once, though it still serves, and leaves the slice when it is gone', async () => {
  await onStage([endpointSlice], [objects.service, on('p', true)], async (stage) => {
    await stage.until(async () => (await slice(stage))?.endpoints.length === 1);
    await stage.cluster.delete('Pod', at('p'));
    const seconds = await stage.until(async () => (await slice(stage))?.endpoints[0]?.conditions?.terminating === true);
    assert.ok(seconds <= 0.07, `${seconds} s`);
    assert.deepEqual((await slice(stage))?.endpoints[0]?.conditions, {
      ready: false,
      serving: true,
      terminating: true,
    });
    await stage.cluster.delete('Pod', at('p'), { gracePeriodSeconds: 0 });
    await stage.until(async () => (await slice(stage))?.endpoints.length === 0);
  });
});

const budgetStatus = async ({ cluster }: Stage) => (await cluster.get('PodDisruptionBudget', at('nginx-pdb')))?.status;

test('a budget of minAvailable 1 allows as many disruptions as there are healthy pods beyond one', async () => {
  await onStage([disruptionBudget], [objects.budget, on('a', true), on('b', true), on('c', false)], async (stage) => {
    await stage.until(async () => (await budgetStatus(stage))?.observedGeneration !== undefined);
    assert.deepEqual(await budgetStatus(stage), {
      observedGeneration: 1,
      disruptionsAllowed: 1,
      currentHealthy: 2,
      desiredHealthy: 1,
      expectedPods: 3,
      disruptedPods: {},
    });
    await stage.cluster.delete('Pod', at('a'));
    await stage.until(async () => (await budgetStatus(stage))?.disruptionsAllowed === 0);
  });
});

test('evictions count the budget down themselves, so that two at one moment are one, and the second is told why', async () => {
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

test('maxUnavailable and percentages are of the scale that is wanted', async () => {
  const half = { ...objects.budget, spec: { ...objects.budget.spec, minAvailable: '50%' } };
  await onStage([disruptionBudget], [half, on('a', true), on('b', true), on('c', true)], async (stage) => {
    await stage.until(async () => (await budgetStatus(stage))?.desiredHealthy === 2);
    assert.equal((await budgetStatus(stage))?.disruptionsAllowed, 1);
  });
});
