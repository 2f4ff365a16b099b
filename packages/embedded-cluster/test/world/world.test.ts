import assert from 'node:assert/strict';
import { test } from 'node:test';
import { healthy } from '../../src/setup/setup.ts';
import type { SavedWorld } from '../../src/world/world.ts';
import { type InWorld, inWorld, isBad, outages, withApplication } from '../support/in-world.ts';
import { plainPod } from '../support/objects.ts';
import { seeds } from '../support/seeds.ts';

/** Plays from a few saved worlds, each several times with different random numbers. */
async function overSeeds(play: (it: InWorld, seed: string) => Promise<void>): Promise<void> {
  for (const way of seeds({ few: 1, all: 4 })) {
    const saved: SavedWorld = await withApplication(`way ${way}`);
    for (const seed of seeds({ few: 4, all: 50 })) {
      await inWorld({ seed: `${way} ${seed}`, saved }, (it) => play(it, `${way} ${seed}`));
    }
  }
}

const removed = async ({ cluster, pods }: InWorld): Promise<void> => {
  const [pod] = await pods();
  const uid = pod?.metadata.uid ?? '';
  await cluster.delete('Pod', { name: pod?.metadata.name ?? '', namespace: 'default' }, { uid });
};

test('deleting the pod of a single replica causes 503 for 1 to 5 seconds, with every seed', async () => {
  await overSeeds(async (it, seed) => {
    await it.scale(1);
    await it.clock.sleep(30);
    const samples = await it.watched(async () => {
      await it.clock.sleep(2);
      await removed(it);
      await it.clock.sleep(15);
    });
    const lengths = outages(samples);
    assert.ok(lengths.length === 1 && (lengths[0] ?? 0) >= 1 && (lengths[0] ?? 9) <= 5, `${seed}: ${lengths} s`);
    assert.deepEqual(new Set(samples.filter(isBad).map(({ status }) => status)), new Set([503]), seed);
  });
});

test('deleting one of two replicas on two nodes causes no outage, with every seed', async () => {
  await overSeeds(async (it, seed) => {
    const samples = await it.watched(async () => {
      await removed(it);
      await it.clock.sleep(20);
    });
    assert.deepEqual(samples.filter(isBad), [], seed);
  });
});

test('a drain causes no outage, with every seed', async () => {
  await overSeeds(async (it, seed) => {
    const samples = await it.watched(async () => {
      await drained(it);
      await it.clock.sleep(20);
    });
    assert.deepEqual(samples.filter(isBad), [], seed);
  });
});

async function drained({ cluster, pods, clock }: InWorld): Promise<void> {
  const [pod] = await pods();
  const nodeName = pod?.spec.nodeName ?? '';
  await cluster.patch('Node', { name: nodeName }, { type: 'strategic', value: { spec: { unschedulable: true } } });
  for (const { metadata } of (await pods()).filter(({ spec }) => spec.nodeName === nodeName)) {
    const identity = { name: metadata.name, namespace: 'default', uid: metadata.uid ?? '' };
    for (let tries = 0; tries < 20 && (await cluster.evict(identity)).outcome === 'refused'; tries += 1)
      await clock.sleep(5);
  }
}

test('deleting an ingress controller pod causes no outage on new or kept connections', async () => {
  const saved = await withApplication('ingress');
  for (const seed of seeds({ few: 3, all: 20 })) {
    for (const connection of ['new', 'reused'] as const) {
      await inWorld({ seed: `${seed}`, saved }, async (it) => {
        const samples = await it.watched(async () => {
          await it.clock.sleep(3);
          const where = { namespace: 'ingress-nginx', labelSelector: 'app.kubernetes.io/component=controller' };
          const [pod] = await it.cluster.list('Pod', where);
          await it.cluster.delete('Pod', { name: pod?.metadata.name ?? '', namespace: 'ingress-nginx' });
          await it.clock.sleep(40);
        }, connection);
        assert.deepEqual(samples.filter(isBad), [], `${seed} ${connection}`);
      });
    }
  }
});

