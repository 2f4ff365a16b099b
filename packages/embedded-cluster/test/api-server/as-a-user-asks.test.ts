import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiServer } from '../../src/api-server/api-server.ts';
import { inApi, request } from './in-api.ts';

const shop = '/api/v1/namespaces/default';
const merge = { 'content-type': 'application/merge-patch+json' };
const ingresses = '/apis/networking.k8s.io/v1/namespaces/default/ingresses';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const object = (apiVersion: string, kind: string, name: string, rest: object = {}) => ({
  apiVersion,
  kind,
  metadata: { name },
  ...rest,
});

const post = async (server: ApiServer, path: string, body: object) => {
  const { status, json, headers } = await request(server, 'POST', path, body);
  return { status, json, warning: headers.warning };
};

/** A definition as controller-gen writes it: every object needs its metadata and its spec. */
const definition = (versions: readonly string[], properties: object = {}) => ({
  ...object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'things.example.org'),
  spec: {
    group: 'example.org',
    scope: 'Cluster',
    names: { plural: 'things', kind: 'Thing' },
    versions: versions.map((name, index) => ({
      name,
      served: true,
      storage: index === 0,
      schema: {
        openAPIV3Schema: {
          type: 'object',
          required: ['metadata', 'spec'],
          properties: {
            metadata: { type: 'object' },
            spec: { type: 'object', properties },
            status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
      },
    })),
  },
});

const things = (version: string) => `/apis/example.org/${version}/things`;

describe('a custom resource', () => {
  test('has its metadata, whether or not its schema requires it', () =>
    inApi(async ({ server }) => {
      assert.equal((await post(server, definitions, definition(['v1']))).status, 201);
      assert.equal(
        (await post(server, things('v1'), object('example.org/v1', 'Thing', 'a', { spec: {} }))).status,
        201,
      );
      const { status, json } = await post(server, things('v1'), object('example.org/v1', 'Thing', 'b'));
      assert.equal(status, 422);
      assert.equal(json.message, 'Thing.example.org "b" is invalid: spec: Required value');
    }));

  test('is shown in each version of its definition, of which discovery prefers the most stable', () =>
    inApi(async ({ server }) => {
      await post(server, definitions, definition(['v1alpha1', 'v1', 'v1beta1']));
      await post(server, things('v1alpha1'), object('example.org/v1alpha1', 'Thing', 'a', { spec: {} }));
      const { json } = await request(server, 'GET', `${things('v1')}/a`);
      assert.equal(json.apiVersion, 'example.org/v1');
      const group = (await request(server, 'GET', '/apis/example.org')).json;
      assert.deepEqual(
        group.versions.map(({ version }: { version: string }) => version),
        ['v1', 'v1beta1', 'v1alpha1'],
      );
      assert.equal(group.preferredVersion.version, 'v1');
    }));

  test('without the subresource counts its status in its generation', () =>
    inApi(async ({ server }) => {
      await post(server, definitions, definition(['v1']));
      await post(server, things('v1'), object('example.org/v1', 'Thing', 'a', { spec: {} }));
      const { json } = await request(server, 'PATCH', `${things('v1')}/a`, { status: { ready: true } }, merge);
      assert.equal(json.metadata.generation, 2);
      assert.equal((await request(server, 'GET', `${things('v1')}/a/status`)).json.reason, 'NotFound');
    }));

  test('is warned of a finalizer without a path, for which a built-in kind is refused', () =>
    inApi(async ({ server }) => {
      await post(server, definitions, definition(['v1']));
      const metadata = { name: 'a', finalizers: ['cleanup.example.org'] };
      const sent = { ...object('example.org/v1', 'Thing', 'a', { spec: {} }), metadata };
      const { status, warning } = await post(server, things('v1'), sent);
      assert.equal(status, 201);
      assert.match(String(warning), /prefer a domain-qualified finalizer name including a path/);
      const config = { ...object('v1', 'ConfigMap', 'a'), metadata };
      assert.equal((await post(server, `${shop}/configmaps`, config)).status, 422);
    }));

  test('is held to the formats of its texts', () =>
    inApi(async ({ server }) => {
      const formats = ['date-time', 'date', 'ipv4', 'ipv6', 'cidr', 'uuid', 'uri', 'email', 'hostname', 'byte', 'mac'];
      const properties = Object.fromEntries(formats.map((format) => [format, { type: 'string', format }]));
      await post(server, definitions, definition(['v1'], properties));
      const fits: Readonly<Record<string, readonly [good: string, bad: string]>> = {
        byte: ['YQ==', '???'],
        cidr: ['10.0.0.0/8', '10.0.0.0'],
        date: ['2026-12-01', '2026-13-01'],
        'date-time': ['2026-01-01T00:00:00.5+01:00', 'yesterday'],
        email: ['a@b.c', 'x'],
        hostname: ['a-b.example', 'a-b.c'],
        ipv4: ['192.0.2.1', '300.1.1.1'],
        ipv6: ['::1', '192.0.2.1'],
        mac: ['01:02:03:04:05:06', 'x'],
        uri: ['http://a/b', 'no uri'],
        uuid: ['8f1d0f6e-1d1f-4b1e-9a52-0e8e6b4f8b11', 'x'],
      };
      for (const format of formats) {
        const [good = '', bad = ''] = fits[format] ?? [];
        const name = `good-${format}`;
        const sent = (text: string) => object('example.org/v1', 'Thing', name, { spec: { [format]: text } });
        const { status, json } = await post(server, things('v1'), sent(bad));
        assert.equal(status, 422, format);
        assert.match(json.message, new RegExp(`must be of type ${format}: "`));
        assert.equal((await post(server, things('v1'), sent(good))).status, 201, `${format} ${good}`);
      }
    }));

  test('goes with its definition, which the answer shows as it is being deleted', () =>
    inApi(async ({ server }) => {
      await post(server, definitions, definition(['v1']));
      await post(server, things('v1'), object('example.org/v1', 'Thing', 'a', { spec: {} }));
      const { json } = await request(server, 'DELETE', `${definitions}/things.example.org`);
      assert.equal(json.status.conditions.at(-1).reason, 'InstanceDeletionPending');
      await post(server, definitions, definition(['v1']));
      assert.deepEqual((await request(server, 'GET', things('v1'))).json.items, []);
    }));
});

describe('an object', () => {
  test('of some kinds is created by a PUT, of others not', () =>
    inApi(async ({ server }) => {
      const lease = object('coordination.k8s.io/v1', 'Lease', 'a', { spec: { holderIdentity: 'me' } });
      const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases/a';
      const codes = [
        await request(server, 'PUT', path, lease),
        await request(server, 'PUT', `${shop}/secrets/a`, object('v1', 'Secret', 'a')),
      ];
      assert.deepEqual(
        codes.map(({ status }) => status),
        [201, 404],
      );
    }));

  test('takes labels with its status; a Deployment keeps its own', () =>
    inApi(async ({ server }) => {
      const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } };
      const spec = { selector: { matchLabels: { a: 'b' } }, template };
      const labels: unknown[] = [];
      for (const [kind, plural] of [
        ['Deployment', 'deployments'],
        ['ReplicaSet', 'replicasets'],
      ] as const) {
        const path = `/apis/apps/v1/namespaces/default/${plural}`;
        await post(server, path, object('apps/v1', kind, 'a', { spec }));
        const sent = { metadata: { labels: { via: 'status' }, annotations: { via: 'status' } } };
        const { json } = await request(server, 'PATCH', `${path}/a/status`, sent, merge);
        labels.push(json.metadata.labels);
        assert.deepEqual(json.metadata.annotations, { via: 'status' });
      }
      assert.deepEqual(labels, [undefined, { via: 'status' }]);
    }));

  test('that is not there, or newer than anything stored, is said so with the warnings of its kind', () =>
    inApi(async ({ server }) => {
      const missing = await request(server, 'GET', `${shop}/endpoints/none`);
      assert.equal(missing.status, 404);
      assert.match(String(missing.headers.warning), /v1 Endpoints is deprecated/);
      assert.equal((await request(server, 'GET', `/api/v1/namespaces/default?resourceVersion=99999999`)).status, 504);
    }));

  test('is shown as YAML with sorted keys to who asks for it', () =>
    inApi(async ({ server }) => {
      const words = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen';
      const data = { b: 'true', a: 'x\ny\n', '10': 'plain', c: words };
      await post(server, `${shop}/configmaps`, object('v1', 'ConfigMap', 'a', { data }));
      const response = await server.handle({
        method: 'GET',
        url: `http://api${shop}/configmaps/a`,
        headers: { accept: 'application/yaml' },
      });
      assert.equal(response.headers['content-type'], 'application/yaml');
      const text = await response.text();
      const shown = [
        'apiVersion: v1',
        'data:',
        '  "10": plain',
        '  a: |',
        '    x',
        '    y',
        '  b: "true"',
        '  c: one two three four five six seven eight nine ten eleven twelve thirteen fourteen',
        'kind: ConfigMap',
      ];
      assert.equal(text.slice(0, text.indexOf('\nmetadata')), shown.join('\n'));
    }));
});

