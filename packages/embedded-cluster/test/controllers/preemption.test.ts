import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scheduler } from '../../src/controllers/scheduler.ts';
import type { Resource } from '../../src/kubernetes/kinds.ts';
import type { Pod, PodDisruptionBudget } from '../../src/kubernetes/resources.ts';
import type { PodSpec } from '../../src/kubernetes/specs.ts';
import { nodeInfoOf } from '../../src/scheduling/node-info.ts';
import { preemptionFor } from '../../src/scheduling/preemption.ts';
import type { Snapshot } from '../../src/scheduling/schedule.ts';
import { before, claims, condition, everything, pool } from '../support/autoscaled.ts';
import * as objects from '../support/objects.ts';
import { onStage, type Stage } from '../support/stage.ts';

const system = 'system-cluster-critical';

/** Of the two cores of a node it asks for that many. */
function pod(
  name: string,
  cpu: string,
  spec: Partial<PodSpec> = {},
  more: { startTime?: string; app?: string } = {},
): Pod {
  const container = { name: 'web', image: 'shop', resources: { requests: { cpu } } };
  const made = objects.pod(name, { containers: [container], ...spec }, { labels: { app: more.app ?? name } });
  const { startTime = '2026-01-01T00:00:00Z' } = more;
  return spec.nodeName === undefined ? made : { ...made, status: { phase: 'Running', startTime } };
}
const on = (nodeName: string) => ({ nodeName });

const read = ({ cluster }: Stage, name: string) => cluster.get('Pod', { name, namespace: 'default' });
const isGoing = async (stage: Stage, name: string) =>
  (await read(stage, name))?.metadata.deletionTimestamp !== undefined;
const nominated = async (stage: Stage, name = 'high') => (await read(stage, name))?.status?.nominatedNodeName;
const gone = ({ cluster }: Stage, name: string) =>
  cluster.delete('Pod', { name, namespace: 'default' }, { gracePeriodSeconds: 0 });

const playing = (there: readonly Resource[], play: (stage: Stage) => Promise<void>) =>
  onStage([scheduler({ packs: false })], there, play);

/** Where a pod that asks for so much at a high priority finds room, and who goes for it. */
async function outcome(there: readonly Pod[], cpu: string, more: readonly Resource[] = []) {
  const nodes = [...new Set(there.map(({ spec }) => spec.nodeName ?? ''))].map((name) => objects.node(name));
  let found: readonly unknown[] = [];
  await playing([...nodes, ...there, ...more, pod('high', cpu, { priorityClassName: system })], async (stage) => {
    await stage.clock.sleep(0.5);
    const going = [];
    for (const { metadata } of there) if (await isGoing(stage, metadata.name)) going.push(metadata.name);
    found = [await nominated(stage), ...going];
  });
  return found;
}

test('a pod that fits no node takes the room of one of a lower priority, and is bound when that is gone', () =>
  playing(
    [objects.node('a'), pod('low', '1500m', on('a')), pod('high', '1', { priorityClassName: system })],
    async (stage) => {
      const seconds = await stage.until(() => isGoing(stage, 'low'));
      assert.ok(seconds <= 0.15, `${seconds} s`);
      assert.equal(await nominated(stage), 'a');
      const why = (await read(stage, 'low'))?.status?.conditions?.find(({ type }) => type === 'DisruptionTarget');
      assert.equal(why?.reason, 'PreemptionByScheduler');
      await stage.clock.sleep(5);
      assert.equal((await read(stage, 'high'))?.spec.nodeName, undefined, 'while the other still runs');
      await gone(stage, 'low');
      await stage.until(async () => (await read(stage, 'high'))?.spec.nodeName === 'a');
    },
  ));

test('who is preempted comes back only where room is left beside the pod that it went for', () =>
  playing(
    [objects.node('a'), pod('low', '1500m', on('a')), pod('high', '1', { priorityClassName: system })],
    async (stage) => {
      await stage.until(() => isGoing(stage, 'low'));
      await stage.cluster.create(pod('again', '1500m'));
      await gone(stage, 'low');
      await stage.until(async () => (await read(stage, 'high'))?.spec.nodeName === 'a');
      await stage.clock.sleep(5);
      assert.equal((await read(stage, 'again'))?.spec.nodeName, undefined);
    },
  ));

test('nobody goes for a pod of the same priority, or where that would not help', async () => {
  const low = pod('low', '1500m', on('a'));
  for (const high of [pod('high', '1'), pod('high', '3', { priorityClassName: system })])
    await playing([objects.node('a'), low, high], async (stage) => {
      await stage.clock.sleep(5);
      assert.deepEqual([await isGoing(stage, 'low'), await nominated(stage)], [false, undefined]);
    });
  const tainted = objects.node('a', { spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } });
  await playing([tainted, low, pod('high', '1', { priorityClassName: system })], async (stage) => {
    await stage.clock.sleep(5);
    assert.equal(await isGoing(stage, 'low'), false);
  });
});

