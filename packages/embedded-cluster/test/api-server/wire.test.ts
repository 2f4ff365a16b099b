import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiServer } from '../../src/api-server/api-server.ts';
import { changesKept } from '../../src/objects/objects.ts';
import type { HttpResponse } from '../../src/outside/http.ts';
import { deployment, inApi, pod, request, runningPod } from './in-api.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const pods = '/api/v1/namespaces/default/pods';

/** The events of a watch until it ends, as `TYPE name`. */
async function events(server: ApiServer, query: string, signal?: AbortSignal): Promise<readonly string[]> {
  const response = await server.handle({ method: 'GET', url: `http://api/api/v1/pods?watch=true&${query}` }, signal);
  const lines = (await text(response)).split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const { type, object } = JSON.parse(line);
    return `${type} ${object.metadata?.name ?? object.code ?? object.metadata?.resourceVersion ?? ''}`;
  });
}

async function text(response: HttpResponse): Promise<string> {
  const decoder = new TextDecoder();
  let all = '';
  for await (const chunk of response.chunks()) all += decoder.decode(chunk, { stream: true });
  return all;
}

test('discovery lists every resource with its verbs and subresources', () =>
  inApi(async ({ server }) => {
    const get = async (path: string) => (await request(server, 'GET', path)).json;
    assert.deepEqual((await get('/api')).versions, ['v1']);
    const groups = (await get('/apis')).groups.map(({ name }: { name: string }) => name);
    assert.ok(['apps', 'policy', 'karpenter.sh', 'coordination.k8s.io'].every((group) => groups.includes(group)));
    const core = (await get('/api/v1')).resources;
    const eviction = core.find(({ name }: { name: string }) => name === 'pods/eviction');
    assert.deepEqual(eviction, {
      name: 'pods/eviction',
      singularName: '',
      namespaced: true,
      group: 'policy',
      version: 'v1',
      kind: 'Eviction',
      verbs: ['create'],
    });
    const scale = (await get('/apis/apps/v1')).resources.find(
      ({ name }: { name: string }) => name === 'deployments/scale',
    );
    assert.deepEqual([scale.group, scale.version, scale.kind], ['autoscaling', 'v1', 'Scale']);
    assert.equal((await get('/version')).gitVersion, 'v1.34.4');
    assert.equal((await get('/apis/apps')).preferredVersion.groupVersion, 'apps/v1');
    assert.equal((await server.handle({ method: 'GET', url: 'http://api/readyz' })).status, 200);
  }));

test('an unknown path is a 404, and a method that a path does not have a 405', () =>
  inApi(async ({ server }) => {
    for (const path of [
      '/nope',
      '/apis/nope.example/v1/things',
      '/api/v2',
      '/apis/apps/v1/pods',
      '/api/v1/deployments',
      `${pods}/a/exec`,
      '/api/v1/pods/a',
      '/apis/apps/v1/deployments/a/b/c',
    ])
      assert.equal((await server.handle({ method: 'GET', url: `http://api${path}` })).status, 404, path);
    assert.equal((await request(server, 'DELETE', '/apis/apps/v1')).status, 405);
    assert.equal((await request(server, 'PUT', pods, pod('a'))).status, 405);
  }));

