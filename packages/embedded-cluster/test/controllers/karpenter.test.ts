import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodeClaim } from '../../src/kubernetes/autoscaler.ts';
import type { Node } from '../../src/kubernetes/resources.ts';
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
  withApplication,
} from '../support/autoscaled.ts';
import * as objects from '../support/objects.ts';
import { onStage, type Stage } from '../support/stage.ts';

test('a new NodePool has the conditions of specification 3.1, hash annotations of version v3, and no resources', async () => {
  await onStage(everything, before, async (stage) => {
    await stage.until(async () => condition(await pool(stage), 'Ready')?.status === 'True');
    const made = await pool(stage);
    const conditions = made?.status?.conditions
      ?.map(({ type, status, reason }) => `${type}=${status}/${reason}`)
      .sort();
    assert.deepEqual(conditions, [
      'NodeClassReady=True/NodeClassReady',
      'NodeRegistrationHealthy=Unknown/AwaitingReconciliation',
      'Ready=True/Ready',
      'ValidationSucceeded=True/ValidationSucceeded',
    ]);
    assert.equal(made?.metadata.annotations?.['karpenter.sh/nodepool-hash-version'], 'v3');
    assert.match(made?.metadata.annotations?.['karpenter.sh/nodepool-hash'] ?? '', /^\d{15,20}$/);
    assert.deepEqual(made?.status?.resources, {
      cpu: '0',
      'ephemeral-storage': '0',
      memory: '0',
      nodes: '0',
      pods: '0',
    });
    assert.equal(made?.status?.nodeClassObservedGeneration, 1);
  });
});

test('an unschedulable pod gets a new node in 55 to 85 seconds: Launched, Registered, Initialized', async () => {
  await onStage(everything, before, async (stage) => {
    await stage.until(async () => condition(await pool(stage), 'Ready')?.status === 'True');
    await stage.cluster.create(objects.pod('p', { nodeSelector: { role: 'web' } }));
    const asked = await stage.until(async () => (await claims(stage)).length === 1);
    assert.ok(asked >= 1 && asked < 1.2, `${asked} s`);
    const reached = async (type: string) =>
      stage.until(async () => condition((await claims(stage))[0], type)?.status === 'True');
    const seconds = [await reached('Launched'), await reached('Registered'), await reached('Initialized')];
    const sum = seconds.reduce((all, one) => all + one, 0);
    assert.ok(sum > 55 && sum < 85, `${seconds} s`);
    const [node] = await stage.cluster.list('Node');
    for (const [key, value] of Object.entries({
      'kubernetes.io/arch': 'arm64',
      'karpenter.sh/capacity-type': 'on-demand',
      'karpenter.k8s.aws/instance-category': 'r',
      'karpenter.k8s.aws/instance-generation': '8',
      'karpenter.sh/nodepool': 'general-purpose-arm',
      'karpenter.sh/initialized': 'true',
      role: 'web',
    })) {
      assert.equal(node?.metadata.labels?.[key], value, key);
    }
    assert.equal(condition(await pool(stage), 'NodeRegistrationHealthy')?.status, 'True');
    await stage.until(async () => (await pool(stage))?.status?.resources?.nodes === '1');
  });
});

test('two replicas that must not share a node get two nodes, not three', async () => {
  await withApplication(2, async (stage) => {
    const nodes = (await readyPods(stage)).map(({ spec }) => spec.nodeName);
    assert.equal(new Set(nodes).size, 2);
    await stage.clock.sleep(60);
    assert.equal((await claims(stage)).length, 2);
  });
});

test('no node is launched for a pod that no pool can hold', async () => {
  await onStage(everything, before, async (stage) => {
    await stage.cluster.create(objects.pod('p', { nodeSelector: { 'kubernetes.io/arch': 'amd64' } }));
    await stage.clock.sleep(60);
    assert.deepEqual(await claims(stage), []);
    const events = await stage.cluster.list('Event');
    assert.ok(events.some(({ reason }) => reason === 'FailedScheduling'));
  });
});

test('a claim that no instance type meets is deleted at once, with a warning', async () => {
  await onStage(everything, before, async (stage) => {
    await stage.until(async () => condition(await pool(stage), 'Ready')?.status === 'True');
    const { nodeClassRef } = objects.nodePool.spec.template.spec;
    const requirements = [{ key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values: ['r9x.nano'] }];
    const labels = { 'karpenter.sh/nodepool': objects.nodePool.metadata.name };
    await stage.cluster.create({
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodeClaim',
      metadata: { name: 'without', labels },
      spec: { requirements, nodeClassRef, expireAfter: 'Never' },
    } as NodeClaim);
    const seconds = await stage.until(async () => (await claims(stage)).length === 0);
    assert.ok(seconds < 10, `${seconds} s`);
    const events = await eventsAbout(stage, 'without');
    assert.ok(
      events.some((one) => one.startsWith('InsufficientCapacityError: NodeClaim without event: ')),
      `${events}`,
    );
  });
});

