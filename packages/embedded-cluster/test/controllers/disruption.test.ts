import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodePool } from '../../src/kubernetes/autoscaler.ts';
import {
  before,
  claims,
  condition,
  eventsAbout,
  everything,
  mark,
  patchPool,
  pool,
  readyPods,
  theNodeClass,
  withApplication,
} from '../support/autoscaled.ts';
import * as objects from '../support/objects.ts';
import { onStage, type Stage } from '../support/stage.ts';

const poolWith = (spec: Partial<NodePool['spec']['template']['spec']>): NodePool => {
  const { template } = objects.nodePool.spec;
  return {
    ...objects.nodePool,
    spec: { ...objects.nodePool.spec, template: { ...template, spec: { ...template.spec, ...spec } } },
  };
};
/** A PodDisruptionBudget that allows no eviction of two replicas. */
const strict = { ...objects.budget, spec: { ...objects.budget.spec, minAvailable: 2 } };

const isTainted = async ({ cluster }: Stage, node = '') =>
  (await cluster.get('Node', { name: node }))?.spec?.taints?.some(({ key }) => key === 'karpenter.sh/disrupted') ===
  true;

test('a PodDisruptionBudget blocks a drifted node, with one event every two minutes', async () => {
  await withApplication(
    2,
    async (stage) => {
      await stage.clock.sleep(90);
      const [victim] = await claims(stage);
      assert.ok(victim);
      await mark(stage, victim);
      await stage.clock.sleep(110);
      assert.equal(condition((await claims(stage))[0], 'Drifted')?.status, 'True');
      assert.ok(!(await isTainted(stage, victim.status?.nodeName)));
      const why = 'DisruptionBlocked: Pdb prevents pod evictions (PodDisruptionBudget=[default/nginx-pdb])';
      const times = (await eventsAbout(stage, victim.metadata.name)).filter((one) => one === why).length;
      assert.ok(times >= 1 && times <= 2, `${times} times`);
      assert.ok((await eventsAbout(stage, victim.status?.nodeName ?? '')).includes(why));
    },
    objects.nodePool,
    [strict],
  );
});

test('with a terminationGracePeriod a drifted node is deleted in spite of the budget, its pod at the end of the period', async () => {
  await withApplication(
    2,
    async (stage) => {
      await stage.clock.sleep(30);
      const [victim] = await claims(stage);
      assert.ok(victim);
      await mark(stage, victim);
      const name = victim.metadata.name;
      const now = async () => stage.cluster.get('NodeClaim', { name });
      await stage.until(async () => (await now())?.metadata.deletionTimestamp !== undefined);
      await stage.until(
        async () => (await now())?.metadata.annotations?.['karpenter.sh/nodeclaim-termination-timestamp'] !== undefined,
      );
      await stage.until(async () => condition(await now(), 'Drained')?.status === 'Unknown');
      assert.equal((await readyPods(stage)).length, 2, 'the budget is respected until then');
      const seconds = await stage.until(async () => condition(await now(), 'InstanceTerminating')?.status === 'True');
      assert.ok(seconds > 150 && seconds < 185, `${seconds} s`);
      assert.equal(condition(await now(), 'VolumesDetached')?.status, 'True');
      const about = await eventsAbout(stage, name);
      assert.ok(
        about.some((one) => one.startsWith('TerminationGracePeriodExpiring: All pods will be deleted by 2026-')),
      );
      const node = await eventsAbout(stage, victim.status?.nodeName ?? '');
      assert.ok(node.includes('FailedDraining: Failed to drain node, 1 pods are waiting to be evicted'));
    },
    poolWith({ terminationGracePeriod: '3m' }),
    [strict],
  );
});

