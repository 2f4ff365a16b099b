import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { CoreV1Api, KubeConfig, makeInformer, type V1Pod } from '@kubernetes/client-node';
import { awsAccess } from '../../../../src/cloud/aws/access.ts';
import { aws } from '../../../../src/cloud/aws/aws.ts';
import { connect } from '../../../../src/cluster/client.ts';
import { readCredentials } from '../../../../src/cluster/credentials.ts';
import { systemClock } from '../../../../src/host/clock.ts';
import { nodeHost } from '../../../../src/host/node.ts';
import { manifests } from '../../../../src/validation/manifests/manifests.ts';
import { validationSchema } from '../../../../src/validation/settings.ts';
import { needs } from '../../../../test/support/needs.ts';
import { type Listening, listen } from '../../src/listen/listen.ts';
import { type RealTimeWorld, realTimeWorld } from '../../src/listen/real-time-world.ts';
import { healthy } from '../../src/setup/setup.ts';
import type { World } from '../../src/world/world.ts';
import { settledWorld } from '../support/settled-world.ts';

const host = nodeHost();
const folder = mkdtempSync(join(tmpdir(), 'holdfast-'));
const kubeconfig = join(folder, 'kubeconfig');
const name = 'app.example.com';
let real: RealTimeWorld;
let listening: Listening;
let startedAt: number;

before(async () => {
  const [seed, setup, clock] = ['listen', healthy, systemClock()] as const;
  const first = { seconds: 600, make: applicationOfOneReplica };
  const saved = await settledWorld({ seed, setup, endsAt: clock.wallAt(), first });
  real = await realTimeWorld({ clock, seed, setup, saved });
  startedAt = host.clock.monotonicSeconds();
  listening = await listen({ world: real.world, at: Date.now() });
  writeFileSync(kubeconfig, listening.kubeconfig, { mode: 0o600 });
});
after(() => {
  listening.close();
  real.close();
  rmSync(folder, { recursive: true, force: true });
});

async function applicationOfOneReplica({ apiServer }: World): Promise<void> {
  const cluster = apiServer.cluster('test');
  for (const object of manifests(validationSchema.parse({})))
    await cluster.apply(object.kind === 'Deployment' ? { ...object, spec: { ...object.spec, replicas: 1 } } : object, {
      fieldManager: 'test',
    });
}

const program = promisify(execFile);
const kubectl = async (...words: readonly string[]): Promise<string> =>
  (await program('kubectl', ['--kubeconfig', kubeconfig, '--cache-dir', folder, ...words])).stdout;
const curl = async (...words: readonly string[]): Promise<string> => {
  const connectTo = `::127.0.0.1:${listening.ports.application}`;
  return (await program('curl', ['-sS', '--max-time', '10', '--connect-to', connectTo, ...words])).stdout;
};
const status = (): Promise<string> => curl('-o', '/dev/null', '-w', '%{http_code}', `http://${name}/`);

test('curl gets the welcome page of the application, and an error for a name that no Ingress has', async (t) => {
  if (!needs(t, 'curl')) return;
  assert.match(await curl(`http://${name}/`), /<h1>Welcome to nginx!<\/h1>/);
  assert.equal(await curl('-o', '/dev/null', '-w', '%{http_code}', '-X', 'POST', `http://${name}/`), '405');
  await assert.rejects(curl('http://nobody.example.com/'), /Recv failure|reset/);
});

test('a kept connection carries several requests', async (t) => {
  if (!needs(t, 'curl')) return;
  const output = await curl(
    '-o',
    '/dev/null',
    '-o',
    '/dev/null',
    '-w',
    '%{num_connects} ',
    ...twice(`http://${name}/`),
  );
  assert.equal(output, '1 0 ');
});
const twice = <T>(one: T): readonly T[] => [one, one];

test('kubectl gets and labels with the kubeconfig, over TLS', async (t) => {
  if (!needs(t, 'kubectl')) return;
  const rows = (await kubectl('get', 'nodes', '--no-headers')).trim().split('\n');
  assert.ok(rows.length >= 4 && rows.every((row) => / Ready /.test(row)), rows.join('\n'));
  await kubectl('label', 'namespace', 'default', 'tested=yes');
  assert.match(await kubectl('get', 'namespace', 'default', '--show-labels'), /tested=yes/);
});