test('a node port belongs to one Service, and two protocols of one port share it', () =>
  inApi(async ({ server }) => {
    const ports = [
      { name: 'udp', port: 53, protocol: 'UDP' },
      { name: 'tcp', port: 53, protocol: 'TCP' },
    ];
    const dns = await post(
      server,
      `${shop}/services`,
      object('v1', 'Service', 'dns', { spec: { type: 'NodePort', ports } }),
    );
    const [udp, tcp] = dns.json.spec.ports;
    assert.equal(udp.nodePort, tcp.nodePort);
    const same = { type: 'NodePort', ports: [{ port: 80, nodePort: tcp.nodePort }] };
    const { status, json } = await post(server, `${shop}/services`, object('v1', 'Service', 'other', { spec: same }));
    assert.equal(status, 422);
    assert.match(json.message, /provided port is already allocated/);
  }));

test('a cluster-wide custom resource is scaled', () =>
  inApi(async ({ server }) => {
    const whole = definition(['v1'], { copies: { type: 'integer' } });
    const [version] = whole.spec.versions;
    const scale = { specReplicasPath: '.spec.copies', statusReplicasPath: '.status.copies' };
    const scaled = {
      ...whole,
      spec: { ...whole.spec, versions: [{ ...version, subresources: { status: {}, scale } }] },
    };
    await post(server, definitions, scaled);
    await post(server, things('v1'), object('example.org/v1', 'Thing', 'a', { spec: { copies: 1 } }));
    await post(server, things('v1'), object('example.org/v1', 'Thing', 'b', { spec: {} }));
    const path = `${things('v1')}/a/scale`;
    assert.equal((await request(server, 'PATCH', path, { spec: { replicas: 3 } }, merge)).json.spec.replicas, 3);
    const missing = await request(server, 'GET', `${things('v1')}/b/scale`);
    assert.equal(missing.status, 500);
    assert.match(missing.json.message, /the spec replicas field ".spec.copies" does not exist/);
  }));