test('a claim is Drifted while its hash annotation differs from the pool’s', async () => {
  await withApplication(1, async (stage) => {
    await patchPool(stage, { spec: { disruption: { budgets: [{ nodes: '0' }] } } });
    const [claim] = await claims(stage);
    assert.ok(claim);
    await mark(stage, claim);
    const seconds = await stage.until(
      async () => condition((await claims(stage))[0], 'Drifted')?.reason === 'NodePoolDrifted',
    );
    assert.ok(seconds < 5, `${seconds} s`);
    const annotations = { 'karpenter.sh/nodepool-hash': claim.metadata.annotations?.['karpenter.sh/nodepool-hash'] };
    await stage.cluster.patch(
      'NodeClaim',
      { name: claim.metadata.name },
      { type: 'merge', value: { metadata: { annotations } } },
    );
    await stage.until(async () => condition((await claims(stage))[0], 'Drifted') === undefined);
  });
});

test('a drifted node is tainted, replaced, drained and then terminated; the pool’s other nodes stay', async () => {
  await withApplication(2, async (stage) => {
    await stage.clock.sleep(30);
    const [victim, other] = await claims(stage);
    assert.ok(victim && other);
    await mark(stage, victim);
    const node = async () => stage.cluster.get('Node', { name: victim.status?.nodeName ?? '' });
    const tainted = await stage.until(
      async () => (await node())?.spec?.taints?.some(({ key }) => key === 'karpenter.sh/disrupted') === true,
    );
    assert.ok(tainted <= 15, `${tainted} s`);
    assert.equal(
      condition(
        (await claims(stage)).find(({ metadata }) => metadata.name === victim.metadata.name),
        'DisruptionReason',
      )?.reason,
      'Drifted',
    );
    let least = 2;
    await stage.until(async () => {
      least = Math.min(
        least,
        (await readyPods(stage)).filter(({ metadata }) => metadata.deletionTimestamp === undefined).length,
      );
      return (await node()) === undefined && (await claims(stage)).length === 2;
    });
    assert.ok(least >= 1, 'there is always a ready pod');
    const left = (await claims(stage)).map(({ metadata }) => metadata.name);
    assert.equal(left.length, 2);
    assert.ok(left.includes(other.metadata.name));
    await stage.clock.sleep(120);
    assert.deepEqual(
      (await claims(stage)).map(({ metadata }) => metadata.name),
      left,
    );
  });
});

/** Claims tainted or deleted, without the condition InstanceTerminating: what a budget counts as being disrupted. */
async function disrupted(stage: Stage): Promise<readonly NodeClaim[]> {
  const nodes = await stage.cluster.list('Node');
  const tainted = nodes.filter(({ spec }) => spec?.taints?.some(({ key }) => key === 'karpenter.sh/disrupted'));
  const names = new Set(tainted.map(({ metadata }) => metadata.name));
  return (await claims(stage)).filter(
    (claim) =>
      (claim.metadata.deletionTimestamp !== undefined || names.has(claim.status?.nodeName ?? '')) &&
      condition(claim, 'InstanceTerminating')?.status !== 'True',
  );
}

test('with budget "1" two drifted nodes are replaced one after the other', async () => {
  await withApplication(2, async (stage) => {
    await patchPool(stage, { spec: { disruption: { budgets: [{ nodes: '1' }] } } });
    await stage.clock.sleep(30);
    const old = await claims(stage);
    for (const claim of old) await mark(stage, claim);
    let most = 0;
    await stage.until(async () => {
      most = Math.max(most, (await disrupted(stage)).length);
      const now = (await claims(stage)).map(({ metadata }) => metadata.name);
      return now.length === 2 && !old.some(({ metadata }) => now.includes(metadata.name));
    });
    assert.equal(most, 1);
  });
});

test('with budget "2" the second drifted node follows the first at once, or when the first one’s machine is launched', async () => {
  const deployment = { namespace: 'default', name: 'nginx-test' };
  for (const replicas of [0, 2]) {
    await withApplication(2, async (stage) => {
      await patchPool(stage, { spec: { disruption: { budgets: [{ nodes: '2' }] } } });
      await stage.cluster.patch('Deployment', deployment, { type: 'merge', value: { spec: { replicas } } });
      await stage.clock.sleep(60);
      const old = (await stage.cluster.list('Node')).map(({ metadata }) => metadata.name);
      for (const claim of await claims(stage)) await mark(stage, claim);
      const isKept = ({ metadata, spec }: Node) =>
        old.includes(metadata.name) && !spec?.taints?.some(({ key }) => key === 'karpenter.sh/disrupted');
      const kept = async () => (await stage.cluster.list('Node')).filter(isKept).length;
      await stage.until(async () => (await kept()) <= 1);
      const seconds = await stage.until(async () => (await kept()) === 0);
      if (replicas === 0) assert.ok(seconds <= 0.5, `empty nodes: ${seconds} s`);
      else assert.ok(seconds >= 1, `${seconds} s`);
    });
  }
});