test('an object can be created (201), read, replaced, patched and deleted over HTTP', () =>
  inApi(async ({ server }) => {
    const created = await request(server, 'POST', deployments, deployment());
    assert.equal(created.status, 201);
    const path = `${deployments}/nginx-test`;
    const read = await request(server, 'GET', path);
    assert.deepEqual(read.json, created.json);
    assert.equal(read.headers['content-type'], 'application/json');
    assert.equal(read.headers.date, 'Fri, 20 Nov 2026 10:00:00 GMT');
    const replaced = await request(server, 'PUT', path, { ...read.json, spec: { ...read.json.spec, replicas: 3 } });
    assert.deepEqual([replaced.status, replaced.json.spec.replicas], [200, 3]);
    const stale = await request(server, 'PUT', path, read.json);
    assert.deepEqual(
      [stale.status, stale.json.reason, stale.json.details],
      [409, 'Conflict', { name: 'nginx-test', group: 'apps', kind: 'deployments' }],
    );
    const merge = { 'Content-Type': 'application/merge-patch+json; charset=utf-8' };
    const patched = await request(server, 'PATCH', path, { spec: { replicas: 4 } }, merge);
    assert.equal(patched.json.spec.replicas, 4);
    const uid = read.json.metadata.uid;
    const deleted = await request(server, 'DELETE', path, { preconditions: { uid } });
    assert.deepEqual(deleted.json.details, { name: 'nginx-test', group: 'apps', kind: 'deployments', uid });
    const missing = await request(server, 'GET', path);
    assert.deepEqual([missing.status, missing.json.message], [404, 'deployments.apps "nginx-test" not found']);
  }));

test('a patch of an unknown media type is a 415, of the wrong shape a 400, with an unknown dryRun a 422', () =>
  inApi(async ({ server }) => {
    await request(server, 'POST', deployments, deployment());
    const patch = async (body: unknown, type: string, query = '') =>
      (await request(server, 'PATCH', `${deployments}/nginx-test${query}`, body, { 'content-type': type })).status;
    assert.equal(await patch({}, 'application/json'), 415);
    assert.equal(await patch({}, 'application/json-patch+json'), 400);
    assert.equal(await patch([], 'application/merge-patch+json'), 400);
    assert.equal(await patch({}, 'application/merge-patch+json', '?dryRun=Some'), 422);
    assert.equal(await patch({}, 'application/apply-patch+yaml'), 422, 'no fieldManager');
  }));

test('the field manager is the fieldManager of the query, or else the first part of the User-Agent', () =>
  inApi(async ({ server }) => {
    const agent = { 'user-agent': 'kubectl/v1.34.0 (linux/arm64)' };
    const manager = async (name: string, query: string) => {
      const object = { ...deployment(), metadata: { name, namespace: 'default' } };
      return (await request(server, 'POST', `${deployments}${query}`, object, agent)).json.metadata.managedFields[0]
        .manager;
    };
    assert.equal(await manager('a', ''), 'kubectl');
    assert.equal(await manager('b', '?fieldManager=holdfast'), 'holdfast');
  }));

test('all pages of a list show the same revision', () =>
  inApi(async ({ server, cluster }) => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await cluster.create(pod(name));
    const page = async (query: string) => (await request(server, 'GET', `${pods}?limit=2${query}`)).json;
    const first = await page('');
    assert.equal(first.kind, 'PodList');
    assert.equal(first.metadata.remainingItemCount, 3);
    await cluster.delete('Pod', { namespace: 'default', name: 'c' });
    await cluster.create(pod('bb'));
    const second = await page(`&continue=${encodeURIComponent(first.metadata.continue)}`);
    const third = await page(`&continue=${encodeURIComponent(second.metadata.continue)}`);
    const names = [first, second, third].map(({ items }) =>
      items.map(({ metadata }: { metadata: { name: string } }) => metadata.name),
    );
    assert.deepEqual(names, [['a', 'b'], ['c', 'd'], ['e']]);
    assert.deepEqual(new Set([first, second, third].map(({ metadata }) => metadata.resourceVersion)).size, 1);
    assert.equal(third.metadata.continue, undefined);
    const answer = async (token: string) => (await page(`&continue=${token}`)).reason;
    assert.deepEqual([await answer('nonsense'), await answer(btoa('1 2'))], ['BadRequest', 'Expired']);
  }));

