import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HorizontalPodAutoscaler } from '../../../src/cluster/resources.ts';
import { pauseAutoscaler } from '../../../src/validation/actions/pause-autoscaler.ts';
import type { Site } from '../../../src/validation/site.ts';

type Behavior = HorizontalPodAutoscaler['spec']['behavior'];

/** A cluster with one autoscaler, whose behaviour is read and patched. */
function siteWith(behavior: Behavior) {
  let now: Behavior | 'gone' = behavior;
  const cluster = {
    get: async () => (now === 'gone' ? undefined : { spec: { behavior: now } }),
    patch: async (_kind: string, _place: object, { value }: { value: readonly { op: string; value?: Behavior }[] }) => {
      now = value[0]?.op === 'remove' ? undefined : value[0]?.value;
    },
  };
  const set = (next: Behavior | 'gone') => {
    now = next;
  };
  return { site: { cluster } as unknown as Site, now: () => now, set };
}
const target = { namespace: 'shop', name: 'web' };
const signal = new AbortController().signal;

for (const original of [undefined, { scaleDown: { stabilizationWindowSeconds: 60 } }])
  test(`an autoscaler ${original ? 'with' : 'without'} a behaviour scales nothing, and has its own again after`, async () => {
    const { site, now } = siteWith(original);
    const intent = await pauseAutoscaler.prepare(site, target);
    await pauseAutoscaler.perform(site, intent, signal);
    assert.equal((await pauseAutoscaler.verify(site, intent)).outcome, 'met');
    assert.equal((await pauseAutoscaler.undo(site, intent)).state, 'undone');
    assert.deepEqual(now(), original);
  });

test('a behaviour that somebody set meanwhile is kept, and an autoscaler that is gone needs no undo', async () => {
  const { site, set } = siteWith(undefined);
  const intent = await pauseAutoscaler.prepare(site, target);
  set({ scaleUp: { selectPolicy: 'Max' } });
  assert.equal((await pauseAutoscaler.undo(site, intent)).state, 'kept');
  set('gone');
  assert.equal((await pauseAutoscaler.undo(site, intent)).state, 'not-needed');
});
