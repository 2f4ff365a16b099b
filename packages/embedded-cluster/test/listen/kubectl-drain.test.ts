import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { connect } from '../../../../src/cluster/client.ts';
import { readCredentials } from '../../../../src/cluster/credentials.ts';
import { nodeHost } from '../../../../src/host/node.ts';
import { drainNode } from '../../../../src/validation/actions/drain-node.ts';
import { manifests } from '../../../../src/validation/manifests/manifests.ts';
import { validationSchema } from '../../../../src/validation/settings.ts';
import { needs } from '../../../../test/support/needs.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import type { Cluster } from '../../src/kubernetes/cluster.ts';
import { listen } from '../../src/listen/listen.ts';
import { realTimeWorld } from '../../src/listen/real-time-world.ts';
import type { HttpRequest } from '../../src/outside/http.ts';
import { healthy } from '../../src/setup/setup.ts';
import type { SavedWorld, World } from '../../src/world/world.ts';
import { settledWorld } from '../support/settled-world.ts';

const host = nodeHost();

/** The drain of a node: whether it succeeded, and its writes; evictions are sorted by name. */
interface Drained {
  readonly done: boolean;
  readonly writes: readonly string[];
  /** The names of the pods that are left on the node. */
  readonly left: readonly string[];
}
type Drain = (node: string) => Promise<Drained>;

/** A cluster with the application, and ten pods of other teams. */
function settled(): Promise<SavedWorld> {
  const make = async ({ apiServer }: World) => {
    for (const object of manifests(validationSchema.parse({})))
      await apiServer.cluster('test').apply(object, { fieldManager: 'test' });
  };
  const first = { seconds: 600, make };
  return settledWorld({ seed: 'twins', setup: healthy, tenantNodes: 1, endsAt: host.clock.wallAt(), first });
}

async function servedTwin(t: TestContext, saved: SavedWorld) {
  const folder = temporaryFolder(t);
  const real = await realTimeWorld({ clock: host.clock, seed: 'twins', setup: healthy, saved });
  const writesSent: HttpRequest[] = [];
  const requireReachable = (request: HttpRequest) => void (request.method === 'GET' || writesSent.push(request));
  const listening = await listen({ world: real.world, at: host.clock.wallAt(), requireReachable });
  t.after(() => {
    listening.close();
    real.close();
  });
  const kubeconfig = `${folder}/kubeconfig`;
  writeFileSync(kubeconfig, listening.kubeconfig, { mode: 0o600 });
  const cluster = real.world.apiServer.cluster('test');
  const drain = async (node: string, drainNode: () => Promise<boolean>): Promise<Drained> => {
    writesSent.length = 0;
    const done = await drainNode();
    const writes = writesSent.map(written).toSorted();
    const left = await cluster.list('Pod', { fieldSelector: `spec.nodeName=${node}` });
    return { done, writes, left: left.map(({ metadata }) => metadata.name).toSorted() };
  };
  return { cluster, kubeconfig, folder, drain };
}

/**
 * Method, path and body; without our preconditions, which protect another pod or node of the same name
 * (kubernetes#138229).
 */
function written({ method, url, body = '{}' }: HttpRequest): string {
  const { spec, metadata: { name, namespace } = {} } = JSON.parse(body);
  return `${method} ${new URL(url).pathname} ${JSON.stringify({ spec, name, namespace })}`;
}

async function twins(
  t: TestContext,
): Promise<{ readonly clusters: readonly Cluster[]; readonly drains: readonly Drain[] }> {
  const saved = await settled();
  const theirs = await servedTwin(t, saved);
  const ours = await servedTwin(t, structuredClone(saved));
  const byKubectl: Drain = (node) =>
    theirs.drain(node, async () => {
      const words = ['drain', node, '--ignore-daemonsets', '--delete-emptydir-data'];
      const all = ['--kubeconfig', theirs.kubeconfig, '--cache-dir', theirs.folder, ...words];
      return new Promise((resolve) => execFile('kubectl', all, (error) => resolve(error === null)));
    });
  const { access } = await readCredentials(host, { kubeconfig: ours.kubeconfig, environment: {} });
  const site = { host, cluster: connect(host, access) };
  const { signal } = new AbortController();
  const byUs: Drain = (node) =>
    ours.drain(node, async () => {
      const intent = await drainNode.prepare(site, { node });
      return drainNode.perform(site, intent, signal).then(
        () => true,
        () => false,
      );
    });
  return { clusters: [theirs.cluster, ours.cluster], drains: [byKubectl, byUs] };
}

test('our drain sends the same writes as kubectl drain and leaves the same pods', async (t) => {
  if (!needs(t, 'kubectl')) return;
  const { clusters, drains } = await twins(t);
  const [cluster] = clusters;
  const pods = (await cluster?.list('Pod')) ?? [];
  const nodeOf = (start: string) => pods.find(({ metadata }) => metadata.name.startsWith(start))?.spec.nodeName ?? '';
  const alone = { name: 'alone', namespace: 'default' };
  const node = nodeOf('nginx-test');
  const containers = [{ name: 'c', image: 'nginx' }];
  for (const each of clusters)
    await each.create({ apiVersion: 'v1', kind: 'Pod', metadata: alone, spec: { nodeName: node, containers } });
  const both = async (name: string): Promise<Drained> => {
    const [theirs, ours] = await Promise.all(drains.map((drain) => drain(name)));
    assert.ok(theirs !== undefined);
    assert.deepEqual(ours, theirs);
    return theirs;
  };
  const refused = await both(node);
  assert.equal(refused.done, false, 'a pod that nobody would make again forbids the drain');
  assert.deepEqual(refused.writes, [`PATCH /api/v1/nodes/${node} {"spec":{"unschedulable":true}}`]);
  for (const each of clusters) {
    await each.delete('Pod', alone, { gracePeriodSeconds: 0 });
    await each.patch('Node', { name: node }, { type: 'merge', value: { spec: { unschedulable: null } } });
  }
  const drained = await both(node);
  assert.ok(drained.done && drained.writes.some((line) => /pods\/nginx-test-.*\/eviction/.test(line)));
  assert.ok(drained.left.length > 0 && drained.left.every((name) => /^(aws-node|kube-proxy)-/.test(name)));
  const others = await both(nodeOf('ingress-nginx-controller'));
  assert.ok(others.done && others.writes.some((line) => /pods\/ingress-nginx-controller-.*\/eviction/.test(line)));
});
