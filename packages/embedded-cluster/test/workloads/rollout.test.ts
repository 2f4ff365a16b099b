import assert from 'node:assert/strict';
import { test } from 'node:test';
import { garbageCollector } from '../../src/controllers/garbage-collector.ts';
import type { Deployment, Pod, ReplicaSet } from '../../src/kubernetes/resources.ts';
import { deployment } from '../../src/workloads/deployment.ts';
import { replicaSet } from '../../src/workloads/replica-set.ts';
import { scalings, surgeOf, unavailableOf } from '../../src/workloads/rollout.ts';
import { proportionally } from '../../src/workloads/scaling.ts';
import * as objects from '../support/objects.ts';
import { onStage, type Stage } from '../support/stage.ts';

const workloads = [deployment, replicaSet, garbageCollector];
const place = { name: 'nginx-test', namespace: 'default' };
const revision = 'deployment.kubernetes.io/revision';

function withSpec(spec: Partial<Deployment['spec']>, replicas = 2): Deployment {
  const whole = objects.deployment(replicas);
  return { ...whole, spec: { ...whole.spec, ...spec } };
}

const pods = ({ cluster }: Stage) => cluster.list('Pod', { labelSelector: 'app=nginx-test' });
const sets = ({ cluster }: Stage) => cluster.list('ReplicaSet');
const change = ({ cluster }: Stage, spec: unknown) =>
  cluster.patch('Deployment', place, { type: 'merge', value: { spec } });
const version = (stage: Stage, text: string) =>
  change(stage, { template: { metadata: { annotations: { version: text } } } });
const state = async ({ cluster }: Stage) => {
  const { metadata, status } = (await cluster.get('Deployment', place)) ?? objects.deployment(0);
  const condition = (type: string) => status?.conditions?.find((one) => one.type === type);
  return { metadata, status, available: condition('Available'), progressing: condition('Progressing') };
};

/** As scheduler and kubelets do: every pod is on a node and ready. */
async function ready(stage: Stage): Promise<void> {
  for (const { metadata, spec, status } of await pods(stage)) {
    const at = { name: metadata.name, namespace: 'default' };
    if (spec.nodeName === undefined)
      await stage.cluster.patch('Pod', at, { type: 'merge', value: { spec: { nodeName: 'a' } } });
    if (status?.phase === 'Running') continue;
    const lastTransitionTime = new Date(stage.clock.wallAt()).toISOString();
    const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime }];
    await stage.cluster.patch(
      'Pod',
      at,
      { type: 'merge', value: { status: { phase: 'Running', conditions } } },
      { subresource: 'status' },
    );
  }
}

async function settled(stage: Stage): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    await stage.clock.sleep(0.5);
    await ready(stage);
    for (const { metadata } of (await pods(stage)).filter((pod) => pod.metadata.deletionTimestamp !== undefined))
      await stage.cluster.delete('Pod', { name: metadata.name, namespace: 'default' }, { gracePeriodSeconds: 0 });
  }
}

test('maxSurge is rounded up, maxUnavailable down, and they are not both 0', () => {
  const rolling = (replicas: number, maxSurge?: number | string, maxUnavailable?: number | string) => {
    const rollingUpdate = {
      ...(maxSurge !== undefined && { maxSurge }),
      ...(maxUnavailable !== undefined && { maxUnavailable }),
    };
    const wanted = withSpec({ strategy: { rollingUpdate } }, replicas);
    return [surgeOf(wanted), unavailableOf(wanted, surgeOf(wanted))];
  };
  assert.deepEqual(rolling(2), [1, 0], '25 % of two');
  assert.deepEqual(rolling(5), [2, 1]);
  assert.deepEqual(rolling(10, '30%', '34%'), [3, 3]);
  assert.deepEqual(rolling(3, 2, 1), [2, 1]);
  assert.deepEqual(rolling(2, '0%', '10%'), [0, 1], 'maxUnavailable becomes 1');
});