describe('admission', () => {
  test('gives an Ingress the default class, and none to one that names its class in the older way', () =>
    inApi(async ({ server }) => {
      const annotations = { 'ingressclass.kubernetes.io/is-default-class': 'true' };
      const ingressClass = object('networking.k8s.io/v1', 'IngressClass', 'nginx', {
        metadata: { name: 'nginx', annotations },
        spec: { controller: 'k8s.io/ingress-nginx' },
      });
      await post(server, '/apis/networking.k8s.io/v1/ingressclasses', ingressClass);
      const spec = { defaultBackend: { service: { name: 'a', port: { number: 80 } } } };
      const first = await post(server, ingresses, object('networking.k8s.io/v1', 'Ingress', 'a', { spec }));
      assert.equal(first.json.spec.ingressClassName, 'nginx');
      const older = { name: 'b', annotations: { 'kubernetes.io/ingress.class': 'other' } };
      const second = await post(
        server,
        ingresses,
        object('networking.k8s.io/v1', 'Ingress', 'b', { metadata: older, spec }),
      );
      assert.equal(second.json.spec.ingressClassName, undefined);
    }));

  test('notes which limits it has filled in, and the class of the pod follows them', () =>
    inApi(async ({ server }) => {
      const limit = { type: 'Container', default: { memory: '256Mi' }, defaultRequest: { cpu: '100m' } };
      await post(server, `${shop}/limitranges`, object('v1', 'LimitRange', 'a', { spec: { limits: [limit] } }));
      const spec = { containers: [{ name: 'c', image: 'nginx' }] };
      const { json } = await post(server, `${shop}/pods`, object('v1', 'Pod', 'a', { spec }));
      assert.equal(
        json.metadata.annotations['kubernetes.io/limit-ranger'],
        'LimitRanger plugin set: cpu, memory request for container c; memory limit for container c',
      );
      assert.equal(json.status.qosClass, 'Burstable');
    }));
});