test('scaling down to nothing without preStop: connections are refused, then silent, then there are no pods', async () => {
  const saved = await withApplication('plain', { spec: plainPod });
  const kinds = new Set<string>();
  for (let seed = 1; seed <= 40 && kinds.size < 4; seed += 1) {
    await inWorld({ seed: `${seed}`, saved }, async (it) => {
      const samples = await it.watched(async () => {
        await it.clock.sleep(1);
        await it.scale(0);
        await it.clock.sleep(10);
      });
      for (const { status } of samples.filter(isBad)) kinds.add(String(status));
    });
  }
  const why = 'silent until the probe gives up, refused by the last pod tried, no pods, silent at the last try';
  assert.deepEqual([...kinds].sort(), ['0', '502', '503', '504'], why);
});

const killed = async ({ world, pods }: InWorld): Promise<void> => {
  const [pod] = await pods();
  world.machines.terminate(world.machines.instanceOfNode(pod?.spec.nodeName ?? '')?.id ?? '');
};
const readyPods = async ({ pods }: InWorld) =>
  (await pods()).filter(({ status }) =>
    status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
  );

test('packets to a killed instance are lost: nginx tries again after 5 seconds and may meet it again, until the node is NotReady after 40 to 55', async () => {
  const saved = await withApplication('kill');
  for (const seed of seeds({ few: 4, all: 40 })) {
    await inWorld({ seed: `${seed}`, saved }, async (it) => {
      const begunAt = it.clock.wallAt();
      const samples = await it.watched(async () => {
        await killed(it);
        await it.clock.sleep(240);
      });
      const slow = samples.filter(isBad);
      const once = slow.filter(({ status, seconds }) => status === 200 && seconds > 5 && seconds < 5.1);
      const again = slow.filter(({ error, seconds }) => error === 'timeout' && seconds >= 10);
      assert.ok(slow.length > 5 && once.length > 0 && again.length > 0, `${once.length} and ${again.length}`);
      assert.equal(once.length + again.length, slow.length, 'the probe gives up at the second try, after 10 s');
      const seconds = slow.map(({ at }) => (at - begunAt) / 1000);
      assert.ok(Math.min(...seconds) > 2 && Math.max(...seconds) < 8 + 55 + 4.6, `${seconds}`);
      const upperSeconds = outages(samples).reduce((sum, length) => sum + length + 1, 0);
      assert.ok(upperSeconds <= 60, `criterion 3: at most ${upperSeconds} s`);
      assert.equal((await readyPods(it)).length, 2);
    });
  }
});

test('with an interruption queue Karpenter removes the terminating node from the request path within seconds', async () => {
  const setup = { ...healthy, surroundings: { ...healthy.surroundings, interruptionQueue: true } };
  const saved = await withApplication('queue', { setup });
  for (const seed of seeds({ few: 3, all: 20 })) {
    await inWorld({ seed: `${seed}`, saved }, async (it) => {
      const samples = await it.watched(async () => {
        await killed(it);
        await it.clock.sleep(150);
      });
      assert.ok(samples.filter(isBad).length <= 5, `${samples.filter(isBad).length} bad samples`);
      assert.equal((await readyPods(it)).length, 2);
    });
  }
});

test('the same seed gives the same samples, and another seed gives others', async () => {
  const samplesOf = (seed: string) =>
    inWorld({ seed, saved: undefined }, async (it) =>
      it.watched(async () => {
        await it.clock.sleep(60);
      }),
    );
  const [first, second, other] = [await samplesOf('7'), await samplesOf('7'), await samplesOf('8')];
  assert.deepEqual(first, second);
  assert.notDeepEqual(first, other);
});

test('a saved world continues: pods, records and targets exist, and unfinished work is completed', async () => {
  const saved = await withApplication('saved');
  const half = await inWorld({ seed: 'half', saved }, async (it) => {
    await it.scale(5);
    await it.clock.sleep(0.5);
    return JSON.parse(JSON.stringify(it.world.save())) as SavedWorld;
  });
  await inWorld({ seed: 'on', saved: half }, async (it) => {
    const samples = await it.watched(() => it.clock.sleep(180));
    assert.deepEqual(samples.filter(isBad), []);
    assert.equal((await it.pods()).filter(({ status }) => status?.phase === 'Running').length, 5);
  });
});
