import assert from 'node:assert/strict';
import { test } from 'node:test';
import { garbageCollector } from '../../src/controllers/garbage-collector.ts';
import { job } from '../../src/jobs/job.ts';
import { indexesIn, indexesText } from '../../src/jobs/job-pods.ts';
import { ttlAfterFinished } from '../../src/jobs/ttl-after-finished.ts';
import type { Job, JobSpec } from '../../src/kubernetes/batch.ts';
import type { Pod } from '../../src/kubernetes/resources.ts';
import { onStage, type Stage } from '../support/stage.ts';

const place = { name: 'migrate', namespace: 'default' };

function batch(spec: Partial<JobSpec> = {}, restartPolicy: 'Never' | 'OnFailure' = 'Never'): Job {
  const template = { spec: { restartPolicy, containers: [{ name: 'work', image: 'shop/artisan' }] } };
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: place, spec: { template, ...spec } };
}

const playing = (spec: Partial<JobSpec>, play: (stage: Stage) => Promise<void>) =>
  onStage([job(), ttlAfterFinished, garbageCollector], [batch(spec)], play);

const read = ({ cluster }: Stage) => cluster.get('Job', place);
const status = async (stage: Stage) => (await read(stage))?.status ?? {};
const podsOf = ({ cluster }: Stage) => cluster.list('Pod', { namespace: 'default' });
const isRunning = ({ status: now, metadata }: Pod) =>
  !['Succeeded', 'Failed'].includes(now?.phase ?? '') && metadata.deletionTimestamp === undefined;
const active = async (stage: Stage) => (await podsOf(stage)).filter(isRunning);
const conditions = async (stage: Stage) =>
  ((await status(stage)).conditions ?? []).map(({ type, status: value, reason }) => `${type} ${value} ${reason}`);
const indexes = (pods: readonly Pod[]) =>
  pods.map(({ metadata }) => metadata.annotations?.['batch.kubernetes.io/job-completion-index']).sort();

/** As a kubelet reports the end of a pod now. */
async function end(
  { cluster, clock }: Stage,
  pod: Pod | undefined,
  exitCode: number,
  more: object = {},
): Promise<void> {
  const finishedAt = new Date(clock.wallAt()).toISOString();
  const containerStatuses = [
    {
      name: 'work',
      image: 'shop/artisan',
      ready: false,
      restartCount: 0,
      state: { terminated: { exitCode, finishedAt } },
    },
  ];
  const value = { status: { phase: exitCode === 0 ? 'Succeeded' : 'Failed', containerStatuses, ...more } };
  const at = { name: pod?.metadata.name ?? '', namespace: 'default' };
  await cluster.patch('Pod', at, { type: 'merge', value }, { subresource: 'status' });
}

/** Waits for that many active pods, and returns them. */
async function pods(stage: Stage, count: number): Promise<readonly Pod[]> {
  await stage.until(async () => (await active(stage)).length === count);
  return active(stage);
}

test('a Job makes a pod with its labels and the tracking finalizer, and is Complete when that has succeeded', () =>
  playing({}, async (stage) => {
    const [pod] = await pods(stage, 1);
    const { uid = '' } = (await read(stage))?.metadata ?? {};
    assert.match(pod?.metadata.name ?? '', /^migrate-[a-z0-9]{5}$/);
    assert.deepEqual(pod?.metadata.labels, {
      'batch.kubernetes.io/controller-uid': uid,
      'batch.kubernetes.io/job-name': 'migrate',
      'controller-uid': uid,
      'job-name': 'migrate',
    });
    assert.deepEqual(pod?.metadata.finalizers, ['batch.kubernetes.io/job-tracking']);
    assert.equal(pod?.metadata.ownerReferences?.[0]?.uid, uid);
    await stage.until(async () => (await status(stage)).active === 1);
    const { startTime } = await status(stage);
    assert.deepEqual(await status(stage), {
      active: 1,
      ready: 0,
      terminating: 0,
      startTime,
      uncountedTerminatedPods: {},
    });
    await end(stage, pod, 0);
    const seconds = await stage.until(async () => (await status(stage)).succeeded === 1);
    assert.ok(seconds <= 0.1, `${seconds} s`);
    const { conditions: all = [], ...rest } = await status(stage);
    const why = 'CompletionsReached Reached expected number of succeeded pods';
    assert.deepEqual(
      all.map(({ type, status: value, reason, message }) => `${type} ${value} ${reason} ${message}`),
      [`SuccessCriteriaMet True ${why}`, `Complete True ${why}`],
    );
    const completionTime = all.at(-1)?.lastTransitionTime;
    assert.ok(completionTime !== undefined);
    assert.deepEqual(rest, {
      succeeded: 1,
      ready: 0,
      terminating: 0,
      startTime,
      completionTime,
      uncountedTerminatedPods: {},
    });
    const [ended] = await podsOf(stage);
    assert.equal(ended?.metadata.finalizers, undefined, 'it stays to be read, and may be deleted');
    await stage.clock.sleep(60);
    assert.equal((await podsOf(stage)).length, 1);
  }));