test('no more pods go than have to, and the older ones stay', async () => {
  const young = { startTime: '2026-01-01T00:30:00Z' };
  const there = [pod('old', '600m', on('a')), pod('young', '600m', on('a'), young), pod('small', '100m', on('a'))];
  assert.deepEqual(await outcome(there, '1'), ['a', 'young']);
});

test('the node whose budgets allow it is chosen, then the one with the lower priorities, then the fewer pods', async () => {
  const budget: PodDisruptionBudget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'kept', namespace: 'default' },
    spec: { maxUnavailable: 0, selector: { matchLabels: { app: 'kept' } } },
    status: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
  };
  const kept = pod('kept', '1500m', on('a'), { app: 'kept' });
  const [one, two] = [pod('b1', '900m', on('b')), pod('b2', '900m', on('b'))];
  assert.deepEqual(await outcome([kept, one, two], '1500m', [budget]), ['b', 'b1', 'b2']);
  assert.deepEqual(await outcome([kept, one, two], '1500m'), ['a', 'kept'], 'one pod instead of two');
  assert.deepEqual(await outcome([kept], '1500m', [budget]), ['a', 'kept'], 'a budget is respected as far as possible');
});

test('a pod with preemptionPolicy Never waits; one for which room is being made asks for no more', () => {
  const node = nodeInfoOf(objects.node('a'), [pod('low', '1500m', on('a'))]);
  const snapshot = { names: ['a'], nodeInfo: () => node };
  const high = pod('high', '1', { priority: 1000 });
  const found = preemptionFor(high, snapshot, []);
  assert.deepEqual(typeof found === 'object' && found.victims.map(({ metadata }) => metadata.name), ['low']);
  const patient = { ...high, spec: { ...high.spec, preemptionPolicy: 'Never' } } as const;
  assert.equal(preemptionFor(patient, snapshot, []), undefined);
  const going = {
    ...pod('low', '1500m', on('a')),
    metadata: { name: 'low', deletionTimestamp: '2026-01-01T00:00:00Z' },
  };
  const making = { names: ['a'], nodeInfo: () => nodeInfoOf(objects.node('a'), [going]) };
  const waiting = { ...high, status: { nominatedNodeName: 'a' } };
  assert.equal(preemptionFor(waiting, making, []), 'waiting');
});

test('a nomination ends where the node is gone, so that a new one may be made for the pod', () =>
  playing(
    [objects.node('a'), pod('low', '1500m', on('a')), pod('high', '1', { priorityClassName: system })],
    async (stage) => {
      await stage.until(async () => (await nominated(stage)) === 'a');
      await stage.cluster.delete('Node', { name: 'a' });
      await stage.until(async () => (await nominated(stage)) === undefined);
    },
  ));

test('Karpenter makes no machine for a pod that preempts another one', () =>
  onStage(everything, before, async (stage) => {
    const lifecycle = { preStop: { sleep: { seconds: 10 } } };
    const containers = [{ name: 'web', image: 'nginx', resources: { requests: { cpu: '1500m' } }, lifecycle }];
    const nodeSelector = { role: 'web' };
    await stage.until(async () => condition(await pool(stage), 'Ready')?.status === 'True');
    await stage.cluster.create(pod('low', '1500m', { nodeSelector, containers }));
    await stage.until(async () => (await read(stage, 'low'))?.status?.phase === 'Running');
    await stage.cluster.create(pod('high', '1', { nodeSelector, priorityClassName: system }));
    await stage.until(() => isGoing(stage, 'low'));
    await stage.until(async () => (await read(stage, 'high'))?.status?.phase === 'Running');
    assert.equal((await claims(stage)).length, 1);
  }));

test('no room is made on a node that the volumes of the pod cannot reach, nor for a pod whose claim is not there', () => {
  const node = nodeInfoOf(objects.node('a'), [pod('low', '1500m', on('a'))]);
  const high = pod('high', '1', { priority: 1000 });
  const victims = (volumes: Snapshot['volumes']) =>
    preemptionFor(high, { names: ['a'], nodeInfo: () => node, volumes }, []);
  const reached = { refusal: undefined, toBind: [], obstacleAt: () => undefined };
  assert.notEqual(victims(reached), undefined);
  assert.equal(victims({ ...reached, obstacleAt: () => 'node(s) had volume node affinity conflict' }), undefined);
  assert.equal(victims({ ...reached, refusal: 'persistentvolumeclaim "data" not found' }), undefined);
});
