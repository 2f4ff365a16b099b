import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defects, setupWith } from '../src/defects.ts';
import { healthy } from '../src/setup/setup.ts';
import type { SavedWorld } from '../src/world/world.ts';
import { type InWorld, inWorld, isBad, outages, withApplication } from './support/in-world.ts';
import * as objects from './support/objects.ts';
import { seeds } from './support/seeds.ts';

test('each defect changes the healthy setup', () => {
  for (const name of Object.keys(defects))
    assert.notDeepEqual(comparable(setupWith([name])), comparable(healthy), name);
});

/** `deepEqual` compares functions by identity, so an added webhook or controller makes a difference. */
const comparable = (setup: object): readonly unknown[] => Object.values(setup);

test('an unknown defect is an error that lists the defects', () => {
  assert.throws(() => setupWith(['slow-boot', 'slow-bot']), {
    name: 'RangeError',
    message: /^there is no defect slow-bot; .*slow-boot/,
  });
});

/** Plays in worlds (seeds) with the defect, in which the application runs. */
async function withDefect(name: string, play: (it: InWorld) => Promise<void>, replicas = 2): Promise<void> {
  const setup = setupWith([name]);
  for (const seed of seeds({ few: 1, all: 20 })) {
    const saved: SavedWorld = await withApplication(`${seed}`, { setup, replicas });
    await inWorld({ seed: `${seed} on`, saved, setup }, play);
  }
}

const claims = ({ cluster }: InWorld) => cluster.list('NodeClaim');
const nodesOfPods = async ({ pods }: InWorld) => new Set((await pods()).map(({ spec }) => spec.nodeName));
const sum = (seconds: readonly number[]) => seconds.reduce((all, one) => all + one, 0);

test('single-ingress-replica: deleting the ingress controller’s pod causes an outage', async () => {
  await withDefect('single-ingress-replica', async (it) => {
    const samples = await it.watched(async () => {
      await it.clock.sleep(2);
      const [pod] = await it.cluster.list('Pod', { namespace: 'ingress-nginx' });
      await it.cluster.delete('Pod', { name: pod?.metadata.name ?? '', namespace: 'ingress-nginx' });
      await it.clock.sleep(40);
    });
    assert.ok(sum(outages(samples)) >= 3, `${outages(samples)}`);
  });
});

test('the webhooks change a StatefulSet as they change a Deployment', () => {
  const { kind: _, ...deployment } = objects.deployment(2, objects.hardenedPod);
  const stateful = { ...deployment, kind: 'StatefulSet' };
  const specWith = (name: string) => (setupWith([name]).admit(stateful) as typeof stateful).spec.template.spec;
  const { topologySpreadConstraints, containers } = stateful.spec.template.spec;
  assert.ok(topologySpreadConstraints && containers[0]?.readinessProbe && containers[0].lifecycle);
  assert.equal(specWith('replicas-on-one-node').topologySpreadConstraints, undefined);
  assert.equal(specWith('no-readiness-probe').containers[0]?.readinessProbe, undefined);
  assert.equal(specWith('abrupt-termination').containers[0]?.lifecycle, undefined);
});

test('replicas-on-one-node: losing the instance causes more than a minute of outage', async () => {
  await withDefect('replicas-on-one-node', async (it) => {
    const [node] = await nodesOfPods(it);
    assert.equal((await nodesOfPods(it)).size, 1);
    const samples = await it.watched(async () => {
      it.world.machines.terminate(it.world.machines.instanceOfNode(node ?? '')?.id ?? '');
      await it.clock.sleep(400);
    });
    assert.ok(sum(outages(samples).map((length) => length - 1)) > 60, `${outages(samples)}`);
    assert.equal(isBad(samples.at(-1) as never), false);
  });
});