test('no more pods than parallelism run at once, and no more than completions are still missing', () =>
  playing({ parallelism: 2, completions: 3 }, async (stage) => {
    const [first, second] = await pods(stage, 2);
    await end(stage, first, 0);
    await stage.until(async () => (await status(stage)).succeeded === 1);
    assert.equal((await pods(stage, 2)).length, 2);
    await end(stage, second, 0);
    await stage.until(async () => (await status(stage)).succeeded === 2);
    const [third, ...more] = await pods(stage, 1);
    assert.equal(more.length, 0);
    await end(stage, third, 0);
    await stage.until(async () => (await conditions(stage)).includes('Complete True CompletionsReached'));
  }));

test('a work queue without completions gets no new pod after its first success, and ends with its last pod', () =>
  playing({ parallelism: 2 }, async (stage) => {
    const [first, second] = await pods(stage, 2);
    await end(stage, first, 0);
    await stage.clock.sleep(30);
    assert.deepEqual(await conditions(stage), []);
    assert.equal((await active(stage)).length, 1);
    await end(stage, second, 0);
    await stage.until(async () => (await conditions(stage)).includes('Complete True CompletionsReached'));
    assert.equal((await status(stage)).succeeded, 2);
  }));

test('a failed pod is made again after 10 s, 20 s and 40 s, and one failure more than backoffLimit fails the Job', () =>
  playing({ backoffLimit: 3 }, async (stage) => {
    for (const wanted of [10, 20, 40]) {
      const [pod] = await pods(stage, 1);
      await end(stage, pod, 1);
      await stage.until(async () => (await active(stage)).length === 0);
      const seconds = await stage.until(async () => (await active(stage)).length === 1);
      assert.ok(Math.abs(seconds - wanted) <= 1.1, `${seconds} s instead of ${wanted} s`);
    }
    const [pod] = await pods(stage, 1);
    await end(stage, pod, 1);
    await stage.until(async () => (await status(stage)).failed === 4);
    const failed = ['FailureTarget True BackoffLimitExceeded', 'Failed True BackoffLimitExceeded'];
    assert.deepEqual(await conditions(stage), failed);
    await stage.clock.sleep(120);
    assert.equal((await active(stage)).length, 0);
    assert.equal((await status(stage)).completionTime, undefined);
  }));

test('restarts within pods count against backoffLimit where restartPolicy is OnFailure', () =>
  onStage([job()], [batch({ backoffLimit: 2 }, 'OnFailure')], async (stage) => {
    const [pod] = await pods(stage, 1);
    const containerStatuses = [{ name: 'work', image: 'shop/artisan', ready: false, restartCount: 2 }];
    const value = { status: { phase: 'Running', containerStatuses } };
    const at = { name: pod?.metadata.name ?? '', namespace: 'default' };
    await stage.cluster.patch('Pod', at, { type: 'merge', value }, { subresource: 'status' });
    await stage.until(async () => (await conditions(stage)).includes('Failed True BackoffLimitExceeded'));
    assert.deepEqual(await podsOf(stage), []);
    assert.equal((await status(stage)).failed, 1);
  }));

