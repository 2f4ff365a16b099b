import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setupWith } from '../../src/defects.ts';
import { type InWorld, inWorld, withApplication } from '../support/in-world.ts';
import { type Visit, visitor } from '../support/visitor.ts';

const saved = await withApplication('hops');
const onPath = (play: (it: InWorld) => Promise<void>) => inWorld({ seed: 'hops', saved }, play);
const probe = ({ clock, world }: InWorld, url?: string): Promise<Visit> => visitor(clock, world, false)(url);
const systemNodes = async ({ cluster }: InWorld) =>
  (await cluster.list('Node', { labelSelector: 'eks.amazonaws.com/nodegroup=system' })).map(
    ({ metadata }) => metadata.name,
  );

test('a healthy path returns the welcome page within 50 ms, with a time for each phase', async () => {
  await onPath(async (it) => {
    const sample = await probe(it);
    assert.equal(sample.status, 200);
    assert.equal(sample.isWelcome, true);
    assert.ok(sample.seconds < 0.05, `${sample.seconds} s`);
    for (const phase of ['dns', 'connect', 'firstByte'] as const) assert.ok((sample.phases[phase] ?? 0) > 0, phase);
  });
});

test('a name without a record is the error dns; a host without an Ingress rule is 404', async () => {
  await onPath(async (it) => {
    assert.equal((await probe(it, 'http://nobody.example.com/')).error, 'dns');
    it.world.zone.change([
      {
        action: 'upsert',
        set: {
          name: 'other.example.com',
          type: 'CNAME',
          ttlSeconds: 60,
          values: [it.world.loadBalancers.save()[0]?.hostname ?? ''],
        },
      },
    ]);
    await it.clock.sleep(120);
    assert.equal((await probe(it, 'http://other.example.com/')).status, 404);
  });
});

test('a page that nginx does not have is 404, although the Ingress rule matches its path', async () => {
  await onPath(async (it) => {
    assert.equal((await probe(it, 'http://app.example.com/index.html')).status, 200);
    const missing = await probe(it, 'http://app.example.com/healthz');
    assert.deepEqual([missing.status, missing.isWelcome], [404, false]);
  });
});

test('without ready pods the ingress controller answers 503', async () => {
  await onPath(async (it) => {
    await it.scale(0);
    await it.clock.sleep(10);
    const sample = await probe(it);
    assert.equal(sample.status, 503);
    assert.equal(sample.isWelcome, false);
  });
});

test('a load balancer sends no connection to a target that has failed three health checks', async () => {
  await onPath(async (it) => {
    const [first] = await systemNodes(it);
    const instance = it.world.machines.instanceOfNode(first ?? '');
    it.world.machines.terminate(instance?.id ?? '');
    await it.clock.sleep(9);
    const targets = () => it.world.loadBalancers.save()[0]?.targets ?? [];
    assert.equal(
      targets().every(({ healthy }) => healthy),
      true,
      'not yet',
    );
    const early = await Promise.all(Array.from({ length: 30 }, () => probe(it)));
    assert.ok(
      early.some(({ error }) => error === 'connect-timeout'),
      'its share of connections is dropped',
    );
    await it.clock.sleep(40);
    assert.equal(
      targets().some(({ id, healthy }) => id === instance?.id && healthy),
      false,
    );
    const late = await Promise.all(Array.from({ length: 60 }, () => probe(it)));
    const lost = late.filter(({ status }) => status !== 200).length;
    assert.equal(lost, 0);
  });
});

test('a kept connection stays with its ingress controller pod, and is replaced when that pod has closed it', async () => {
  await onPath(async (it) => {
    const kept = visitor(it.clock, it.world, true);
    const first = await kept();
    const second = await kept();
    assert.ok((first.phases.connect ?? 0) > 0);
    assert.equal(second.phases.connect, undefined, 'no new connection');
    for (const { metadata } of await it.cluster.list('Pod', { namespace: 'ingress-nginx' })) {
      await it.cluster.delete('Pod', { name: metadata.name, namespace: 'ingress-nginx' });
      await it.clock.sleep(30);
    }
    const third = await kept();
    assert.equal(third.status, 200);
    assert.ok((third.phases.connect ?? 0) > 0, 'a new connection');
  });
});

test('a kept connection through a node that was powered off hangs until the client’s timeout', async () => {
  await onPath(async (it) => {
    const kept = visitor(it.clock, it.world, true);
    await kept();
    for (const name of await systemNodes(it))
      it.world.machines.terminate(it.world.machines.instanceOfNode(name)?.id ?? '');
    await it.clock.sleep(9);
    const sample = await kept();
    assert.equal(sample.error, 'timeout');
    assert.equal(Math.round(sample.seconds), 10);
  });
});

test('pods that are ready before they listen refuse connections, and nginx tries the next endpoints', async () => {
  const setup = setupWith(['no-readiness-probe']);
  const slow = await withApplication('slow', { setup });
  await inWorld({ seed: '1', saved: slow, setup }, async (it) => {
    await it.scale(3);
    await it.clock.sleep(10);
    const samples = await Promise.all(Array.from({ length: 40 }, () => probe(it)));
    assert.deepEqual(
      new Set(samples.map(({ status }) => status)),
      new Set([200]),
      'three tries mask one endpoint that refuses',
    );
    await it.scale(12);
    await it.clock.sleep(10);
    const more = await Promise.all(Array.from({ length: 40 }, () => probe(it)));
    assert.ok(
      more.some(({ status }) => status === 502),
      'three that refuse in a row become a 502',
    );
  });
});

test('an unknown resolver times out; the zone’s authoritative server answers without a cache', async () => {
  await onPath(async ({ world, clock }) => {
    const ask = (server?: string) =>
      world
        .dataPlane()
        .resolve({ name: 'app.example.com', type: 'CNAME', ...(server === undefined ? {} : { server }) });
    assert.equal((await ask()).records[0]?.type, 'CNAME');
    assert.equal((await ask('205.251.193.10:53')).records[0]?.ttlSeconds, 300);
    const begun = clock.monotonicSeconds();
    assert.equal((await ask('192.0.2.1')).code, 'TIMEOUT');
    assert.equal(clock.monotonicSeconds() - begun, 10);
  });
});