test('no-disruption-budget: a drain evicts both replicas at once', async () => {
  await withDefect('no-disruption-budget', async (it) => {
    const samples = await it.watched(async () => {
      await it.clock.sleep(10);
      for (const { metadata } of await it.pods()) {
        const eviction = await it.cluster.evict({ name: metadata.name, namespace: 'default', uid: metadata.uid ?? '' });
        assert.equal(eviction.outcome, 'evicted');
      }
      await it.clock.sleep(40);
    });
    assert.ok(sum(outages(samples)) >= 1, `${outages(samples)}`);
  });
});

test('no-readiness-probe: new replicas get traffic before they can answer', async () => {
  await withDefect('no-readiness-probe', async (it) => {
    const samples = await it.watched(async () => {
      await it.scale(5);
      await it.clock.sleep(100);
    });
    assert.ok(samples.filter(({ status }) => status === 502).length >= 2);
  });
});

test('abrupt-termination: requests fail when replicas are removed', async () => {
  await withDefect(
    'abrupt-termination',
    async (it) => {
      const samples = await it.watched(async () => {
        await it.scale(1);
        await it.clock.sleep(60);
      });
      // The pods' addresses refuse at first, and are silent then.
      assert.ok(samples.filter(({ status, error }) => status === 502 || error === 'timeout').length >= 2);
    },
    5,
  );
});

const drift = async ({ cluster, clock }: InWorld): Promise<void> => {
  await clock.sleep(30);
  const [claim] = await cluster.list('NodeClaim');
  const annotations = { 'karpenter.sh/nodepool-hash': 'marked' };
  await cluster.patch(
    'NodeClaim',
    { name: claim?.metadata.name ?? '' },
    { type: 'merge', value: { metadata: { annotations } } },
  );
};

test('budget-ignored: one drifted node makes Karpenter replace two', async () => {
  await withDefect('budget-ignored', async (it) => {
    const before = (await claims(it)).map(({ metadata }) => metadata.name);
    await drift(it);
    await it.clock.sleep(300);
    assert.deepEqual(
      (await claims(it)).filter(({ metadata }) => before.includes(metadata.name)),
      [],
    );
  });
});

test('mass-eviction: ready endpoints fall below minAvailable of the budget', async () => {
  await withDefect('mass-eviction', async (it) => {
    await drift(it);
    let least = 2;
    for (let second = 0; second < 200; second += 1) {
      const [slice] = await it.cluster.list('EndpointSlice', { namespace: 'default' });
      assert.ok(slice, 'the Service has its slice all the time');
      const ready = slice.endpoints?.filter(({ conditions }) => conditions?.ready) ?? [];
      least = Math.min(least, ready.length);
      await it.clock.sleep(1);
    }
    assert.equal(least, 0);
  });
});

test('surprise-expiry: nodes are removed after six minutes without a disruption reason', async () => {
  await withDefect('surprise-expiry', async (it) => {
    const before = (await claims(it)).map(({ metadata }) => metadata.name);
    assert.ok((await claims(it)).every(({ spec }) => spec.expireAfter === '6m'));
    await it.clock.sleep(240);
    assert.notDeepEqual(
      (await claims(it)).map(({ metadata }) => metadata.name),
      before,
    );
  });
});

test('eager-consolidation: Karpenter disrupts the node of the last replica', async () => {
  await withDefect('eager-consolidation', async (it) => {
    await it.cluster.patch(
      'NodePool',
      { name: 'general-purpose-arm' },
      { type: 'merge', value: { spec: { disruption: { consolidateAfter: '2m' } } } },
    );
    await it.scale(1);
    await it.clock.sleep(260);
    const [running] = (await it.pods()).map(({ spec }) => spec.nodeName);
    const claim = (await claims(it)).find(({ status }) => status?.nodeName === running);
    assert.notEqual(claim?.metadata.deletionTimestamp, undefined);
  });
});

test('pool-restarts-nodes: an existing node is gone right after the pool is applied', async () => {
  const setup = setupWith(['pool-restarts-nodes']);
  await inWorld({ seed: '1', saved: undefined, setup }, async ({ cluster, clock }) => {
    const before = (await cluster.list('Node')).length;
    await cluster.apply(objects.nodePool, { fieldManager: 'test' });
    await clock.sleep(5);
    assert.equal((await cluster.list('Node')).length, before - 1);
  });
});

