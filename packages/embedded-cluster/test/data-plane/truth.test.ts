import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type InWorld, inWorld, isBad, outages, withApplication } from '../support/in-world.ts';
import { seeds } from '../support/seeds.ts';

const request = { host: 'app.example.com', path: '/' };

interface Interval {
  readonly fromAt: number;
  readonly toAt: number;
}

/**
 * Sampled every 10 ms: from the first instant at which all requests fail to the first at which none does;
 * `maybeFromAt`: some fail.
 */
async function trueOutage(
  { world, clock }: InWorld,
  seconds: number,
): Promise<Interval & { readonly maybeFromAt: number }> {
  const [balancer] = world.loadBalancers.save();
  let maybeFromAt = 0;
  let fromAt = 0;
  let toAt = 0;
  for (let step = 0; step < 100 * seconds; step += 1) {
    const { failing } = world.dataPlane().truth(balancer?.addresses[0] ?? '', request);
    const at = clock.wallAt();
    if (failing > 0) maybeFromAt ||= at;
    if (failing === 1) fromAt ||= at;
    if (failing > 0) toAt = at + 10;
    await clock.sleep(0.01);
  }
  return { maybeFromAt, fromAt, toAt };
}

test('an outage that the probe measures agrees with the true one, within one interval', async () => {
  const saved = await withApplication('truth', { replicas: 1 });
  for (const seed of seeds({ few: 3, all: 20 })) {
    await inWorld({ seed: `${seed}`, saved }, async (it) => {
      await it.clock.sleep(10);
      let truth: Awaited<ReturnType<typeof trueOutage>> | undefined;
      const samples = await it.watched(async () => {
        await it.clock.sleep(3);
        const [pod] = await it.pods();
        await it.cluster.delete('Pod', { name: pod?.metadata.name ?? '', namespace: 'default' });
        truth = await trueOutage(it, 12);
      });
      assert.ok(truth);
      const bad = samples.filter(isBad).map(({ at }) => at);
      assert.ok(Math.min(...bad) >= truth.maybeFromAt && Math.max(...bad) <= truth.toAt);
      const surely = samples.filter(({ at }) => truth !== undefined && at > truth.fromAt && at < truth.fromAt + 1000);
      assert.ok(surely.every(isBad), 'nothing is good while everything fails');
      const [measured = 0] = outages(samples);
      const longest = (truth.toAt - truth.maybeFromAt) / 1000;
      assert.ok(measured - 1 <= longest && longest <= measured + 2, `measured ${measured} s, true ${longest} s`);
    });
  }
});

test('after an instance with one of two replicas is terminated, half of the requests meet its dead endpoint and an eighth fails', async () => {
  const saved = await withApplication('killed');
  await inWorld({ seed: '1', saved }, async ({ world, clock, pods }) => {
    const [pod] = await pods();
    const [balancer] = world.loadBalancers.save();
    const truth = () => world.dataPlane().truth(balancer?.addresses[0] ?? '', request);
    assert.deepEqual(truth(), { failing: 0, slow: 0 });
    world.machines.terminate(world.machines.instanceOfNode(pod?.spec.nodeName ?? '')?.id ?? '');
    await clock.sleep(20);
    assert.deepEqual(truth(), { failing: 0.125, slow: 0.375 });
    await clock.sleep(60);
    assert.deepEqual(truth(), { failing: 0, slow: 0 });
  });
});