test('a Job that is active longer than its deadline fails, and its pods go', () =>
  playing({ activeDeadlineSeconds: 30 }, async (stage) => {
    await pods(stage, 1);
    const seconds = await stage.until(async () => (await conditions(stage)).includes('Failed True DeadlineExceeded'));
    assert.ok(seconds > 28.5 && seconds < 30.2, `${seconds} s`);
    assert.deepEqual(await podsOf(stage), []);
    assert.equal((await status(stage)).failed, 1);
  }));

test('a Job that fails is Failed only when its last pod is gone', () =>
  playing({ activeDeadlineSeconds: 30, parallelism: 2, completions: 2 }, async (stage) => {
    const [pod] = await pods(stage, 2);
    const at = { name: pod?.metadata.name ?? '', namespace: 'default' };
    await stage.cluster.patch('Pod', at, { type: 'merge', value: { spec: { nodeName: 'a' } } });
    await stage.clock.sleep(35);
    assert.deepEqual(await conditions(stage), ['FailureTarget True DeadlineExceeded']);
    assert.equal((await status(stage)).terminating, 1);
    await stage.cluster.delete('Pod', at, { gracePeriodSeconds: 0 });
    await stage.until(async () => (await conditions(stage)).includes('Failed True DeadlineExceeded'));
    assert.equal((await status(stage)).failed, 2);
  }));

test('a pod that is deleted counts as failed and is made again', () =>
  playing({}, async (stage) => {
    const [pod] = await pods(stage, 1);
    const at = { name: pod?.metadata.name ?? '', namespace: 'default' };
    await stage.cluster.patch('Pod', at, { type: 'merge', value: { spec: { nodeName: 'a' } } });
    await stage.cluster.delete('Pod', at);
    await stage.until(async () => (await status(stage)).failed === 1);
    const [next] = await pods(stage, 1);
    assert.notEqual(next?.metadata.name, pod?.metadata.name);
    await end(stage, next, 0);
    await stage.until(async () => (await status(stage)).succeeded === 1);
    assert.deepEqual(
      await conditions(stage),
      ['SuccessCriteriaMet True CompletionsReached'],
      'one is still terminating',
    );
    await stage.cluster.delete('Pod', at, { gracePeriodSeconds: 0 });
    await stage.until(async () => (await conditions(stage)).includes('Complete True CompletionsReached'));
  }));

test('an Indexed Job has one pod for each index, made again under its own; the indexes that succeeded are listed', () =>
  playing({ completionMode: 'Indexed', completions: 4, parallelism: 3 }, async (stage) => {
    const [first, second, third] = (await pods(stage, 3)).toSorted((a, b) =>
      a.metadata.name < b.metadata.name ? -1 : 1,
    );
    assert.deepEqual(indexes([first as Pod, second as Pod, third as Pod]), ['0', '1', '2']);
    assert.match(second?.metadata.name ?? '', /^migrate-1-[a-z0-9]{5}$/);
    assert.equal(second?.spec.hostname, 'migrate-1');
    assert.equal(second?.metadata.labels?.['batch.kubernetes.io/job-completion-index'], '1');
    assert.deepEqual(
      second?.spec.containers[0]?.env?.map(({ name }) => name),
      ['JOB_COMPLETION_INDEX'],
    );
    await end(stage, first, 0);
    await end(stage, third, 0);
    await stage.until(async () => (await status(stage)).completedIndexes === '0,2');
    assert.deepEqual(indexes(await pods(stage, 2)), ['1', '3']);
    await end(stage, second, 1);
    await stage.until(async () => (await status(stage)).failed === 1);
    const again = await pods(stage, 2);
    assert.deepEqual(indexes(again), ['1', '3']);
    for (const pod of again) await end(stage, pod, 0);
    await stage.until(async () => (await conditions(stage)).includes('Complete True CompletionsReached'));
    const { completedIndexes, succeeded } = await status(stage);
    assert.deepEqual([completedIndexes, succeeded], ['0-3', 4]);
  }));

test('indexes are written as ranges, and read again', () => {
  assert.equal(indexesText([5, 0, 1, 2, 9, 10]), '0-2,5,9-10');
  assert.deepEqual(indexesIn('0-2,5,9-10'), [0, 1, 2, 5, 9, 10]);
  assert.deepEqual(indexesIn(undefined), []);
});

