import assert from 'node:assert/strict';
import { test } from 'node:test';
import { podGc } from '../../src/controllers/pod-gc.ts';
import * as objects from '../support/objects.ts';
import { onStage } from '../support/stage.ts';

const at = (name: string) => ({ name, namespace: 'default' });

test('pods of a missing node are deleted after 40 to 80 seconds', async () => {
  await onStage([podGc()], [objects.pod('p', { nodeName: 'gone' }, { ready: true })], async (stage) => {
    const seconds = await stage.until(async () => (await stage.cluster.get('Pod', at('p'))) === undefined);
    assert.ok(seconds >= 40 && seconds <= 80.1, `${seconds} s`);
  });
});

test('a pod of a Job on a missing node has failed as disrupted, so that the Job can count it', async () => {
  const lost = objects.pod('p', { nodeName: 'gone' }, { ready: true });
  const tracked = { ...lost, metadata: { ...lost.metadata, finalizers: ['batch.kubernetes.io/job-tracking'] } };
  await onStage([podGc()], [tracked], async (stage) => {
    const read = async () => stage.cluster.get('Pod', at('p'));
    await stage.until(async () => (await read())?.metadata.deletionTimestamp !== undefined);
    const { phase, conditions = [] } = (await read())?.status ?? {};
    assert.equal(phase, 'Failed');
    assert.equal(conditions.find(({ type }) => type === 'DisruptionTarget')?.reason, 'DeletionByPodGC');
  });
});