test('claims that expire in the same second are deleted one a second', async () => {
  const { template } = objects.nodePool.spec;
  const expireAfter = '5m';
  const spec = { ...objects.nodePool.spec, template: { ...template, spec: { ...template.spec, expireAfter } } };
  await withApplication(
    2,
    async (stage) => {
      const isDeleted = async (least: number) =>
        (await claims(stage)).filter(({ metadata }) => metadata.deletionTimestamp !== undefined).length >= least;
      await stage.until(() => isDeleted(1));
      const seconds = await stage.until(() => isDeleted(2));
      assert.ok(seconds >= 0.9 && seconds <= 1.6, `${seconds} s`);
    },
    { ...objects.nodePool, spec },
  );
});

test('consolidateAfter counts from the deletion of the last pod, not from its end', async () => {
  await withApplication(1, async (stage) => {
    const before = (await claims(stage))[0]?.status?.lastPodEventTime ?? '';
    await stage.clock.sleep(60);
    await stage.cluster.patch(
      'Deployment',
      { namespace: 'default', name: 'nginx-test' },
      { type: 'merge', value: { spec: { replicas: 0 } } },
    );
    await stage.until(async () =>
      (await stage.cluster.list('Pod')).some(({ metadata }) => metadata.deletionTimestamp !== undefined),
    );
    const deletedAt = stage.clock.wallAt();
    await stage.until(async () => (await stage.cluster.list('Pod')).length === 0);
    assert.ok(stage.clock.wallAt() - deletedAt > 10_000, 'its preStop hook takes 10 seconds and more');
    await stage.clock.sleep(15);
    const last = (await claims(stage))[0]?.status?.lastPodEventTime ?? '';
    assert.notEqual(last, before);
    assert.ok(Math.abs(Date.parse(last) - deletedAt) <= 1100, `${last}, deleted at ${deletedAt}`);
  });
});

test('an empty node is removed after consolidateAfter, and the node with a pod stays', async () => {
  await withApplication(2, async (stage) => {
    await patchPool(stage, { spec: { disruption: { consolidateAfter: '2m' } } });
    await stage.cluster.patch(
      'Deployment',
      { name: 'nginx-test', namespace: 'default' },
      { type: 'merge', value: { spec: { replicas: 1 } } },
    );
    await stage.until(async () => (await readyPods(stage)).length === 1);
    const [pod] = await readyPods(stage);
    const running = (await claims(stage)).find(({ status }) => status?.nodeName === pod?.spec.nodeName);
    const seconds = await stage.until(async () => (await claims(stage)).length === 1);
    assert.ok(seconds > 135 && seconds < 260, `${seconds} s`);
    assert.equal((await claims(stage))[0]?.metadata.uid, running?.metadata.uid);
    await stage.clock.sleep(300);
    assert.equal((await claims(stage)).length, 1);
  });
});

test('a claim older than its expireAfter is deleted, and replaced only afterwards', async () => {
  const { spec } = objects.nodePool;
  const template = { ...spec.template, spec: { ...spec.template.spec, expireAfter: '10m' } };
  await withApplication(
    1,
    async (stage) => {
      const [old] = await claims(stage);
      const isTerminating = ({ metadata }: NodeClaim) => metadata.deletionTimestamp !== undefined;
      await stage.until(async () => (await claims(stage)).some(isTerminating));
      const age = stage.clock.wallAt() - Date.parse(old?.metadata.creationTimestamp ?? '');
      assert.ok(age >= 600_000 && age < 602_000, `${age} ms`);
      assert.equal((await claims(stage)).length, 1);
      await stage.until(async () => (await claims(stage)).length === 2);
    },
    { ...objects.nodePool, spec: { ...spec, template } },
  );
});

test('pods that have to spread over zones get a node in each zone that the pool offers', async () => {
  const spread = {
    maxSkew: 1,
    topologyKey: 'topology.kubernetes.io/zone',
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: { matchLabels: { app: 'nginx-test' } },
  } as const;
  const spec = { ...objects.hardenedPod, topologySpreadConstraints: [spread] };
  await onStage(everything, [...before, objects.deployment(3, spec)], async (stage) => {
    await stage.until(async () => (await readyPods(stage)).length === 3);
    const zones = (await claims(stage)).map(({ metadata }) => metadata.labels?.['topology.kubernetes.io/zone']);
    assert.deepEqual(zones.toSorted(), ['us-east-1a', 'us-east-1b', 'us-east-1c']);
  });
});
