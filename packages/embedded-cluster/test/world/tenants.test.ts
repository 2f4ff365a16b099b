import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cluster } from '../../src/kubernetes/cluster.ts';
import type { Deployment } from '../../src/kubernetes/resources.ts';
import { type InWorld, inWorld } from '../support/in-world.ts';

const namespace = 'tenants';
const tenantNodes = 5;
const podsOf = (cluster: Cluster, app: string) => cluster.list('Pod', { namespace, labelSelector: `app=${app}` });

/** The JSON text without the parts that differ between two workloads of the same template. */
const plain = (object: { readonly metadata: object }, app: string): unknown => {
  // managedFields differ, because the scheduler's binding is one more write.
  const { managedFields: _, generation: __, ...metadata } = object.metadata as Record<string, unknown>;
  const text = JSON.stringify({ ...object, metadata })
    .replaceAll(app, 'APP')
    .replaceAll(/APP-[a-z0-9]+-[a-z0-9]{5}\b/g, 'POD')
    .replaceAll(/APP-[a-z0-9]+/g, 'SET')
    .replaceAll(/("(?:uid|resourceVersion|pod-template-hash)":)"[^"]*"/g, '$1"…"')
    .replaceAll(/"\d{4}-\d\d-\d\dT[^"]*Z"/g, '"INSTANT"')
    // The scheduler weighs zones too, so that it does not put the same number on each node.
    .replaceAll(/("(?:podIP|ip|nodeName|hostIP)":)"[^"]*"/g, '$1"…"');
  return JSON.parse(text);
};
async function everythingOf(cluster: Cluster, app: string): Promise<unknown> {
  const own = { namespace, labelSelector: `app=${app}` };
  const pods = (await podsOf(cluster, app)).map((pod) => plain(pod, app));
  const sets = (await cluster.list('ReplicaSet', own)).map((set) => plain(set, app));
  const deployment = await cluster.get('Deployment', { namespace, name: app });
  assert.ok(deployment);
  return { pods, sets, deployment: plain(deployment, app) };
}

const renamed = (text: string, name: string) => JSON.parse(text.replaceAll('tenant-0', name)) as Deployment;

async function deployedAs(name: string, { cluster, clock }: InWorld): Promise<void> {
  const { spec } = (await cluster.get('Deployment', { namespace, name: 'tenant-0' })) ?? {};
  const text = JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace, name: 'tenant-0' },
    spec,
  });
  await cluster.create(renamed(text, name));
  await clock.sleep(120);
}

test('a tenant’s objects are as their controllers would have made them', async () => {
  await inWorld({ seed: 'tenants', tenantNodes }, async (it) => {
    await deployedAs('newcomer', it);
    assert.deepEqual(await everythingOf(it.cluster, 'tenant-0'), await everythingOf(it.cluster, 'newcomer'));
  });
});

test('every tenant pod is bound and ready at the start, the same number on each node, and is not written again', async () => {
  await inWorld({ seed: 'tenants', tenantNodes }, async ({ cluster, clock }) => {
    const pods = await podsOf(cluster, 'tenant-0');
    const on = Map.groupBy(pods, ({ spec }) => spec.nodeName);
    assert.deepEqual(
      [...on.values()].map(({ length }) => length),
      Array(tenantNodes).fill(10),
    );
    assert.ok(pods.every(({ status }) => status?.phase === 'Running'));
    const versions = new Set(pods.map(({ metadata }) => metadata.resourceVersion));
    await clock.sleep(600);
    for (const { metadata } of await podsOf(cluster, 'tenant-0')) assert.ok(versions.has(metadata.resourceVersion));
  });
});

test('a deleted tenant pod is replaced by its controller, bound by the scheduler and started by a kubelet', async () => {
  await inWorld({ seed: 'tenants', tenantNodes }, async ({ cluster, clock }) => {
    const [pod] = await podsOf(cluster, 'tenant-0');
    const { name = '', uid = '' } = pod?.metadata ?? {};
    await cluster.delete('Pod', { namespace, name }, { uid });
    await clock.sleep(60);
    const pods = await podsOf(cluster, 'tenant-0');
    assert.equal(pods.length, 10 * tenantNodes);
    assert.ok(pods.every(({ status, metadata }) => status?.phase === 'Running' && metadata.name !== name));
  });
});
