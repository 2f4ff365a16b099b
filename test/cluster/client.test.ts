import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  budget,
  deployment,
  pod,
  refused,
  runningPod,
} from '../../packages/embedded-cluster/test/api-server/in-api.ts';
import { type ClusterClient, connect } from '../../src/cluster/client.ts';
import { ApiError, evictionRefused } from '../../src/cluster/cluster.ts';
import type { SelfSubjectAccessReview } from '../../src/cluster/resources.ts';
import { OperationError } from '../../src/host/errors.ts';
import { type ApiHost, apiHost, type Fault } from './api-host.ts';

const at = { name: 'nginx-test', namespace: 'default' };
const merge = (value: unknown) => ({ type: 'merge', value }) as const;

async function connected(main: (client: ClusterClient, it: ApiHost) => Promise<void>, it = apiHost()): Promise<void> {
  const client = connect(it.host, { server: 'https://api.example:6443/' });
  await it.clock.run(() => main(client, it));
  assert.deepEqual([...it.clock.unheld], []);
}

/** The first requests meet these faults, the later ones none. */
const first =
  (...faults: readonly Fault[]) =>
  (_: unknown, index: number) =>
    faults[index];
const status = (code: number, reason: string, details = {}): Fault => ({
  kind: 'answer',
  status: code,
  text: JSON.stringify({ kind: 'Status', status: 'Failure', message: `the words of ${code}`, reason, code, details }),
});

test('every verb reaches the object that it names', () =>
  connected(async (client, { server }) => {
    const created = await client.create(deployment());
    assert.equal(created.metadata.generation, 1);
    assert.deepEqual(await client.get('Deployment', at), created);
    assert.equal(
      (await client.patch('Deployment', at, merge({ spec: { replicas: 5 } }), { subresource: 'scale' })).kind as string,
      'Scale',
    );
    assert.equal((await client.apply(deployment(), { fieldManager: 'holdfast', force: true })).spec.replicas, 2);
    const dry = await client.patch('Deployment', at, merge({ spec: { replicas: 9 } }), { dryRun: true });
    assert.equal(dry.spec.replicas, 9);
    assert.equal((await client.get('Deployment', at))?.spec.replicas, 2);
    assert.equal(await client.delete('Deployment', at, { uid: created.metadata.uid ?? '', dryRun: true }), 'deleted');
    assert.equal(await client.delete('Deployment', at, { uid: created.metadata.uid ?? '' }), 'deleted');
    assert.equal(await client.delete('Deployment', at), 'gone');
    assert.equal(await client.get('Deployment', at), undefined);
    await runningPod(server.cluster('kubelet'), 'a');
    await client.delete('Pod', { namespace: 'default', name: 'a' }, { gracePeriodSeconds: 5 });
    assert.equal((await client.list('Pod'))[0]?.metadata.deletionTimestamp, '2026-11-20T10:00:05Z');
  }));

test('the client and the server in process answer alike', () =>
  connected(async (client, { server }) => {
    const inProcess = server.cluster('tester');
    await inProcess.create(budget());
    const { metadata } = await runningPod(inProcess, 'a');
    const identity = { namespace: 'default', name: 'a', uid: metadata.uid ?? '' };
    for (const cluster of [client, inProcess]) {
      assert.deepEqual(await cluster.evict(identity), {
        outcome: 'refused',
        status: 429,
        cause: 'The disruption budget nginx-pdb is still being processed by the server.',
      });
      assert.deepEqual(await cluster.evict({ ...identity, name: 'b' }), { outcome: 'gone' });
      assert.equal((await cluster.list('Pod', { fieldSelector: 'spec.nodeName=node-a' })).length, 1);
      const error = await refused(cluster.delete('Pod', identity, { uid: 'another' }), 409);
      assert.match(error.message, /^delete Pod default\/a: 409 Conflict: Operation cannot be fulfilled on Pod "a"/);
    }
  }));

test('an eviction of another uid is gone, also by the storage’s message', () => {
  const message = 'Precondition failed: UID in precondition: a, UID in object meta: b';
  const refused = new ApiError({ tried: 'evict', on: 'Pod a', status: 409, reason: 'Conflict', message });
  assert.deepEqual(evictionRefused(refused), { outcome: 'gone' });
});

test('an eviction is a dry run or a real one, and carries the uid', () =>
  connected(async (client, { server }) => {
    const { metadata } = await runningPod(server.cluster('kubelet'), 'a');
    const identity = { namespace: 'default', name: 'a', uid: metadata.uid ?? '' };
    assert.deepEqual(await client.evict(identity, { dryRun: true }), { outcome: 'evicted' });
    assert.equal((await client.get('Pod', metadata))?.metadata.deletionTimestamp, undefined);
    assert.deepEqual(await client.evict({ ...identity, uid: 'another' }), { outcome: 'gone' });
    assert.deepEqual(await client.evict(identity), { outcome: 'evicted' });
    assert.notEqual((await client.get('Pod', metadata))?.metadata.deletionTimestamp, undefined);
  }));