test('old sets are scaled down oldest first: unavailable replicas, then as many as may be unavailable', () => {
  const set = (name: string, replicas: number, availableReplicas: number, minute: number): ReplicaSet => ({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name, namespace: 'default', creationTimestamp: `2026-01-01T00:0${minute}:00Z` },
    spec: { replicas, selector: {}, template: objects.deployment(1).spec.template },
    status: { replicas, availableReplicas },
  });
  const step = (wanted: Deployment, current: ReplicaSet, ...old: readonly ReplicaSet[]) =>
    scalings(wanted, current, [current, ...old], false).map((scaling) => [scaling.set.metadata.name, scaling.replicas]);
  const four = withSpec({}, 4);
  assert.deepEqual(step(four, set('new', 0, 0, 3), set('old', 4, 4, 1)), [['new', 1]], 'one more than four');
  assert.deepEqual(step(four, set('new', 1, 0, 3), set('old', 4, 4, 1)), [['old', 3]], 'one may be unavailable');
  assert.deepEqual(
    step(four, set('new', 1, 1, 3), set('old', 4, 4, 1)),
    [['old', 2]],
    'one is there, one may be unavailable',
  );
  assert.deepEqual(step(four, set('new', 1, 0, 3), set('good', 3, 3, 1), set('bad', 1, 0, 2)), [['bad', 0]]);
  assert.deepEqual(step(four, set('new', 2, 2, 3), set('older', 2, 2, 1), set('newer', 1, 1, 2)), [['older', 0]]);
});

test('with strategy Recreate the new pods are created when the last old one is gone', async () => {
  await onStage(workloads, [withSpec({ strategy: { type: 'Recreate' } })], async (stage) => {
    await settled(stage);
    await version(stage, '2');
    await stage.until(async () =>
      (await pods(stage)).every(({ metadata }) => metadata.deletionTimestamp !== undefined),
    );
    await stage.clock.sleep(20);
    assert.equal((await pods(stage)).length, 2, 'both are still terminating');
    for (const { metadata } of await pods(stage))
      await stage.cluster.delete('Pod', { name: metadata.name, namespace: 'default' }, { gracePeriodSeconds: 0 });
    const seconds = await stage.until(async () => (await pods(stage)).length === 2);
    assert.ok(seconds < 0.3, `${seconds} s`);
    assert.ok((await pods(stage)).every(({ metadata }) => metadata.annotations?.version === '2'));
  });
});

test('a pod is available when it has been ready for minReadySeconds', async () => {
  await onStage(workloads, [withSpec({ minReadySeconds: 30 })], async (stage) => {
    await stage.until(async () => (await pods(stage)).length === 2);
    await ready(stage);
    await stage.until(async () => (await state(stage)).status?.readyReplicas === 2);
    assert.equal((await state(stage)).status?.availableReplicas, undefined);
    const seconds = await stage.until(async () => (await state(stage)).status?.availableReplicas === 2);
    assert.ok(seconds > 28 && seconds < 31, `${seconds} s`);
  });
});

test('a rollout without progress for progressDeadlineSeconds has the reason ProgressDeadlineExceeded, one with progress not', async () => {
  await onStage(workloads, [withSpec({ progressDeadlineSeconds: 60 })], async (stage) => {
    await stage.until(async () => (await pods(stage)).length === 2);
    await stage.until(async () => (await state(stage)).progressing?.reason === 'ReplicaSetUpdated');
    const seconds = await stage.until(async () => (await state(stage)).progressing?.status === 'False');
    assert.ok(seconds > 59 && seconds < 63, `${seconds} s`);
    assert.equal((await state(stage)).progressing?.reason, 'ProgressDeadlineExceeded');
    await settled(stage);
    assert.equal((await state(stage)).progressing?.reason, 'NewReplicaSetAvailable');
    assert.match(
      (await state(stage)).progressing?.message ?? '',
      /^ReplicaSet "nginx-test-\w+" has successfully progressed\.$/,
    );
    await stage.clock.sleep(600);
    await version(stage, '2');
    await stage.until(async () => (await state(stage)).progressing?.reason === 'NewReplicaSetCreated');
    await stage.until(async () => (await pods(stage)).some(({ metadata }) => metadata.annotations?.version === '2'));
    await stage.clock.sleep(1);
    assert.equal((await state(stage)).progressing?.status, 'True', 'the deadline begins with the rollout');
    await settled(stage);
    assert.equal((await state(stage)).progressing?.reason, 'NewReplicaSetAvailable');
  });
});