test('a token of a list may be used with other selectors, and what is left of a selection is not counted', () =>
  inApi(async ({ server, cluster }) => {
    for (const name of ['a', 'b', 'c']) await cluster.create(pod(name));
    const first = (await request(server, 'GET', `${pods}?limit=1`)).json.metadata.continue;
    const query = `limit=1&labelSelector=app&continue=${encodeURIComponent(first)}`;
    const { items, metadata } = (await request(server, 'GET', `${pods}?${query}`)).json;
    assert.equal(items[0].metadata.name, 'b');
    assert.deepEqual([typeof metadata.continue, metadata.remainingItemCount], ['string', undefined]);
  }));

test('a Scale can be applied: its manager owns the replicas, and another one conflicts', () =>
  inApi(async ({ server, cluster }) => {
    await cluster.create(deployment());
    const path = '/apis/apps/v1/namespaces/default/deployments/nginx-test/scale';
    const apply = (manager: string, replicas: unknown) => {
      const scale = {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'nginx-test' },
        spec: { replicas },
      };
      const headers = { 'content-type': 'application/apply-patch+yaml' };
      return request(server, 'PATCH', `${path}?fieldManager=${manager}`, scale, headers);
    };
    const applied = await apply('one', 2);
    assert.deepEqual([applied.status, applied.json.kind, applied.json.spec], [200, 'Scale', { replicas: 2 }]);
    const { metadata } =
      (await cluster.get('Deployment', { namespace: 'default', name: 'nginx-test' })) ?? deployment();
    const [entry] = metadata.managedFields ?? [];
    assert.deepEqual([entry?.manager, entry?.operation, entry?.subresource], ['one', 'Apply', 'scale']);
    assert.equal((await apply('two', 3)).status, 409);
    assert.equal((await apply('two', 'x')).status, 500);
  }));

test('a list can be selected by labels and by fields, and an invalid selector is a 400', () =>
  inApi(async ({ server, cluster }) => {
    await runningPod(cluster, 'a');
    await cluster.create(pod('b'));
    const names = async (query: string) =>
      (await request(server, 'GET', `/api/v1/pods?${query}`)).json.items.map(
        ({ metadata }: { metadata: { name: string } }) => metadata.name,
      );
    assert.deepEqual(await names('fieldSelector=spec.nodeName%3Dnode-a'), ['a']);
    assert.deepEqual(await names('fieldSelector=status.phase%3DPending'), ['b']);
    assert.deepEqual(await names('fieldSelector=metadata.name%3Db'), ['b']);
    assert.deepEqual(await names('labelSelector=app+in+(nginx-test)'), ['a', 'b']);
    assert.deepEqual(await names('labelSelector=app!%3Dnginx-test'), []);
    assert.equal((await request(server, 'GET', '/api/v1/pods?fieldSelector=spec.image%3Dx')).status, 400);
    assert.equal((await request(server, 'GET', '/api/v1/pods?labelSelector=(')).status, 400);
  }));

test('a watch continues from a resource version, and ends after its timeoutSeconds', () =>
  inApi(async ({ server, cluster, clock }) => {
    const { metadata } = await cluster.create(pod('a'));
    await cluster.create(pod('b'));
    const watching = events(server, `resourceVersion=${metadata.resourceVersion}&timeoutSeconds=10`);
    await clock.sleep(9);
    await cluster.delete('Pod', { namespace: 'default', name: 'b' });
    assert.deepEqual(await watching, ['ADDED b', 'DELETED b']);
    assert.equal(clock.monotonicSeconds(), 10);
  }));

test('a watch without a resource version begins with the existing objects', () =>
  inApi(async ({ server, cluster }) => {
    await cluster.create(pod('a'));
    assert.deepEqual(await events(server, 'timeoutSeconds=1'), ['ADDED a']);
    assert.deepEqual(await events(server, 'resourceVersion=0&timeoutSeconds=1'), ['ADDED a']);
    const initial = await events(
      server,
      'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=1',
    );
    assert.deepEqual(
      initial.map((event) => event.split(' ')[0]),
      ['ADDED', 'BOOKMARK'],
    );
  }));