test('wrong-architecture: new nodes are not arm64', async () => {
  await withDefect('wrong-architecture', async (it) => {
    const nodes = await it.cluster.list('Node', { labelSelector: 'karpenter.sh/nodepool=general-purpose-arm' });
    assert.deepEqual(new Set(nodes.map(({ metadata }) => metadata.labels?.['kubernetes.io/arch'])), new Set(['amd64']));
    assert.ok(nodes.every(({ status }) => status?.nodeInfo?.architecture === 'amd64'));
    assert.equal(
      (await claims(it)).some(({ status }) => status?.conditions?.some(({ type }) => type === 'Drifted')),
      false,
    );
  });
});

test('the five defects that the pre-checks find show in the objects before anything is applied', async () => {
  const observed = async (name: string, look: (it: InWorld) => Promise<unknown>) =>
    inWorld({ seed: '1', saved: undefined, setup: setupWith([name]) }, look);
  const ingress = { name: 'ingress-nginx-controller', namespace: 'ingress-nginx' };
  const service = ({ cluster }: InWorld) => cluster.get('Service', ingress);
  const podsOf = async ({ cluster }: InWorld, app: string) =>
    (await cluster.list('Pod', { labelSelector: `app.kubernetes.io/name=${app}` })).length;
  const type = async (it: InWorld) => (await service(it))?.spec.type;
  const address = async (it: InWorld) => (await service(it))?.status?.loadBalancer?.ingress;
  const poolIsReady = async ({ cluster }: InWorld) =>
    (await cluster.list('NodePool'))[0]?.status?.conditions?.find((one) => one.type === 'Ready')?.status;
  assert.equal(await observed('ingress-cluster-ip', type), 'ClusterIP');
  assert.equal(await observed('load-balancer-pending', address), undefined);
  assert.equal(await observed('dns-automation-down', (it) => podsOf(it, 'external-dns')), 0);
  assert.equal(await observed('autoscaler-down', (it) => podsOf(it, 'karpenter')), 0);
  assert.equal(await observed('node-pool-not-ready', poolIsReady), 'False');
});

test('150 concurrent requests succeed in the healthy cluster, and fail with server-errors-under-load and pods-crash-under-load', async () => {
  const url = new URL('http://app.example.com/');
  const loaded = async (names: readonly string[]) => {
    const setup = setupWith(names);
    const saved = await withApplication('1', { setup });
    return inWorld({ seed: 'load', saved, setup }, async (it) => {
      const all = await Promise.all(
        Array.from({ length: 400 }, () => it.world.dataPlane().get(url, { timeoutSeconds: 10 })),
      );
      await it.clock.sleep(30);
      const restarts = (await it.pods())
        .flatMap(({ status }) => status?.containerStatuses ?? [])
        .map(({ restartCount }) => restartCount);
      return { bad: all.filter(({ response }) => response?.status !== 200).length, restarts: sum(restarts) };
    });
  };
  assert.deepEqual(await loaded([]), { bad: 0, restarts: 0 });
  assert.ok((await loaded(['server-errors-under-load'])).bad > 0);
  assert.ok((await loaded(['pods-crash-under-load'])).restarts > 0);
});

test('slow-boot: a node needs three minutes longer to join', async () => {
  await inWorld({ seed: '1', saved: undefined, setup: setupWith(['slow-boot']) }, async ({ cluster, clock }) => {
    for (const object of [objects.nodePool, objects.deployment(1, objects.hardenedPod)])
      await cluster.apply(object, { fieldManager: 'test' });
    await clock.sleep(205);
    assert.equal((await cluster.list('Node', { labelSelector: 'role=web' })).length, 0);
    await clock.sleep(45);
    assert.equal((await cluster.list('Node', { labelSelector: 'role=web' })).length, 1);
  });
});
