import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DaemonSet, Pod } from '../../src/kubernetes/resources.ts';
import { isPodReady } from '../../src/objects/pods.ts';
import { daemonSet } from '../../src/workloads/daemon-set.ts';
import { updateStep } from '../../src/workloads/daemon-set-update.ts';
import * as objects from '../support/objects.ts';
import { onStage, type Stage } from '../support/stage.ts';

const place = { name: 'agent', namespace: 'kube-system' };
const pods = ({ cluster }: Stage) => cluster.list('Pod', { namespace: 'kube-system' });
const where = async (stage: Stage) => (await pods(stage)).map(({ spec }) => spec.nodeName ?? '').sort();
const status = async ({ cluster }: Stage) => (await cluster.get('DaemonSet', place))?.status;
const nodes = (count: number) => Array.from({ length: count }, (_, index) => objects.node(`n${index}`));

/** As kubelets do: every pod becomes ready, every terminating one is removed. */
async function kubelets(stage: Stage): Promise<void> {
  for (const { metadata, status: now } of await pods(stage)) {
    const at = { name: metadata.name, namespace: 'kube-system' };
    if (metadata.deletionTimestamp !== undefined) await stage.cluster.delete('Pod', at, { gracePeriodSeconds: 0 });
    else if (now?.phase !== 'Running') {
      const lastTransitionTime = new Date(stage.clock.wallAt()).toISOString();
      const value = {
        status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True', lastTransitionTime }] },
      };
      await stage.cluster.patch('Pod', at, { type: 'merge', value }, { subresource: 'status' });
    }
  }
}

test('a DaemonSet has one pod on each node, cordoned ones too, except where it does not tolerate a taint', async () => {
  const there = [
    objects.node('ready'),
    objects.node('cordoned', { spec: { unschedulable: true } }),
    objects.node('pressed', {
      spec: { taints: [{ key: 'node.kubernetes.io/memory-pressure', effect: 'NoSchedule' }] },
    }),
    objects.node('tainted', { spec: { taints: [{ key: 'CriticalAddonsOnly', value: 'true', effect: 'NoSchedule' }] } }),
    objects.node('new', { spec: { taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] } }),
  ];
  await onStage([daemonSet], [objects.daemonSet, ...there], async (stage) => {
    const seconds = await stage.until(async () => (await where(stage)).length === 3);
    assert.ok(seconds <= 0.1, `${seconds} s`);
    await stage.clock.sleep(5);
    assert.deepEqual(await where(stage), ['cordoned', 'pressed', 'ready']);
    const value = { spec: { taints: [] } };
    await stage.cluster.patch('Node', { name: 'new' }, { type: 'merge', value });
    await stage.until(async () => (await where(stage)).includes('new'));
  });
});

test('a NoExecute taint or a node selector that no longer matches removes the pod; a NoSchedule taint does not', async () => {
  const labelled = objects.node('a', { labels: { role: 'web' } });
  const { spec } = objects.daemonSet;
  const template = { ...spec.template, spec: { ...spec.template.spec, nodeSelector: { role: 'web' } } };
  await onStage([daemonSet], [{ ...objects.daemonSet, spec: { ...spec, template } }, labelled], async (stage) => {
    await stage.until(async () => (await where(stage)).length === 1);
    const patch = (value: object) => stage.cluster.patch('Node', { name: 'a' }, { type: 'merge', value });
    const areTerminating = async () =>
      (await pods(stage)).every(({ metadata }) => metadata.deletionTimestamp !== undefined);
    await patch({ spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } });
    await stage.clock.sleep(5);
    assert.ok(!(await areTerminating()));
    assert.equal((await status(stage))?.numberMisscheduled, 1);
    await patch({ metadata: { labels: { role: 'db' } } });
    const seconds = await stage.until(areTerminating);
    assert.ok(seconds <= 0.1, `${seconds} s`);
  });
});

test('a new template is rolled out node by node, with the status that kubectl rollout status reads', async () => {
  await onStage([daemonSet], [objects.daemonSet, ...nodes(3)], async (stage) => {
    await stage.until(async () => (await where(stage)).length === 3);
    await kubelets(stage);
    await stage.until(async () => (await status(stage))?.numberAvailable === 3);
    const value = { spec: { template: { metadata: { annotations: { version: '2' } } } } };
    await stage.cluster.patch('DaemonSet', place, { type: 'merge', value });
    let mostGone = 0;
    const isDone = async () => {
      mostGone = Math.max(
        mostGone,
        (await pods(stage)).filter(({ metadata }) => metadata.deletionTimestamp !== undefined).length,
      );
      if (stage.clock.wallAt() % 500 === 0) await kubelets(stage);
      const { observedGeneration, updatedNumberScheduled, numberAvailable } = (await status(stage)) ?? {};
      return observedGeneration === 2 && updatedNumberScheduled === 3 && numberAvailable === 3;
    };
    await stage.until(isDone);
    assert.equal(mostGone, 1, 'maxUnavailable is 1');
    assert.deepEqual(await status(stage), {
      observedGeneration: 2,
      desiredNumberScheduled: 3,
      currentNumberScheduled: 3,
      numberMisscheduled: 0,
      updatedNumberScheduled: 3,
      numberReady: 3,
      numberAvailable: 3,
    });
  });
});

