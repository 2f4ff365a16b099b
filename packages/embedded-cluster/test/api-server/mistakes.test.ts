import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inApi, request } from './in-api.ts';

const core = '/api/v1/namespaces/default';
const labels = { app: 'a' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx' }] } };
const networking = '/apis/networking.k8s.io/v1';
const hooks = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const hook = {
  name: 'a.b.example',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { url: 'https://h' },
};

/** What a user sends, and a part of the refusal of a kube-apiserver 1.34.4. */
const mistakes: readonly (readonly [path: string, kind: string, apiVersion: string, body: object, why: RegExp])[] = [
  [
    `${core}/services`,
    'Service',
    'v1',
    { spec: { ports: [{ port: 80, name: 'UPPER' }] } },
    /ports\[0\]\.name: Invalid value: "UPPER"/,
  ],
  [
    `${core}/services`,
    'Service',
    'v1',
    { spec: { loadBalancerClass: 'a/b', ports: [{ port: 80 }] } },
    /loadBalancerClass: Forbidden/,
  ],
  [
    `${core}/replicationcontrollers`,
    'ReplicationController',
    'v1',
    { spec: { selector: { app: 'z' }, template } },
    /does not match template `labels`/,
  ],
  [
    `${core}/podtemplates`,
    'PodTemplate',
    'v1',
    { template: { spec: { containers: [{ name: 'UP', image: 'x' }] } } },
    /containers\[0\]\.name: Invalid value: "UP"/,
  ],
  [
    `${core}/resourcequotas`,
    'ResourceQuota',
    'v1',
    { spec: { hard: { 'services.loadbalancers': '2' }, scopes: ['NotTerminating'] } },
    /unsupported scope applied to resource/,
  ],
  [
    `${core}/resourcequotas`,
    'ResourceQuota',
    'v1',
    { spec: { hard: { pods: '1.5' } } },
    /Invalid value: "1500m": must be an integer/,
  ],
  [
    `${core}/pods`,
    'Pod',
    'v1',
    { spec: { containers: [{ name: 'c', image: 'x', resources: { requests: { 'example.com/gpu': '1' } } }] } },
    /Limit must be set for non overcommitable resources/,
  ],
  [
    `${networking}/ingressclasses`,
    'IngressClass',
    'networking.k8s.io/v1',
    { spec: { controller: `a/${'x'.repeat(250)}` } },
    /may not be more than 250 bytes/,
  ],
  [
    '/apis/node.k8s.io/v1/runtimeclasses',
    'RuntimeClass',
    'node.k8s.io/v1',
    { handler: 'UP' },
    /handler: Invalid value: "UP"/,
  ],
  [
    hooks,
    'ValidatingWebhookConfiguration',
    'admissionregistration.k8s.io/v1',
    { webhooks: [{ ...hook, name: 'short' }] },
    /at least three segments/,
  ],
  [
    hooks,
    'ValidatingWebhookConfiguration',
    'admissionregistration.k8s.io/v1',
    { webhooks: [{ ...hook, clientConfig: { url: 'http://h' } }] },
    /'https' is the only allowed URL scheme/,
  ],
  [
    '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
    'EndpointSlice',
    'discovery.k8s.io/v1',
    { addressType: 'IPv6', endpoints: [{ addresses: ['10.0.0.1'] }] },
    /must be an IPv6 address/,
  ],
];

test('a mistake in a manifest is refused as a cluster refuses it', () =>
  inApi(async ({ server }) => {
    for (const [path, kind, apiVersion, body, why] of mistakes) {
      const { status, json } = await request(server, 'POST', path, {
        apiVersion,
        kind,
        metadata: { name: 'bad' },
        ...body,
      });
      assert.equal(status, 422, `${kind} ${JSON.stringify(body)}`);
      assert.match(json.message, why);
    }
  }));

test('what Go leaves out of an object is not stored: an empty value of a variable, a false that is the default', () =>
  inApi(async ({ server }) => {
    const spec = {
      hostNetwork: false,
      containers: [{ name: 'c', image: 'nginx', env: [{ name: 'A', value: '' }], tty: false }],
    };
    const { json } = await request(server, 'POST', `${core}/pods`, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec,
    });
    const [container] = json.spec.containers;
    assert.deepEqual([container.env, container.tty, json.spec.hostNetwork], [[{ name: 'A' }], undefined, undefined]);
  }));

test('a bound claim grows only where its class lets it, and never shrinks', () =>
  inApi(async ({ server }) => {
    const merge = { 'content-type': 'application/merge-patch+json' };
    const classes = '/apis/storage.k8s.io/v1/storageclasses';
    for (const [name, allowVolumeExpansion] of [
      ['fixed', false],
      ['free', true],
    ] as const) {
      const made = {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name },
        provisioner: 'a',
        allowVolumeExpansion,
      };
      await request(server, 'POST', classes, made);
      const spec = {
        accessModes: ['ReadWriteOnce'],
        storageClassName: name,
        resources: { requests: { storage: '10Gi' } },
      };
      const path = `${core}/persistentvolumeclaims`;
      await request(server, 'POST', path, {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name },
        spec,
      });
      await request(
        server,
        'PATCH',
        `${path}/${name}/status`,
        { status: { phase: 'Bound', capacity: { storage: '10Gi' } } },
        merge,
      );
      const sized = (storage: string) =>
        request(server, 'PATCH', `${path}/${name}`, { spec: { resources: { requests: { storage } } } }, merge);
      assert.equal((await sized('20Gi')).status, allowVolumeExpansion ? 200 : 403);
      const shrunk = await sized('5Gi');
      assert.equal(shrunk.status, 422);
      assert.match(shrunk.json.message, /field can not be less than status.capacity/);
    }
  }));

test('one PriorityClass alone is the default', () =>
  inApi(async ({ server }) => {
    const codes = [];
    for (const name of ['a', 'b']) {
      const made = {
        apiVersion: 'scheduling.k8s.io/v1',
        kind: 'PriorityClass',
        metadata: { name },
        value: 1,
        globalDefault: true,
      };
      codes.push((await request(server, 'POST', '/apis/scheduling.k8s.io/v1/priorityclasses', made)).status);
    }
    assert.deepEqual(codes, [201, 403]);
  }));

test('YAML is read in the order of its keys, as the JSON that becomes of it', () =>
  inApi(async ({ server }) => {
    const text = 'kind: ConfigMap\napiVersion: v1\nmetadata: {name: true}\ndata: {a: 1}\n';
    const { json } = await request(server, 'POST', `${core}/configmaps`, text, { 'content-type': 'application/yaml' });
    assert.match(json.message, /cannot unmarshal number into Go struct field ConfigMap.data of type string/);
  }));
