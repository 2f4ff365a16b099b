import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventExpiry } from '../../src/controllers/event-expiry.ts';
import { onStage } from '../support/stage.ts';

test('an Event is deleted after an hour', async () => {
  await onStage([eventExpiry], [], async ({ cluster, clock }) => {
    await cluster.create({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e', namespace: 'default' },
      involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' },
      type: 'Normal',
      reason: 'Test',
      message: 'm',
    });
    await clock.sleep(3500);
    assert.equal((await cluster.list('Event')).length, 1);
    await clock.sleep(200);
    assert.equal((await cluster.list('Event')).length, 0);
  });
});