test('kubectl can run auth can-i, create and wait, also with protobuf bodies', async (t) => {
  if (!needs(t, 'kubectl')) return;
  assert.equal(await kubectl('auth', 'can-i', 'create', 'pods/eviction'), 'yes\n');
  assert.match(await kubectl('create', 'namespace', 'other'), /created/);
  const words = ['create', 'deployment', 'other', '-n', 'other', '--image', 'nginx', '--port', '80'];
  assert.match(await kubectl(...words, '--replicas', '0'), /created/);
  const path = 'jsonpath={.spec.replicas} {.spec.template.spec.containers[0].ports}';
  const made = await kubectl('get', 'deployment', 'other', '-n', 'other', '-o', path);
  assert.equal(made, '0 [{"containerPort":80,"protocol":"TCP"}]');
  assert.match(await kubectl('scale', 'deployment', 'other', '-n', 'other', '--replicas', '1'), /scaled/);
  const awaited = await kubectl('rollout', 'status', 'deployment', 'other', '-n', 'other', '--timeout', '30s');
  assert.match(awaited, /rolled out/);
  assert.match(await kubectl('get', 'pods', '-n', 'other', '--no-headers'), /1\/1 +Running/);
  assert.match(await kubectl('create', 'quota', 'none'), /created/);
  assert.match(await kubectl('create', 'configmap', 'words', '--from-literal', 'a=b'), /created/);
  assert.match(await kubectl('autoscale', 'deployment', 'other', '-n', 'other', '--max', '3'), /autoscaled/);
  assert.match(await kubectl('auth', 'can-i', '--list'), /\*\.\*/);
  assert.match(await kubectl('describe', 'deployment', 'other', '-n', 'other'), /1 desired/);
  assert.match(await kubectl('rollout', 'history', 'deployment', 'other', '-n', 'other'), /REVISION/);
});

test('a request without the token is refused, and a client without the CA does not trust the server', async () => {
  const url = `https://127.0.0.1:${listening.ports.api}/api/v1/nodes`;
  const tls = { ca: caOf(listening.kubeconfig) };
  const refused = await host.http({ method: 'GET', url, tls, headers: { authorization: 'Bearer no' } });
  assert.equal(refused.status, 401);
  assert.equal(JSON.parse(await refused.text()).reason, 'Unauthorized');
  await assert.rejects(host.http({ method: 'GET', url }), /certificate/);
});

function caOf(text: string): string {
  const encoded = /certificate-authority-data: (\S+)/.exec(text)?.[1] ?? '';
  return Buffer.from(encoded, 'base64').toString('utf8');
}

test('the program’s own client can read and watch, and agrees about the time', async () => {
  const { access, namespace } = await readCredentials(host, { kubeconfig, environment: {} });
  const cluster = connect(host, access);
  assert.equal(namespace, 'default');
  assert.ok((await cluster.list('NodeClaim')).length >= 1);
  const { offsetSeconds, uncertaintySeconds } = await cluster.clockOffset();
  assert.ok(Math.abs(offsetSeconds) <= uncertaintySeconds + 0.1, `${offsetSeconds} s`);
});

test('the resolver and the authoritative server answer the queries of the program', async () => {
  const resolver = `127.0.0.1:${listening.ports.resolver}`;
  const { code, records } = await host.resolve({ name, type: 'A', server: resolver });
  assert.equal(code, 'NOERROR');
  assert.deepEqual(new Set(records.map(({ type }) => type)), new Set(['CNAME', 'A']));
  const server = `127.0.0.1:${listening.ports.nameServer}`;
  const own = await host.resolve({ name, type: 'CNAME', server });
  assert.match(own.records[0]?.value ?? '', /\.elb\.us-east-1\.amazonaws\.com$/);
  const { code: answered } = await host.resolve({ name, type: 'A', server });
  assert.equal(answered, 'NOERROR', 'the alias is all that the zone’s own server knows');
  assert.equal((await host.resolve({ name: 'nobody.example.com', type: 'A', server })).code, 'NXDOMAIN');
});

test('dig gets an answer over UDP and TCP, with the CNAME first', async (t) => {
  if (!needs(t, 'dig')) return;
  for (const transport of ['+notcp', '+tcp']) {
    const words = ['@127.0.0.1', '-p', `${listening.ports.resolver}`, '+short', transport, name];
    const { stdout } = await program('dig', words);
    assert.match(stdout, /^k8s-[^\n]*\.elb\.us-east-1\.amazonaws\.com\.\n52\./);
  }
});