test('a drain waits for a pod on a dead machine until it counts as stuck, also past the terminationGracePeriod', async () => {
  for (const terminationGracePeriod of ['1m', '10m']) {
    await withApplication(
      1,
      async (stage) => {
        const [claim] = await claims(stage);
        const [pod] = await readyPods(stage);
        const { name } = claim?.metadata ?? { name: '' };
        for (const { id } of stage.machines.instances()) stage.machines.terminate(id);
        await stage.clock.sleep(20);
        await stage.cluster.delete('NodeClaim', { name });
        const isOver = async () =>
          condition(await stage.cluster.get('NodeClaim', { name }), 'InstanceTerminating')?.status === 'True';
        const seconds = await stage.until(isOver);
        assert.ok(seconds > 88 && seconds < 93, `${terminationGracePeriod}: ${seconds} s`);
        const still = (await readyPods(stage)).map(({ metadata }) => metadata.uid);
        assert.ok(still.includes(pod?.metadata.uid), 'its status still says Ready');
      },
      poolWith({ terminationGracePeriod }),
    );
  }
});

test('do-not-disrupt on a node or a pod blocks the node; the drain of a deleted claim waits for such a pod', async () => {
  await withApplication(1, async (stage) => {
    await stage.clock.sleep(30);
    const [claim] = await claims(stage);
    const [pod] = await readyPods(stage);
    assert.ok(claim && pod);
    const at = { name: pod.metadata.name, namespace: 'default' };
    const annotate = (value: string | null) => ({
      type: 'merge' as const,
      value: { metadata: { annotations: { 'karpenter.sh/do-not-disrupt': value } } },
    });
    await stage.cluster.patch('Pod', at, annotate('true'));
    await mark(stage, claim);
    await stage.clock.sleep(60);
    assert.ok(!(await isTainted(stage, claim.status?.nodeName)));
    assert.ok(
      (await eventsAbout(stage, claim.metadata.name)).includes(
        `DisruptionBlocked: Pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/${at.name})`,
      ),
    );
    await stage.cluster.patch('Node', { name: claim.status?.nodeName ?? '' }, annotate('true'));
    await stage.cluster.patch('Pod', at, annotate(null));
    await stage.clock.sleep(60);
    assert.ok(!(await isTainted(stage, claim.status?.nodeName)));
    await stage.cluster.patch('Pod', at, annotate('true'));
    await stage.cluster.delete('NodeClaim', { name: claim.metadata.name });
    await stage.clock.sleep(120);
    assert.equal((await stage.cluster.get('Pod', at))?.metadata.deletionTimestamp, undefined);
    await stage.cluster.patch('Pod', at, annotate(null));
    const seconds = await stage.until(
      async () => (await stage.cluster.get('Pod', at))?.metadata.deletionTimestamp !== undefined,
    );
    assert.ok(seconds <= 1.5, `${seconds} s`);
    assert.ok((await eventsAbout(stage, at.name)).includes('Evicted: Evicted pod: Forceful Termination'));
  });
});

test('a budget of 0 is reported on the pool once a minute, for a reason that has candidates; a budget that is used up is not', async () => {
  await withApplication(1, async (stage) => {
    const { name } = objects.nodePool.metadata;
    await stage.clock.sleep(60);
    assert.deepEqual(await eventsAbout(stage, name), []);
    await patchPool(stage, { spec: { disruption: { budgets: [{ nodes: '0', reasons: ['Drifted'] }] } } });
    const reported = async () => (await eventsAbout(stage, name)).filter((one) => one.startsWith('DisruptionBlocked'));
    await stage.clock.sleep(60);
    assert.deepEqual(await reported(), []);
    const [claim] = await claims(stage);
    assert.ok(claim);
    await mark(stage, claim);
    await stage.clock.sleep(125);
    const why = 'DisruptionBlocked: No allowed disruptions for disruption reason Drifted due to blocking budget';
    assert.deepEqual(new Set(await reported()), new Set([why]));
    assert.ok([2, 3].includes((await reported()).length));
  });
});