test('a suspended Job has no pods, and starts anew when it is resumed', () =>
  playing({ suspend: true }, async (stage) => {
    await stage.until(async () => (await conditions(stage)).includes('Suspended True JobSuspended'));
    await stage.clock.sleep(60);
    assert.equal((await podsOf(stage)).length, 0);
    assert.equal((await status(stage)).startTime, undefined);
    const suspend = (value: boolean) =>
      stage.cluster.patch('Job', place, { type: 'merge', value: { spec: { suspend: value } } });
    await suspend(false);
    await pods(stage, 1);
    await stage.until(async () => (await conditions(stage)).includes('Suspended False JobResumed'));
    const { startTime } = await status(stage);
    await stage.clock.sleep(60);
    await suspend(true);
    await stage.until(async () => (await podsOf(stage)).length === 0);
    assert.equal((await status(stage)).failed, undefined, 'it was not the pod that failed');
    await suspend(false);
    await pods(stage, 1);
    await stage.until(async () => (await status(stage)).startTime !== startTime);
  }));

test('fewer of parallelism take pods away that do not count as failed', () =>
  playing({ parallelism: 3, completions: 5 }, async (stage) => {
    await pods(stage, 3);
    await stage.cluster.patch('Job', place, { type: 'merge', value: { spec: { parallelism: 1 } } });
    await pods(stage, 1);
    await stage.clock.sleep(5);
    const { active: left, failed } = await status(stage);
    assert.deepEqual([left, failed], [1, undefined]);
  }));

test('the failure policy: an exit code fails the Job at once, a disrupted pod does not count', () => {
  const rules = [
    { action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } },
    { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
  ] as const;
  return playing({ podFailurePolicy: { rules }, backoffLimit: 0 }, async (stage) => {
    const [first] = await pods(stage, 1);
    await end(stage, first, 143, { conditions: [{ type: 'DisruptionTarget', status: 'True' }] });
    await stage.until(async () => (await active(stage)).length === 1);
    assert.equal((await status(stage)).failed, undefined);
    const [second] = await pods(stage, 1);
    await end(stage, second, 42);
    await stage.until(async () => (await conditions(stage)).includes('Failed True PodFailurePolicy'));
    const [target] = (await status(stage)).conditions ?? [];
    const why =
      /^Container work for pod default\/migrate-\w+ failed with exit code 42 matching FailJob rule at index 0$/;
    assert.match(target?.message ?? '', why);
  });
});

test('with a failure policy a pod that goes is replaced only once it has failed', () => {
  const rules = [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }] as const;
  return playing({ podFailurePolicy: { rules } }, async (stage) => {
    const [pod] = await pods(stage, 1);
    const at = { name: pod?.metadata.name ?? '', namespace: 'default' };
    await stage.cluster.patch('Pod', at, { type: 'merge', value: { spec: { nodeName: 'a' } } });
    await stage.cluster.delete('Pod', at);
    await stage.clock.sleep(60);
    assert.equal((await podsOf(stage)).length, 1);
    await end(stage, pod, 143);
    await pods(stage, 1);
    assert.equal((await status(stage)).failed, 1);
  });
});

test('a Job is deleted with its pods, its finalizer too, ttlSecondsAfterFinished after its end', () =>
  playing({ ttlSecondsAfterFinished: 100 }, async (stage) => {
    const [pod] = await pods(stage, 1);
    await end(stage, pod, 0);
    await stage.until(async () => (await status(stage)).succeeded === 1);
    await stage.clock.sleep(98);
    assert.equal((await podsOf(stage)).length, 1);
    await stage.until(async () => (await read(stage)) === undefined && (await podsOf(stage)).length === 0);
  }));

for (const propagationPolicy of ['Background', 'Foreground', 'Orphan'] as const)
  test(`a Job that is deleted (${propagationPolicy}) leaves no pod that its finalizer keeps`, () =>
    playing({}, async (stage) => {
      await pods(stage, 1);
      await stage.cluster.delete('Job', place, { propagationPolicy });
      await stage.until(async () => (await read(stage)) === undefined);
      await stage.until(async () => (await podsOf(stage)).every(({ metadata }) => metadata.finalizers === undefined));
      await stage.clock.sleep(5);
      assert.equal((await podsOf(stage)).length, propagationPolicy === 'Orphan' ? 1 : 0);
    }));
