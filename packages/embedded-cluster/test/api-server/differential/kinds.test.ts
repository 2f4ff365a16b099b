import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inApi, request } from '../in-api.ts';
import { comparable, differences } from './comparable.ts';
import { type RecordedKind, recordedKinds } from './recorded-kinds.ts';

const recorded = recordedKinds();

/** What is not stored as the real one does, and why. */
const unlike: Readonly<Record<string, RegExp>> = {
  DaemonSet: /^\/metadata\/annotations/,
};

test('an object of each kind that an application brings is stored as a kube-apiserver stores it', () =>
  inApi(async ({ server }) => {
    for (const { path, sent, stored } of recorded) {
      const { status, json: created } = await request(server, 'POST', path, sent);
      assert.equal(status, 201, `${sent.kind}: ${created.message}`);
      const { json } = await request(server, 'GET', `${path}/${sent.metadata.name}`);
      const { managedFields: _, ...metadata } = json.metadata;
      const body = comparable({ status, body: { ...json, metadata } }).body;
      const found = differences(comparable({ status, body: stored }).body, body);
      const unexplained = found.filter(({ path: at }) => !unlike[sent.kind]?.test(at));
      assert.deepEqual(unexplained, [], sent.kind);
    }
  }));

test('an object of each kind is listed, watched, patched and deleted', () =>
  inApi(async ({ server, clock }) => {
    for (const { path, sent } of recorded) {
      const { name } = sent.metadata;
      await request(server, 'POST', path, sent);
      // A definition is changed at once by the API server's own controller.
      const created = await request(server, 'GET', `${path}/${name}`);
      const since = created.json.metadata.resourceVersion;
      const patch = { metadata: { labels: { changed: 'yes' } } };
      const type = { 'content-type': 'application/merge-patch+json' };
      assert.equal((await request(server, 'PATCH', `${path}/${name}`, patch, type)).status, 200, sent.kind);
      const { json: list } = await request(server, 'GET', `${path}?labelSelector=changed%3Dyes`);
      assert.deepEqual(
        list.items.map((item: RecordedKind['sent']) => item.metadata.name),
        [name],
      );
      const url = `http://api${path}?watch=true&timeoutSeconds=1&resourceVersion=${since}`;
      const watched = server.handle({ method: 'GET', url }).then((response) => response.text());
      await clock.sleep(2);
      const events = (await watched)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.deepEqual(
        events.map(({ type: what, object }) => [what, object.kind, object.metadata.name]),
        [['MODIFIED', sent.kind, name]],
      );
    }
    for (const { path, sent } of recorded.toReversed()) {
      const { name } = sent.metadata;
      assert.equal((await request(server, 'DELETE', `${path}/${name}`)).status, 200, sent.kind);
    }
  }));

test('two groups may have kinds of one name', () =>
  inApi(async ({ server }) => {
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'services.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'services', kind: 'Service' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    };
    const services = '/apis/example.com/v1/namespaces/default/services';
    assert.equal((await server.handle({ method: 'GET', url: `http://api${services}` })).status, 404);
    await request(server, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
    const mine = { apiVersion: 'example.com/v1', kind: 'Service', metadata: { name: 'mine' }, size: 3 };
    assert.equal((await request(server, 'POST', services, mine)).status, 201);
    assert.equal((await request(server, 'GET', `${services}/mine`)).json.size, 3);
    assert.deepEqual((await request(server, 'GET', '/api/v1/namespaces/default/services')).json.items, []);
    const resources = (await request(server, 'GET', '/apis/example.com/v1')).json.resources;
    assert.deepEqual(
      resources.map(({ name, singularName }: Readonly<Record<string, string>>) => [name, singularName]),
      [['services', 'service']],
    );
  }));
