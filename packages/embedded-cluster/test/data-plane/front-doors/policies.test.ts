import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DoorPolicy, policyAnnotation } from '../../../src/front-doors/policy.ts';
import { healthy } from '../../../src/setup/setup.ts';
import type { FrontDoorName } from '../../../src/setup/surroundings.ts';
import type { SavedWorld } from '../../../src/world/world.ts';
import { inWorld, withApplication } from '../../support/in-world.ts';
import { cutPower, leaveTwoSystemNodes } from '../ingress-nginx/deeds.ts';
import { usualWitness, witnessed } from '../ingress-nginx/witness.ts';
import { isBad } from './deeds.ts';

const setupOf = (frontDoor: FrontDoorName) =>
  ({ ...healthy, surroundings: { ...healthy.surroundings, frontDoor, ingress: 'mended' } }) as const;

const worlds = new Map<FrontDoorName, Promise<SavedWorld>>();
const worldOf = (door: FrontDoorName) => {
  const world = worlds.get(door) ?? withApplication('policies', { setup: setupOf(door) });
  worlds.set(door, world);
  return world;
};

/** Bad requests within a minute, of two pods whose one is on a node that falls silent, and the last one's time. */
async function lostBehind(door: FrontDoorName, policy: DoorPolicy) {
  const seen = await inWorld({ seed: '1', saved: await worldOf(door), setup: setupOf(door) }, async (it) => {
    const annotations = { [policyAnnotation]: JSON.stringify(policy) };
    const place = { namespace: 'default', name: 'nginx-test' };
    await it.cluster.patch('Ingress', place, { type: 'merge', value: { metadata: { annotations } } });
    await leaveTwoSystemNodes(it);
    return witnessed(it, usualWitness, 60, () => cutPower(it));
  });
  const bad = seen.filter(isBad);
  return { bad: bad.length, slow: seen.filter(({ answer, seconds }) => answer === 200 && seconds > 0.9).length };
}

test('Envoy with retries and a short time to connect loses almost nothing of a node that falls silent', async () => {
  const usual = await lostBehind('envoy-gateway', {});
  const retried = await lostBehind('envoy-gateway', { retries: 2, connectTimeoutSeconds: 1 });
  assert.ok(retried.bad < usual.bad / 8, `${retried.bad} of ${usual.bad}`);
  assert.ok(retried.slow > 100, 'each of them waits for the first try');
});

test('passive health checks of Envoy take a silent endpoint out, but with the default share none of two', async () => {
  const usual = await lostBehind('envoy-gateway', { retries: 2, connectTimeoutSeconds: 1 });
  const passive = { retries: 2, connectTimeoutSeconds: 1, consecutiveErrors: 5 };
  const byDefault = await lostBehind('envoy-gateway', passive);
  const half = await lostBehind('envoy-gateway', { ...passive, mostEjectedPercent: 50 });
  assert.deepEqual(byDefault, usual);
  assert.ok(half.slow < usual.slow / 3, `${half.slow} of ${usual.slow} slow`);
});

test('a retry of Traefik goes to whose turn it is, so that of two endpoints each halves what is lost', async () => {
  const usual = await lostBehind('traefik', {});
  const one = await lostBehind('traefik', { retries: 1, connectTimeoutSeconds: 1 });
  const four = await lostBehind('traefik', { retries: 4, connectTimeoutSeconds: 1 });
  assert.ok(one.bad > usual.bad / 2, `${one.bad} of ${usual.bad}: one is not enough`);
  assert.ok(four.bad < usual.bad / 8, `${four.bad} of ${usual.bad}`);
});

test('a request timeout of a policy ends a request with all its tries', async () => {
  const seen = await inWorld(
    { seed: '1', saved: await worldOf('envoy-gateway'), setup: setupOf('envoy-gateway') },
    async (it) => {
      const annotations = { [policyAnnotation]: JSON.stringify({ requestTimeoutSeconds: 3 }) };
      const place = { namespace: 'default', name: 'nginx-test' };
      await it.cluster.patch('Ingress', place, { type: 'merge', value: { metadata: { annotations } } });
      await leaveTwoSystemNodes(it);
      return witnessed(it, usualWitness, 30, () => cutPower(it));
    },
  );
  const waited = seen.filter(({ answer }) => answer === 504).map(({ seconds }) => seconds);
  assert.ok(waited.length > 0);
  assert.ok(Math.max(...waited) < 3.2, `${Math.max(...waited)} s`);
});