test('each template has a revision; a rollback uses its old set again, with the highest revision', async () => {
  await onStage(workloads, [withSpec({})], async (stage) => {
    await settled(stage);
    assert.equal((await state(stage)).metadata.annotations?.[revision], '1');
    const [first] = await sets(stage);
    await version(stage, '2');
    await settled(stage);
    assert.equal((await state(stage)).metadata.annotations?.[revision], '2');
    const { spec, metadata } = first?.spec.template ?? objects.deployment(1).spec.template;
    const { 'pod-template-hash': _, ...labels } = metadata?.labels ?? {};
    const value = [{ op: 'replace', path: '/spec/template', value: { spec, metadata: { labels } } }] as const;
    await stage.cluster.patch('Deployment', place, { type: 'json', value });
    await settled(stage);
    assert.equal((await sets(stage)).length, 2, 'no third set');
    const again = (await sets(stage)).find((set) => set.metadata.uid === first?.metadata.uid);
    assert.equal(again?.spec.replicas, 2);
    assert.equal(again?.metadata.annotations?.[revision], '3');
    assert.equal((await state(stage)).metadata.annotations?.[revision], '3');
  });
});

test('the newest revisionHistoryLimit old sets are kept', async () => {
  await onStage(workloads, [withSpec({ revisionHistoryLimit: 1 })], async (stage) => {
    await settled(stage);
    for (const text of ['2', '3', '4', '5']) {
      await version(stage, text);
      await settled(stage);
    }
    const revisions = (await sets(stage)).map(({ metadata }) => metadata.annotations?.[revision]).sort();
    assert.deepEqual(revisions, ['4', '5']);
  });
});

test('a paused Deployment is scaled but not rolled out', async () => {
  await onStage(workloads, [withSpec({})], async (stage) => {
    await settled(stage);
    await change(stage, { paused: true });
    await version(stage, '2');
    await change(stage, { replicas: 3 });
    await settled(stage);
    assert.equal((await sets(stage)).length, 1);
    assert.equal((await state(stage)).progressing?.reason, 'DeploymentPaused');
    await change(stage, { paused: false });
    await settled(stage);
    assert.ok((await pods(stage)).every(({ metadata }) => metadata.annotations?.version === '2'));
    assert.equal((await state(stage)).progressing?.reason, 'NewReplicaSetAvailable');
  });
});

/**
 * Ten replicas of which eight are left, and five of a template whose pods do not get ready (kubernetes.io, Deployments,
 * "Proportional scaling").
 */
const halfway = withSpec({ strategy: { rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } } }, 10);

async function inTheMiddle(play: (stage: Stage, sizes: () => Promise<readonly number[]>) => Promise<void>) {
  await onStage(workloads, [halfway], async (stage) => {
    await settled(stage);
    await version(stage, '2');
    await stage.clock.sleep(5);
    const sizes = async () =>
      (await sets(stage))
        .toSorted((a, b) =>
          (a.metadata.annotations?.[revision] ?? '').localeCompare(b.metadata.annotations?.[revision] ?? ''),
        )
        .map(({ spec }) => spec.replicas ?? 1);
    assert.deepEqual(await sizes(), [8, 5]);
    await play(stage, sizes);
  });
}

test('a Deployment that is scaled in the middle of a rollout grows and shrinks its sets in proportion, and goes on', () =>
  inTheMiddle(async (stage, sizes) => {
    await change(stage, { replicas: 15 });
    await stage.clock.sleep(5);
    assert.deepEqual(await sizes(), [11, 7]);
    await change(stage, { replicas: 10 });
    await stage.clock.sleep(5);
    assert.deepEqual(await sizes(), [8, 5]);
    await change(stage, { replicas: 0 });
    await stage.clock.sleep(5);
    assert.deepEqual(await sizes(), [0, 0]);
    await change(stage, { replicas: 4 });
    await settled(stage);
    assert.deepEqual(await sizes(), [0, 4]);
    assert.equal((await state(stage)).progressing?.reason, 'NewReplicaSetAvailable');
  }));

