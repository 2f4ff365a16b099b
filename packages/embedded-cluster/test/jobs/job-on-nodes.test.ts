import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Job, JobSpec } from '../../src/kubernetes/batch.ts';
import { type InWorld, inWorld, withApplication } from '../support/in-world.ts';

const place = { name: 'migrate', namespace: 'default' };

function batch(spec: Partial<JobSpec> = {}): Job {
  const containers = [{ name: 'work', image: 'shop/artisan', resources: { requests: { cpu: '100m' } } }];
  const nodeSelector = { 'karpenter.sh/nodepool': 'general-purpose-arm' };
  const template = { spec: { restartPolicy: 'Never', nodeSelector, containers } as const };
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: place, spec: { template, ...spec } };
}

const status = async ({ cluster }: InWorld) => (await cluster.get('Job', place))?.status ?? {};
const podsOf = ({ cluster }: InWorld) => cluster.list('Pod', { labelSelector: 'job-name=migrate' });
const isComplete = async (it: InWorld) =>
  (await status(it)).conditions?.some(({ type, status: value }) => type === 'Complete' && value === 'True') === true;

async function until(it: InWorld, condition: () => Promise<boolean>): Promise<number> {
  const from = it.clock.monotonicSeconds();
  while (!(await condition())) {
    assert.ok(it.clock.monotonicSeconds() - from < 1500, 'the condition does not hold after 25 minutes');
    await it.clock.sleep(1);
  }
  return it.clock.monotonicSeconds() - from;
}

const running = async (it: InWorld) => {
  await until(it, async () => (await podsOf(it)).some(({ status: now }) => now?.phase === 'Running'));
  const [pod] = (await podsOf(it)).filter(({ status: now }) => now?.phase === 'Running');
  return { name: pod?.metadata.name ?? '', uid: pod?.metadata.uid ?? '', node: pod?.spec.nodeName ?? '' };
};

test('a Job runs on the cluster’s nodes and is Complete', async () => {
  const saved = await withApplication('job');
  await inWorld({ seed: 'job', saved }, async (it) => {
    await it.cluster.create(batch());
    const seconds = await until(it, () => isComplete(it));
    assert.ok(seconds > 20 && seconds < 45, `${seconds} s: pull, start and 10 s of work`);
    assert.deepEqual(
      (await podsOf(it)).map(({ status: now }) => now?.phase),
      ['Succeeded'],
    );
  });
});

test('a pod of a Job that a drain evicts has failed once and is made again after 10 s', async () => {
  const saved = await withApplication('job');
  await inWorld({ seed: 'job', saved }, async (it) => {
    await it.cluster.create(batch());
    const { name, uid, node } = await running(it);
    await it.cluster.patch('Node', { name: node }, { type: 'merge', value: { spec: { unschedulable: true } } });
    assert.equal((await it.cluster.evict({ name, namespace: 'default', uid })).outcome, 'evicted');
    await until(it, () => isComplete(it));
    const { failed, succeeded } = await status(it);
    assert.deepEqual([failed, succeeded], [1, 1]);
    const [ended] = await podsOf(it);
    assert.notEqual(ended?.metadata.name, name);
    assert.notEqual(ended?.spec.nodeName, node);
  });
});

test('a pod of a Job that is lost with its machine is made again', async () => {
  const saved = await withApplication('job');
  await inWorld({ seed: 'job', saved }, async (it) => {
    await it.cluster.create(batch({ completions: 1 }));
    const { name, node } = await running(it);
    const instance = it.world.machines.instanceOfNode(node);
    it.world.machines.terminate(instance?.id ?? '');
    await until(it, () => isComplete(it));
    const pods = await podsOf(it);
    assert.ok(!pods.some(({ metadata }) => metadata.name === name), 'no finalizer keeps the lost one');
    assert.deepEqual((await status(it)).failed, 1);
  });
});