describe('a watch from the start', () => {
  const types = async (server: ApiServer, query: string): Promise<readonly string[]> => {
    const response = await server.handle({
      method: 'GET',
      url: `http://api/api/v1/namespaces?watch=true&timeoutSeconds=1&${query}`,
    });
    const lines = (await response.text()).split('\n').filter((line) => line !== '');
    return [...new Set(lines.map((line) => JSON.parse(line).type))];
  };

  test('says by a bookmark that the initial events have ended, if bookmarks are wanted', () =>
    inApi(async ({ server }) => {
      assert.deepEqual(await types(server, 'resourceVersion=0'), ['ADDED']);
      assert.deepEqual(await types(server, 'resourceVersion=0&allowWatchBookmarks=true'), ['ADDED', 'BOOKMARK']);
      assert.deepEqual(await types(server, 'sendInitialEvents=false&resourceVersionMatch=NotOlderThan'), []);
    }));

  test('has the columns of a table in its first event alone', () =>
    inApi(async ({ server }) => {
      const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
      const response = await server.handle({
        method: 'GET',
        url: 'http://api/api/v1/namespaces?watch=true&timeoutSeconds=1',
        headers: { accept },
      });
      const [first, second] = (await response.text()).split('\n').map((line) => line && JSON.parse(line).object);
      assert.ok(first.columnDefinitions.length > 0);
      assert.equal(second.columnDefinitions, null);
    }));
});

test('a label selector that cannot be read is refused in the words of its grammar', () =>
  inApi(async ({ server }) => {
    const words: Readonly<Record<string, string>> = {
      'a in (b c)': "unable to parse requirement: found 'c', expected: ',' or ')'",
      'a,': "found '', expected: identifier after ','",
      'a=b c': "found 'c', expected: ',' or 'end of string'",
      'a>x':
        "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer",
      '!': "unable to parse requirement: found '', expected: identifier",
    };
    for (const [selector, expected] of Object.entries(words)) {
      const path = `${shop}/configmaps?labelSelector=${encodeURIComponent(selector)}`;
      const { status, json } = await request(server, 'GET', path);
      assert.deepEqual([status, json.message], [400, expected]);
    }
  }));

test('a list of anything is validated item by item, because the document of OpenAPI v2 describes no type', () =>
  inApi(async ({ server }) => {
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
    const response = await server.handle({ method: 'GET', url: 'http://api/openapi/v2', headers: { accept } });
    assert.equal(response.headers['content-type'], accept.replace('@', '.'));
    // Field 1 is the version of Swagger, field 2 the title and the version, 8 and 9 are empty.
    assert.equal(await response.text(), '\n\u00032.0\u0012\u0015\n\nKubernetes\u0012\u0007v1.34.4B\u0000J\u0000');
    assert.deepEqual((await request(server, 'GET', '/openapi/v2')).json.definitions, {});
  }));