test('a list is read page by page, and its items get their kind', () =>
  connected(async (client, { server, requests }) => {
    const controller = server.cluster('controller');
    for (let i = 0; i < 1100; i += 1) await controller.create(pod(`p${i}`));
    const pods = await client.list('Pod', { namespace: 'default', labelSelector: 'app=nginx-test' });
    assert.equal(new Set(pods.map(({ metadata }) => metadata.name)).size, 1100);
    assert.equal(requests.length, 3);
    assert.ok(requests.every(({ url }) => url.includes('limit=500')));
    assert.deepEqual([pods[0]?.kind, pods[0]?.apiVersion], ['Pod', 'v1']);
  }));

test('a list whose continue token expires is started again', () =>
  connected(async (client, it) => {
    const controller = it.server.cluster('controller');
    for (let i = 0; i < 600; i += 1) await controller.create(pod(`p${i}`));
    it.fault = (_, index) => (index === 1 ? status(410, 'Expired') : undefined);
    assert.equal((await client.list('Pod')).length, 600);
    it.fault = ({ url }) => (url.includes('continue') ? status(410, 'Expired') : undefined);
    await refused(client.list('Pod'), 410);
  }));

test('a read is retried while the server is busy or silent, after its Retry-After', () =>
  connected(async (client, it) => {
    await client.create(deployment());
    it.requests.length = 0;
    it.fault = first(
      status(503, 'ServiceUnavailable'),
      { kind: 'refused' },
      status(429, 'TooManyRequests', { retryAfterSeconds: 3 }),
    );
    const before = it.clock.monotonicSeconds();
    assert.equal((await client.get('Deployment', at))?.kind, 'Deployment');
    assert.equal(it.requests.length, 4);
    assert.equal(Math.round(10 * (it.clock.monotonicSeconds() - before)) / 10, 0.5 + 1 + 3);
  }));

test('a read that is never answered fails after the last attempt', () =>
  connected(async (client, it) => {
    it.fault = () => status(500, 'InternalError');
    await refused(client.list('Node'), 500);
    assert.equal(it.requests.length, 4);
    it.fault = () => status(429, 'TooManyRequests', { retryAfterSeconds: 60 });
    await refused(client.list('Node'), 429);
    assert.equal(it.requests.length, 5, 'a minute is not waited for');
    it.fault = () => status(403, 'Forbidden');
    await refused(client.list('Node'), 403);
    assert.equal(it.requests.length, 6);
  }));

test('a write that is not idempotent is not retried, and its error is thrown', () =>
  connected(async (client, it) => {
    await client.create(deployment());
    const scale = () => client.patch('Deployment', at, merge({ spec: { replicas: 5 } }), { subresource: 'scale' });
    const { uid = '' } = (await client.get('Deployment', at))?.metadata ?? {};
    const writes = [
      scale,
      () => client.delete('Deployment', at),
      () => client.create(pod('a')),
      () => client.evict({ ...at, uid }),
    ];
    for (const fault of [
      status(503, 'ServiceUnavailable'),
      status(429, 'TooManyRequests'),
      { kind: 'refused' } as const,
    ]) {
      for (const write of writes) {
        it.requests.length = 0;
        it.fault = () => fault;
        await assert.rejects(write(), OperationError);
        assert.equal(it.requests.length, 1);
      }
    }
    it.requests.length = 0;
    it.fault = () => ({ kind: 'hang' });
    await assert.rejects(scale(), /patch Deployment default\/nginx-test: no answer within 30 s/);
    assert.equal(it.requests.length, 1);
  }));

test('idempotent writes are retried: an apply, and the deletion of one uid', () =>
  connected(async (client, it) => {
    it.fault = first(status(500, 'InternalError'), { kind: 'refused' });
    assert.equal((await client.apply(deployment(), { fieldManager: 'holdfast' })).spec.replicas, 2);
    const { uid = '' } = (await client.get('Deployment', at))?.metadata ?? {};
    it.requests.length = 0;
    it.fault = first(status(503, 'ServiceUnavailable'));
    assert.equal(await client.delete('Deployment', at, { uid }), 'deleted');
    assert.equal(it.requests.length, 2);
  }));

