import assert from 'node:assert/strict';
import { test } from 'node:test';
import { healthy } from '../../../src/setup/setup.ts';
import { inWorld, withApplication } from '../../support/in-world.ts';
import * as objects from '../../support/objects.ts';
import { usualWitness, witnessed } from '../ingress-nginx/witness.ts';
import { isBad } from './deeds.ts';

const preStop = { sleep: { seconds: 10 } };
const containers = objects.hardenedPod.containers.map((container) => ({ ...container, lifecycle: { preStop } }));
const setup = {
  ...healthy,
  surroundings: { ...healthy.surroundings, frontDoor: 'envoy-gateway', ingress: 'mended' },
} as const;

test('with no ready pod Envoy asks those that end and those that start alike', async () => {
  const saved = await withApplication('panic', {
    setup,
    replicas: 1,
    spec: { ...objects.hardenedPod, containers },
  });
  const seen = await inWorld({ seed: '1', saved, setup }, (it) =>
    witnessed(it, usualWitness, 30, async () => {
      const [pod] = await it.pods();
      await it.cluster.delete('Pod', { namespace: 'default', name: pod?.metadata.name ?? '' });
    }),
  );
  const failed = seen.filter(isBad);
  const times = failed.map(({ at }) => at);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const meanwhile = seen.filter(({ at }) => at >= first && at <= last).length;
  assert.ok(failed.length > 0, 'the pod that starts does not listen yet');
  assert.ok(Math.abs(failed.length / meanwhile - 0.5) < 0.2, `${failed.length} of ${meanwhile}`);
});
