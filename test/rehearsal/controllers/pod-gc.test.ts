import assert from 'node:assert/strict';
import { test } from 'node:test';
import { podGc } from '../../../src/rehearsal/controllers/pod-gc.ts';
import * as objects from '../support/objects.ts';
import { onStage } from '../support/stage.ts';

const at = (name: string) => ({ name, namespace: 'default' });

test('pods of a missing node are deleted after 40 to 80 seconds', async () => {
  await onStage([podGc()], [objects.pod('p', { nodeName: 'gone' }, { ready: true })], async (stage) => {
    const seconds = await stage.until(async () => (await stage.cluster.get('Pod', at('p'))) === undefined);
    assert.ok(seconds >= 40 && seconds <= 80.1, `${seconds} s`);
  });
});