test('the EC2 and Route 53 endpoints answer the requests of the program', async () => {
  const cloud = aws(host, {
    endpoints:
      awsAccess({
        AWS_ENDPOINT_URL_EC2: `http://127.0.0.1:${listening.ports.ec2}`,
        AWS_ENDPOINT_URL_ROUTE_53: `http://127.0.0.1:${listening.ports.route53}`,
      }).endpoints ?? {},
  });
  const [node] = await real.world.apiServer.cluster('test').list('Node');
  assert.equal((await cloud.instance(node?.spec?.providerID ?? ''))?.state, 'running');
  const zone = await cloud.zone('example.com');
  assert.ok(zone !== undefined);
  const sets = await cloud.records(zone, [name]);
  assert.deepEqual(
    sets.map(({ type }) => type),
    ['CNAME'],
  );
});

test('after the only pod is deleted, requests get 503 for some seconds and then the application', async (t) => {
  if (!(needs(t, 'kubectl') && needs(t, 'curl'))) return;
  // The ingress controller syncs at once only if its last sync was 1 / 0.3 s ago, and it has synced twice since its
  // start.
  await host.clock.sleep(Math.max(0, startedAt + 7 - host.clock.monotonicSeconds()));
  assert.equal(await status(), '200');
  await kubectl('delete', 'pod', '-l', 'app=nginx-test', '--wait=false');
  const samples: { readonly seconds: number; readonly status: string }[] = [];
  for (let tries = 0; tries < 80 && !isOver(samples.map((sample) => sample.status)); tries += 1) {
    samples.push({ seconds: host.clock.monotonicSeconds(), status: await status() });
    await host.clock.sleep(0.1);
  }
  const bad = samples.filter((sample) => sample.status !== '200');
  assert.deepEqual(new Set(bad.map((sample) => sample.status)), new Set(['503']));
  const lasted = (bad.at(-1)?.seconds ?? 0) - (bad[0]?.seconds ?? 0);
  assert.ok(lasted > 0.8 && lasted < 6, `503 for ${lasted} s`);
  assert.equal(samples.at(-1)?.status, '200');
});

/** Workers of nginx read endpoints one by one: the outage is over after a 503 and ten good responses in a row. */
const isOver = (statuses: readonly string[]): boolean =>
  statuses.includes('503') && statuses.slice(-10).every((one) => one === '200');

test('the official client deletes a pod, and its informer follows that pod and its replacement', async (t) => {
  const config = new KubeConfig();
  config.loadFromString(listening.kubeconfig);
  const api = config.makeApiClient(CoreV1Api);
  const place = { namespace: 'default', labelSelector: 'app=nginx-test' };
  const path = '/api/v1/namespaces/default/pods';
  const informer = makeInformer(config, path, () => api.listNamespacedPod(place), place.labelSelector);
  const events: string[] = [];
  const followed = new Promise<void>((resolve, reject) => {
    const record = (event: string, pod: V1Pod) => {
      events.push(describeEvent(event, pod));
      if (wasReplaced(events)) resolve();
    };
    for (const event of ['add', 'update', 'delete'] as const) informer.on(event, (pod) => record(event, pod));
    informer.on('error', reject);
  });
  t.after(() => informer.stop());
  await informer.start();
  const name = events.find((word) => word.endsWith(' ready'))?.split(' ')[1] ?? '';
  await api.deleteNamespacedPod({ name, namespace: 'default', gracePeriodSeconds: 1 });
  await followed;
  const words = events.filter((word) => word.includes(name));
  assert.ok(
    words.indexOf(`update ${name} terminating`) < words.indexOf(`delete ${name} terminating`),
    words.join('\n'),
  );
});

function describeEvent(event: string, { metadata, status }: V1Pod): string {
  const isReady = status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True');
  const state = metadata?.deletionTimestamp === undefined ? (isReady ? 'ready' : 'starting') : 'terminating';
  return `${event} ${metadata?.name} ${state}`;
}

/** Whether a pod was deleted, and a pod added since is ready. */
const wasReplaced = (events: readonly string[]): boolean =>
  events.some((word) => word.startsWith('delete ')) &&
  events.some(
    (word) => word.startsWith('add ') && events.includes(word.replace('add', 'update').replace('starting', 'ready')),
  );
