import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { needs } from '../../../../test/support/needs.ts';
import { type ApiServer, createApiServer } from '../../src/api-server/api-server.ts';
import type { Cluster } from '../../src/kubernetes/cluster.ts';
import type { HttpRequest } from '../../src/outside/http.ts';
import { randomStreams } from '../../src/outside/random.ts';
import { budget, deployment, runningPod } from './in-api.ts';

const realClock = {
  wallAt: () => Date.now(),
  sleep: (seconds: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, seconds * 1000).unref();
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    }),
};

let server: ApiServer;
let cluster: Cluster;
let folder: string;
let url: string;
const stop = new AbortController();
/** Resolves when the first eviction was refused. */
const refusal = Promise.withResolvers<void>();
/** Resolves when the first evicted pod was removed. */
const evicted = Promise.withResolvers<void>();
const listener = createServer(async (incoming, outgoing) => {
  const closed = new AbortController();
  outgoing.on('close', () => closed.abort());
  const body = (await Array.fromAsync(incoming.setEncoding('utf8'))).join('');
  const request = {
    method: incoming.method as HttpRequest['method'],
    url: `http://api${incoming.url}`,
    headers: incoming.headers as Record<string, string>,
    ...(body !== '' && { body }),
  };
  const response = await server.handle(request, closed.signal);
  if (response.status === 429) refusal.resolve();
  outgoing.writeHead(response.status, response.headers);
  outgoing.flushHeaders();
  for await (const chunk of response.chunks()) outgoing.write(chunk);
  outgoing.end();
});

before(async () => {
  server = createApiServer({ clock: realClock, random: randomStreams('1') });
  cluster = server.cluster('kubelet');
  folder = await mkdtemp(join(tmpdir(), 'holdfast-kubectl-'));
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  void kubelet();
});
after(async () => {
  stop.abort();
  listener.closeAllConnections();
  listener.close();
  await rm(folder, { recursive: true, force: true });
});

/** Ends the pods that are marked for deletion at once. */
async function kubelet(): Promise<void> {
  for await (const change of cluster.watch('Pod', {}, stop.signal))
    if (change.type === 'modified' && change.object.metadata.deletionTimestamp !== undefined) {
      await cluster.delete('Pod', change.object.metadata, { gracePeriodSeconds: 0 });
      if (change.object.metadata.name !== 'c') evicted.resolve();
    }
}

/** kubectl's output and exit code. */
function kubectl(args: readonly string[], stdin = ''): Promise<{ readonly code: number; readonly output: string }> {
  const all = ['--server', url, '--cache-dir', join(folder, 'cache'), ...args];
  const env = { PATH: process.env.PATH ?? '', KUBECONFIG: join(folder, 'none'), HOME: folder };
  return new Promise((resolve) => {
    const child = execFile('kubectl', all, { env, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : 1, output: stdout + stderr }),
    );
    child.stdin?.on('error', () => undefined).end(stdin);
  });
}

async function succeeded(args: readonly string[], stdin?: string): Promise<string> {
  const { code, output } = await kubectl(args, stdin);
  assert.equal(code, 0, output);
  return output;
}

test('kubectl can apply, get, scale, label, delete and drain', async (t) => {
  if (!needs(t, 'kubectl')) return;
  // kubectl 1.20 of Debian needs /openapi/v2 for server-side apply; listen.test.ts and kubectl-drain.test.ts test its
  // other commands.
  if (/Minor:"(1\d|2[0-6])/.test((await kubectl(['version', '--client'])).output))
    return t.skip('this kubectl is older than 1.27');
  const manifest = JSON.stringify(deployment());
  assert.match(
    await succeeded(['apply', '--server-side', '-f', '-'], manifest),
    /deployment.apps\/nginx-test serverside-applied/,
  );
  assert.match(await succeeded(['scale', 'deployment', 'nginx-test', '--replicas', '5']), /scaled/);
  assert.equal(await succeeded(['get', 'deployment', 'nginx-test', '-o', 'jsonpath={.spec.replicas}']), '5');
  assert.match(
    (await kubectl(['apply', '--server-side', '-f', '-'], manifest)).output,
    /conflict with "kubectl" with subresource "scale".*\.spec\.replicas/s,
  );

  const { metadata: owner } = await cluster.create({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'nginx-test-1', namespace: 'default' },
    spec: { selector: deployment().spec.selector, template: deployment().spec.template },
  });
  await cluster.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-a' } });
  const ownerReferences = [
    { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: owner.name, uid: Reflect.get(owner, 'uid'), controller: true },
  ];
  for (const name of ['a', 'b', 'c']) {
    await runningPod(cluster, name);
    await cluster.patch(
      'Pod',
      { namespace: 'default', name },
      { type: 'merge', value: { metadata: { ownerReferences } } },
    );
  }
  assert.match(await succeeded(['get', 'pods']), /NAME +READY +STATUS +RESTARTS +AGE\na +0\/1 +Running/);
  assert.match(await succeeded(['label', 'pod', 'a', 'tier=web']), /labeled/);
  assert.match(await succeeded(['delete', 'pod', 'c']), /pod "c" deleted/);

  await cluster.create(budget());
  const allow = (disruptionsAllowed: number) =>
    cluster.patch(
      'PodDisruptionBudget',
      { namespace: 'default', name: 'nginx-pdb' },
      {
        type: 'merge',
        value: { status: { observedGeneration: 1, currentHealthy: 2, desiredHealthy: 1, disruptionsAllowed } },
      },
      { subresource: 'status' },
    );
  await allow(1);
  const draining = kubectl(['drain', 'node-a', '--ignore-daemonsets', '--delete-emptydir-data']);
  await Promise.all([refusal.promise, evicted.promise]);
  assert.equal((await cluster.list('Pod')).length, 1, 'the budget held the other back');
  await allow(1);
  const { code, output } = await draining;
  assert.equal(code, 0, output);
  assert.match(output, /node\/node-a cordoned.*node\/node-a drained/s);
  assert.match(output, /will retry after 5s\): Cannot evict pod as it would violate the pod's disruption budget/);
  assert.deepEqual(await cluster.list('Pod'), []);
});