test('a budget with a schedule blocks only while it is active', async () => {
  await withApplication(1, async (stage) => {
    await stage.clock.sleep(30);
    const closed = { nodes: '0', schedule: '0 0 * * *', duration: '10m' };
    await patchPool(stage, { spec: { disruption: { budgets: [closed, { nodes: '100%' }] } } });
    const [claim] = await claims(stage);
    assert.ok(claim);
    await mark(stage, claim);
    await stage.until(() => isTainted(stage, claim.status?.nodeName));
    const minutes = (stage.clock.wallAt() - Date.parse('2026-01-01T00:00:00Z')) / 60_000;
    assert.ok(minutes >= 10 && minutes < 10.5, `${minutes} min`);
  });
});

test('a pool launches no more than its limits allow', async () => {
  const limited = { ...objects.nodePool, spec: { ...objects.nodePool.spec, limits: { cpu: '3' } } };
  const wide = {
    containers: [{ name: 'n', image: 'nginx', resources: { requests: { cpu: '700m' } } }],
    nodeSelector: { role: 'web' },
  };
  await onStage(everything, [theNodeClass, limited], async (stage) => {
    await stage.until(async () => condition(await pool(stage), 'Ready')?.status === 'True');
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await stage.cluster.create(objects.pod(name, wide));
    await stage.clock.sleep(240);
    const bought = (await claims(stage)).reduce((sum, { status }) => sum + Number(status?.capacity?.cpu ?? 0), 0);
    assert.ok(bought > 0 && bought <= 3, `${bought} cores`);
    const waiting = (await stage.cluster.list('Pod')).filter(({ spec }) => spec.nodeName === undefined);
    assert.ok(waiting.length > 0);
    for (const { metadata } of waiting)
      assert.ok((await eventsAbout(stage, metadata.name)).some((one) => one.startsWith('FailedScheduling: ')));
  });
});

test('a claim whose node does not register is deleted after 15 minutes, reported on its pool, and replaced', async () => {
  await onStage(everything, before, async (stage) => {
    await stage.until(async () => condition(await pool(stage), 'Ready')?.status === 'True');
    await stage.cluster.create(objects.pod('p', { nodeSelector: { role: 'web' } }));
    await stage.until(async () => condition((await claims(stage))[0], 'Launched')?.status === 'True');
    const [first] = await claims(stage);
    for (const { id } of stage.machines.instances()) stage.machines.terminate(id);
    const gone = async () => !(await claims(stage)).some(({ metadata }) => metadata.uid === first?.metadata.uid);
    await stage.clock.sleep(890);
    assert.ok(!(await gone()));
    await stage.until(gone);
    assert.equal(condition(await pool(stage), 'NodeRegistrationHealthy')?.status, 'False');
    await stage.until(async () => condition((await claims(stage))[0], 'Initialized')?.status === 'True');
    assert.equal(condition(await pool(stage), 'NodeRegistrationHealthy')?.status, 'True');
    assert.equal(condition((await claims(stage))[0], 'ConsistentStateFound'), undefined);
    const seconds = await stage.until(
      async () => condition((await claims(stage))[0], 'ConsistentStateFound')?.status === 'True',
    );
    assert.ok(seconds > 480 && seconds < 600, `${seconds} s after the node was there, 10 min after the launch`);
  });
});

test('an instance without its claim is terminated within two minutes', async () => {
  await withApplication(1, async (stage) => {
    const [claim] = await claims(stage);
    const { name } = claim?.metadata ?? { name: '' };
    await stage.cluster.patch('NodeClaim', { name }, { type: 'merge', value: { metadata: { finalizers: [] } } });
    await stage.cluster.delete('NodeClaim', { name });
    const seconds = await stage.until(async () =>
      [...stage.machines.instances()].some(({ terminateAskedAt }) => terminateAskedAt !== undefined),
    );
    assert.ok(seconds <= 121, `${seconds} s`);
  });
});