test('a rollout that is paused stays where it is, is scaled in proportion, and goes on when it is resumed', () =>
  inTheMiddle(async (stage, sizes) => {
    await change(stage, { paused: true });
    await settled(stage);
    assert.deepEqual(await sizes(), [8, 5], 'also when the new pods are ready');
    assert.equal((await state(stage)).progressing?.reason, 'DeploymentPaused');
    await change(stage, { replicas: 15 });
    await settled(stage);
    assert.deepEqual(await sizes(), [11, 7]);
    await change(stage, { paused: false });
    await settled(stage);
    assert.deepEqual(await sizes(), [0, 15]);
  }));

test('replicas and template that change together: the old set is scaled first, then rolled out', () =>
  onStage(workloads, [withSpec({}, 4)], async (stage) => {
    await settled(stage);
    await change(stage, { replicas: 8, template: { metadata: { annotations: { version: '2' } } } });
    let mostOld = 0;
    await stage.until(async () => {
      const [old, next] = await sets(stage);
      mostOld = Math.max(mostOld, old?.spec.replicas ?? 0);
      return next !== undefined;
    });
    assert.equal(mostOld, 8);
  }));

test('the largest set takes what rounding leaves; of equal ones the newest grows first and the oldest shrinks first', () => {
  const set = (name: string, replicas: number, minute: number, maximum?: number): ReplicaSet => ({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name,
      creationTimestamp: `2026-01-01T00:0${minute}:00Z`,
      ...(maximum && { annotations: { 'deployment.kubernetes.io/max-replicas': String(maximum) } }),
    },
    spec: { replicas, selector: {}, template: objects.deployment(1).spec.template },
  });
  const sizes = (replicas: number, there: readonly ReplicaSet[]) => {
    const wanted = withSpec({ strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } }, replicas);
    return proportionally(wanted, there[0], there).map((one) => `${one.set.metadata.name} ${one.replicas}`);
  };
  const equal = [set('new', 3, 2, 6), set('old', 3, 1, 6)];
  assert.deepEqual(sizes(7, equal), ['new 4', 'old 3']);
  assert.deepEqual(sizes(5, equal), ['old 2', 'new 3']);
  assert.deepEqual(sizes(0, [set('new', 3, 2), set('old', 3, 1)]), ['old 0', 'new 0']);
  assert.deepEqual(sizes(20, [set('a', 6, 1, 12), set('b', 3, 2, 12), set('c', 3, 3, 12)]), ['a 10', 'c 5', 'b 5']);
});

test('beside a set that is complete, sets that were adopted go to 0 while the Deployment is paused', () => {
  const [first, second] = [2, 1].map(
    (replicas): ReplicaSet => ({
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: `with-${replicas}`, annotations: { 'deployment.kubernetes.io/desired-replicas': '2' } },
      spec: { replicas, selector: {}, template: objects.deployment(1).spec.template },
      status: { replicas, availableReplicas: replicas },
    }),
  );
  assert.ok(first !== undefined && second !== undefined);
  const steps = proportionally(withSpec({ paused: true }, 2), first, [first, second]);
  assert.deepEqual(steps, [{ set: second, replicas: 0 }]);
});

test('a pod whose labels no longer match is released and replaced; with its labels back it is adopted and is surplus', async () => {
  await onStage(workloads, [withSpec({})], async (stage) => {
    await settled(stage);
    const [pod] = (await pods(stage)) as [Pod];
    const at = { name: pod.metadata.name, namespace: 'default' };
    const label = (app: string) =>
      stage.cluster.patch('Pod', at, { type: 'merge', value: { metadata: { labels: { app } } } });
    await label('quarantine');
    const seconds = await stage.until(async () => (await pods(stage)).length === 2);
    assert.ok(seconds < 0.2, `${seconds} s`);
    assert.deepEqual((await stage.cluster.get('Pod', at))?.metadata.ownerReferences, []);
    await label('nginx-test');
    await stage.until(
      async () => (await pods(stage)).filter(({ metadata }) => metadata.deletionTimestamp === undefined).length === 2,
    );
    await settled(stage);
    assert.equal((await pods(stage)).length, 2);
  });
});