test('a write that the server rejected unread is retried when it says so; an eviction that a budget refuses is not', () =>
  connected(async (client, it) => {
    await client.create(deployment());
    const { uid = '' } = (await client.get('Deployment', at))?.metadata ?? {};
    const before = it.clock.monotonicSeconds();
    it.requests.length = 0;
    it.fault = first(status(429, 'TooManyRequests', { retryAfterSeconds: 2 }));
    await client.patch('Deployment', at, merge({ spec: { replicas: 5 } }));
    assert.equal(Math.round(it.clock.monotonicSeconds() - before), 2);
    it.requests.length = 0;
    const causes = [{ reason: 'DisruptionBudget', message: 'still being processed' }];
    it.fault = () => status(429, 'TooManyRequests', { retryAfterSeconds: 10, causes });
    assert.equal((await client.evict({ ...at, uid })).outcome, 'refused');
    assert.equal(it.requests.length, 1);
  }));

test('a permission review and a dry run are retried, because they change nothing', () =>
  connected(async (client, it) => {
    it.fault = first(status(503, 'ServiceUnavailable'));
    const review: SelfSubjectAccessReview = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      metadata: { name: '' },
      spec: { resourceAttributes: { verb: 'delete', resource: 'pods', namespace: 'default' } },
    };
    assert.equal((await client.create(review)).status?.allowed, true);
    it.requests.length = 0;
    it.fault = first({ kind: 'refused' });
    assert.equal((await client.apply(deployment(), { fieldManager: 'holdfast', dryRun: true })).spec.replicas, 2);
  }));

test('a body that never ends is cut off in time', () =>
  connected(async (client, it) => {
    await client.create(deployment());
    const { http } = it.host;
    const endless: typeof http = async (request, signal) => {
      const { json: _, ...response } = await http(request, signal);
      const text = async () => {
        await it.clock.sleep(86_400, signal);
        return '';
      };
      return { ...response, text };
    };
    const slow = connect({ clock: it.clock, http: endless }, { server: 'https://api.example' });
    await assert.rejects(
      slow.patch('Deployment', at, merge({})),
      /patch Deployment default\/nginx-test: no answer within 30 s/,
    );
    assert.ok(it.clock.monotonicSeconds() < 31);
  }));

test('a refusal is an ApiError with the server’s message, or with the beginning of a proxy’s page', () =>
  connected(async (client, it) => {
    it.fault = () => ({ kind: 'answer', status: 404, text: '<html>no such page</html>' });
    const error = await refused(client.list('NodePool'), 404);
    assert.equal(error.message, 'list NodePool: 404 : <html>no such page</html>');
    it.fault = () => ({ kind: 'answer', status: 200, text: '<html>welcome</html>' });
    await assert.rejects(client.get('Node', { name: 'a' }), /get Node a: the response is not JSON: <html>welcome/);
    it.fault = () => ({ kind: 'answer', status: 429, text: '', headers: { 'retry-after': '7' } });
    await assert.rejects(
      client.delete('Node', { name: 'a' }),
      (reason) => reason instanceof ApiError && reason.details?.retryAfterSeconds === 7,
    );
  }));

test('credentials are fetched for every request, and again after a refusal', async () => {
  const it = apiHost();
  let issued = 0;
  const headers = async () => {
    issued += 1;
    return { authorization: `Bearer token-${issued}` };
  };
  const client = connect(it.host, { server: 'https://api.example', headers, tls: { ca: 'a certificate' } });
  await it.clock.run(async () => {
    it.fault = ({ headers: sent }) =>
      sent?.authorization === 'Bearer token-1' ? status(401, 'Unauthorized') : undefined;
    await client.create(deployment());
    assert.deepEqual(
      it.requests.map(({ headers: sent }) => sent?.authorization),
      ['Bearer token-1', 'Bearer token-2'],
    );
    assert.ok(it.requests.every(({ tls }) => tls?.ca === 'a certificate'));
    it.fault = () => status(401, 'Unauthorized');
    const error = await refused(client.list('Node'), 401);
    assert.ok(!error.message.includes('token-'), 'a token is never in an error');
    assert.equal(it.requests.length, 4);
  });
});

test('the offset of the server’s clock is taken from its Date header', () =>
  connected(async (client, it) => {
    const { offsetSeconds, uncertaintySeconds } = await client.clockOffset();
    assert.ok(Math.abs(offsetSeconds) <= uncertaintySeconds, `${offsetSeconds} ± ${uncertaintySeconds}`);
    const date = new Date(it.clock.wallAt() - 90_000).toUTCString();
    it.fault = () => ({ kind: 'answer', status: 403, headers: { date } });
    const late = await client.clockOffset();
    assert.ok(Math.abs(late.offsetSeconds + 90) <= late.uncertaintySeconds);
    it.fault = () => ({ kind: 'answer', status: 200 });
    await assert.rejects(client.clockOffset(), /no Date header/);
  }));