test('a path below watch is a watch too, of one object if it names one', () =>
  inApi(async ({ server, cluster }) => {
    await cluster.create(pod('a'));
    await cluster.create(pod('b'));
    const answer = async (path: string) => {
      const { status, text } = await server.handle({
        method: 'GET',
        url: `http://api/api/v1/watch/${path}?timeoutSeconds=1`,
      });
      return [status, (await text()).match(/"name":"[ab]"/g)];
    };
    assert.deepEqual(await answer('pods'), [200, ['"name":"a"', '"name":"b"']]);
    assert.deepEqual(await answer('namespaces/default/pods/b'), [200, ['"name":"b"']]);
  }));

test('a watch that allows bookmarks gets one every minute', () =>
  inApi(async ({ server, cluster, clock }) => {
    const watching = events(server, 'resourceVersion=4&timeoutSeconds=130&allowWatchBookmarks=true');
    await clock.sleep(61);
    await cluster.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } });
    assert.deepEqual(await watching, ['BOOKMARK 6', 'BOOKMARK 7']);
    assert.deepEqual(await events(server, 'resourceVersion=4&timeoutSeconds=130'), []);
  }));

test('a watch from a resource version that is too old gets an error event with 410', () =>
  inApi(async ({ server, cluster }) => {
    const { metadata } = await cluster.create(pod('a'));
    for (let i = 0; i <= 2 * changesKept; i += 1)
      await cluster.patch('Pod', metadata, { type: 'merge', value: { metadata: { annotations: { i: String(i) } } } });
    assert.deepEqual(await events(server, `resourceVersion=${metadata.resourceVersion}&timeoutSeconds=600`), [
      'ERROR 410',
    ]);
  }));

test('a watch ends when the client leaves', () =>
  inApi(async ({ server, cluster, clock }) => {
    const controller = new AbortController();
    const watching = events(server, 'resourceVersion=4', controller.signal);
    await clock.sleep(1);
    await cluster.create(pod('a'));
    controller.abort();
    await cluster.create(pod('b'));
    assert.deepEqual(await watching, ['ADDED a']);
    const response = await server.handle({ method: 'GET', url: 'http://api/api/v1/pods?watch=1' });
    response.discard();
    assert.equal((await text(response)).split('\n').length, 3, 'what was there, and the end');
  }));

test('the text of an object is made once for each version', () =>
  inApi(async ({ server, cluster }) => {
    await cluster.create(pod('a'));
    const one = await server.handle({ method: 'GET', url: `http://api${pods}/a` });
    assert.equal(await one.text(), JSON.stringify(await cluster.get('Pod', { namespace: 'default', name: 'a' })));
  }));

test('intercept answers instead of the server', () =>
  inApi(
    async ({ server }) => {
      assert.equal((await request(server, 'GET', '/version')).status, 503);
      assert.equal((await request(server, 'GET', '/version')).status, 200);
    },
    { intercept: once503() },
  ));

function once503() {
  let left = 1;
  return async (): Promise<HttpResponse | undefined> => {
    left -= 1;
    if (left < 0) return undefined;
    return { status: 503, headers: {}, text: async () => '{}', chunks: async function* () {}, discard: () => {} };
  };
}

test('deleting a collection deletes the selected objects and returns them', () =>
  inApi(async ({ server, cluster }) => {
    for (const name of ['a', 'b']) {
      const labels = { which: name };
      await cluster.create({
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name, namespace: 'default', labels },
        spec: { ports: [{ port: 80 }] },
      });
    }
    const { status, json } = await request(
      server,
      'DELETE',
      '/api/v1/namespaces/default/services?labelSelector=which%3Da',
    );
    assert.equal(status, 200);
    assert.equal(json.kind, 'ServiceList');
    assert.deepEqual(
      json.items.map((one: { metadata: { name: string } }) => one.metadata.name),
      ['a'],
    );
    assert.deepEqual(
      (await cluster.list('Service')).map(({ metadata }) => metadata.name),
      ['b'],
    );
  }));