test('with updateStrategy OnDelete no pod is replaced', async () => {
  const set = {
    ...objects.daemonSet,
    spec: { ...objects.daemonSet.spec, updateStrategy: { type: 'OnDelete' as const } },
  };
  await onStage([daemonSet], [set, ...nodes(2)], async (stage) => {
    await stage.until(async () => (await where(stage)).length === 2);
    await kubelets(stage);
    const value = { spec: { template: { metadata: { annotations: { version: '2' } } } } };
    await stage.cluster.patch('DaemonSet', place, { type: 'merge', value });
    await stage.clock.sleep(5);
    assert.ok((await pods(stage)).every(({ metadata }) => metadata.deletionTimestamp === undefined));
    assert.equal((await status(stage))?.updatedNumberScheduled, undefined);
  });
});

const withUpdate = (updateStrategy: DaemonSet['spec']['updateStrategy'], more: object = {}): DaemonSet => ({
  ...objects.daemonSet,
  spec: { ...objects.daemonSet.spec, ...(updateStrategy === undefined ? {} : { updateStrategy }), ...more },
});
const changed = { spec: { template: { metadata: { annotations: { version: '2' } } } } };
const isGoing = ({ metadata }: Pod) => metadata.deletionTimestamp !== undefined;

/** Plays a rollout to a new template on three nodes; returns the most pods, the fewest ready ones, and its seconds. */
async function rolledOut(set: DaemonSet) {
  let [most, fewest, seconds] = [0, 3, 0];
  await onStage([daemonSet], [set, ...nodes(3)], async (stage) => {
    await stage.until(async () => (await where(stage)).length === 3);
    await kubelets(stage);
    await stage.until(async () => (await status(stage))?.numberAvailable === 3);
    await stage.cluster.patch('DaemonSet', place, { type: 'merge', value: changed });
    seconds = await stage.until(async () => {
      const staying = (await pods(stage)).filter((pod) => !isGoing(pod));
      most = Math.max(most, staying.length);
      fewest = Math.min(fewest, staying.filter((pod) => isPodReady(pod)).length);
      if (stage.clock.wallAt() % 500 === 0) await kubelets(stage);
      const { observedGeneration, updatedNumberScheduled, numberAvailable } = (await status(stage)) ?? {};
      return observedGeneration === 2 && updatedNumberScheduled === 3 && numberAvailable === 3;
    });
  });
  return { most, fewest, seconds };
}

test('maxUnavailable, a share too, says how many nodes are without a pod at once', async () => {
  const two = await rolledOut(withUpdate({ rollingUpdate: { maxUnavailable: 2 } }));
  assert.deepEqual([two.most, two.fewest], [3, 1]);
  const share = await rolledOut(withUpdate({ rollingUpdate: { maxUnavailable: '34%' } }));
  assert.equal(share.fewest, 1, '34 % of three, rounded up');
});

test('with maxSurge a node’s new pod starts beside the old one, which goes when the new one is available', async () => {
  const surge = { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
  const { most, fewest } = await rolledOut(withUpdate(surge));
  assert.deepEqual([most, fewest], [4, 3], 'no node is without a ready pod');
  const share = await rolledOut(withUpdate({ rollingUpdate: { maxSurge: '34%', maxUnavailable: 0 } }));
  assert.equal(share.most, 5);
  const held = await rolledOut(
    withUpdate({ rollingUpdate: { maxSurge: 3, maxUnavailable: 0 } }, { minReadySeconds: 20 }),
  );
  assert.ok(held.seconds > 20 && held.seconds < 25, `${held.seconds} s`);
});

test('with maxSurge an old pod that is not ready is replaced at once, beyond the surge', () => {
  const ready = (name: string, isReady: boolean): Pod => {
    const made = objects.pod(name, { nodeName: name }, { ready: isReady });
    return { ...made, metadata: { ...made.metadata, labels: { 'controller-revision-hash': 'old' } } };
  };
  const there = new Map(['a', 'b', 'c'].map((name) => [name, [ready(name, name === 'a')]]));
  const set = withUpdate({ rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } });
  assert.deepEqual(updateStep(set, there, 'new', 0), { deletions: [], surges: ['b', 'c', 'a'] });
});
