import assert from 'node:assert/strict';
import { test } from 'node:test';
import { served } from '../../src/api-server/served.ts';
import { formats } from '../../src/api-server/validation/formats.ts';
import type { NodePool } from '../../src/kubernetes/autoscaler.ts';
import type { Cluster } from '../../src/kubernetes/cluster.ts';
import type { Kind } from '../../src/kubernetes/kinds.ts';
import { kindPlaces } from '../../src/kubernetes/kinds.ts';
import type { Ingress, Service } from '../../src/kubernetes/resources.ts';
import type { VolumeAttachment } from '../../src/kubernetes/volumes.ts';
import { budget, deployment, inApi, pod, refused, request } from './in-api.ts';

/** The causes of a 422 as `field: message`. */
async function causes(work: Promise<unknown>): Promise<readonly string[]> {
  const error = await refused(work, 422);
  return (error.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`);
}

const service = (spec: Partial<Service['spec']> = {}, name = 'nginx-test'): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: 'default' },
  spec: { selector: { app: 'nginx-test' }, ports: [{ port: 80 }], ...spec },
});

const pool = (spec: Partial<NodePool['spec']> = {}): NodePool => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'general-purpose-arm' },
  spec: {
    template: {
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }],
      },
    },
    ...spec,
  },
});

test('every kind is served at the path that the client requests', () => {
  for (const [kind, place] of Object.entries(kindPlaces)) {
    const { apiVersion, plural, namespaced } = served[kind as Kind];
    assert.deepEqual({ apiVersion, plural, namespaced }, place);
  }
});

test('a Deployment gets the defaults: one replica, a rolling update of 25 %, and those of its pod template', () =>
  inApi(async ({ cluster }) => {
    const { replicas: _, ...unsaid } = deployment().spec;
    const { spec } = await cluster.create({ ...deployment(), spec: unsaid });
    assert.equal(Reflect.get(spec, 'replicas'), 1);
    assert.deepEqual(spec.strategy, {
      type: 'RollingUpdate',
      rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' },
    });
    assert.equal(Reflect.get(spec, 'progressDeadlineSeconds'), 600);
    const { containers, ...template } = spec.template.spec;
    assert.deepEqual(template, {
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      securityContext: {},
      schedulerName: 'default-scheduler',
    });
    assert.deepEqual(containers, [
      {
        name: 'nginx',
        image: 'nginx',
        ports: [{ containerPort: 80, protocol: 'TCP' }],
        imagePullPolicy: 'Always',
        resources: {},
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
      },
    ]);
  }));

test('a probe gets its defaults, and a limit without a request becomes the request too', () =>
  inApi(async ({ cluster }) => {
    const container = {
      name: 'nginx',
      image: 'nginx:1.29',
      readinessProbe: { httpGet: { port: 80 }, periodSeconds: 1 },
      resources: { limits: { cpu: '500m', memory: '64Mi' }, requests: { cpu: '100m' } },
    };
    const { spec, status } = await cluster.create(pod('a', { containers: [container] }));
    const [created] = spec.containers;
    assert.deepEqual(created?.readinessProbe, {
      httpGet: { port: 80, path: '/', scheme: 'HTTP' },
      periodSeconds: 1,
      timeoutSeconds: 1,
      successThreshold: 1,
      failureThreshold: 3,
    });
    assert.deepEqual(created?.resources?.requests, { cpu: '100m', memory: '64Mi' });
    assert.equal(Reflect.get(created ?? {}, 'imagePullPolicy'), 'IfNotPresent');
    assert.deepEqual(status, { phase: 'Pending', qosClass: 'Burstable' });
  }));

test('a pod tolerates the taints not-ready and unreachable for 300 s unless it has tolerations of its own for them', () =>
  inApi(async ({ cluster }) => {
    const own = {
      key: 'node.kubernetes.io/unreachable',
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 5,
    } as const;
    const added = (key: string) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 });
    const plain = await cluster.create(pod('a'));
    assert.deepEqual(plain.spec.tolerations, [
      added('node.kubernetes.io/not-ready'),
      added('node.kubernetes.io/unreachable'),
    ]);
    const tolerating = await cluster.create(pod('b', { tolerations: [own] }));
    assert.deepEqual(tolerating.spec.tolerations, [own, added('node.kubernetes.io/not-ready')]);
    const all = await cluster.create(pod('c', { tolerations: [{ operator: 'Exists' }] }));
    assert.deepEqual(all.spec.tolerations, [{ operator: 'Exists' }]);
  }));

test('binding a pod sets PodScheduled, and a bound pod cannot be moved', () =>
  inApi(async ({ cluster, clock }) => {
    const { metadata } = await cluster.create(pod('a'));
    const bind = (nodeName: string) => cluster.patch('Pod', metadata, { type: 'merge', value: { spec: { nodeName } } });
    await clock.sleep(2);
    const { status, metadata: after } = await bind('node-a');
    assert.ok(!JSON.stringify(after.managedFields).includes('f:status'), 'the condition is not the binder’s');
    const [condition] = status?.conditions ?? [];
    assert.deepEqual(
      [condition?.type, condition?.status, condition?.lastTransitionTime],
      ['PodScheduled', 'True', '2026-11-20T10:00:02Z'],
    );
    assert.match(
      (await causes(bind('node-b'))).join(),
      /^spec: Forbidden: pod updates may not change fields other than/,
    );
  }));

test('of a running pod only the images can be changed', () =>
  inApi(async ({ cluster }) => {
    const { metadata } = await cluster.create(pod('a', { nodeName: 'node-a' }));
    const containers = (container: object) =>
      cluster.patch('Pod', metadata, {
        type: 'strategic',
        value: { spec: { containers: [{ name: 'nginx', ...container }] } },
      });
    assert.equal((await containers({ image: 'nginx:2' })).spec.containers[0]?.image, 'nginx:2');
    await refused(containers({ args: ['-x'] }), 422);
  }));

test('a Service gets a cluster IP and target ports, and node ports if its type has them', () =>
  inApi(async ({ cluster }) => {
    const { spec } = await cluster.create(service());
    assert.deepEqual(
      { ...spec, selector: undefined },
      {
        selector: undefined,
        ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
        type: 'ClusterIP',
        sessionAffinity: 'None',
        internalTrafficPolicy: 'Cluster',
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
        clusterIP: '10.100.0.11',
        clusterIPs: ['10.100.0.11'],
      },
    );
    const ports = [
      { name: 'http', port: 80 },
      { name: 'https', port: 443 },
    ];
    const balancer = await cluster.create(service({ type: 'LoadBalancer', ports }, 'ingress-nginx-controller'));
    assert.deepEqual(
      balancer.spec.ports.map((port) => Reflect.get(port, 'nodePort')),
      [30_000, 30_001],
    );
    assert.equal(balancer.spec.clusterIP, '10.100.0.12');
    assert.equal(balancer.spec.externalTrafficPolicy, 'Cluster');
  }));

test('a Service that is applied again keeps its node ports, and its cluster IP is immutable', () =>
  inApi(async ({ cluster, server }) => {
    const balancer = service({ type: 'LoadBalancer' });
    const first = await cluster.apply(balancer, { fieldManager: 'holdfast' });
    const replaced = await request(server, 'PUT', '/api/v1/namespaces/default/services/nginx-test', balancer);
    assert.deepEqual(replaced.json.spec, first.spec);
    const again = await cluster.apply(
      { ...balancer, metadata: { ...balancer.metadata, labels: { a: 'b' } } },
      { fieldManager: 'holdfast' },
    );
    assert.deepEqual(again.spec, first.spec);
    const moved = cluster.patch('Service', balancer.metadata, {
      type: 'merge',
      value: { spec: { clusterIP: '10.100.9.9' } },
    });
    assert.deepEqual(await causes(moved), [
      'spec.clusterIPs[0]: Invalid value: ["10.100.9.9"]: may not change once set',
    ]);
  }));

test('a NodePool gets the defaults of its CustomResourceDefinition', () =>
  inApi(async ({ cluster }) => {
    const { spec } = await cluster.create(pool());
    assert.deepEqual(spec.disruption, {
      budgets: [{ nodes: '10%' }],
      consolidateAfter: '0s',
      consolidationPolicy: 'WhenEmptyOrUnderutilized',
    });
    assert.equal(spec.template.spec.expireAfter, '720h');
  }));

test('a NodePool that its CustomResourceDefinition does not allow is refused over HTTP', () =>
  inApi(async ({ server }) => {
    const pools = '/apis/karpenter.sh/v1/nodepools';
    const disruption = {
      consolidateAfter: '2 minutes',
      budgets: [{ nodes: '101%' }, { nodes: '1', schedule: '@daily' }],
    };
    const invalid = await request(server, 'POST', pools, pool({ disruption }));
    assert.deepEqual(
      invalid.json.details.causes.map(({ field }: { field: string }) => field),
      ['spec.disruption.consolidateAfter', 'spec.disruption.budgets[0].nodes', 'spec.disruption.budgets'],
    );
    assert.equal((await request(server, 'POST', pools, pool())).status, 201);
    const reference = (change: object) => {
      const patch = { spec: { template: { spec: { nodeClassRef: change } } } };
      const headers = { 'content-type': 'application/merge-patch+json' };
      return request(server, 'PATCH', `${pools}/general-purpose-arm`, patch, headers);
    };
    assert.deepEqual((await reference({ kind: 'Other' })).json.details.causes, [
      {
        reason: 'FieldValueInvalid',
        message: 'Invalid value: "object": nodeClassRef.kind is immutable',
        field: 'spec.template.spec.nodeClassRef',
      },
    ]);
    assert.equal((await reference({ name: 'other' })).json.spec.template.spec.nodeClassRef.name, 'other');
  }));

test('a new PodDisruptionBudget allows no disruption, and may not have both minAvailable and maxUnavailable', () =>
  inApi(async ({ cluster }) => {
    const { status } = await cluster.create(budget());
    assert.deepEqual(status, { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 });
    const named = (name: string, spec: object) => {
      const object = budget(spec);
      return cluster.create({ ...object, metadata: { name, namespace: 'default' } });
    };
    assert.match((await causes(named('b', { maxUnavailable: 1 }))).join(), /cannot be both set/);
    assert.match((await causes(named('c', { minAvailable: 'half' }))).join(), /valid percent string/);
    assert.match((await causes(named('d', { minAvailable: -1 }))).join(), /greater than or equal to 0/);
  }));

const mistakes: readonly (readonly [string, (cluster: Cluster) => Promise<unknown>, string])[] = [
  [
    'a Deployment without a selector',
    (cluster) => {
      const { selector: _, ...spec } = deployment().spec;
      return cluster.create({ ...deployment(), spec: spec as ReturnType<typeof deployment>['spec'] });
    },
    'Deployment.apps "nginx-test" is invalid: [spec.selector: Required value, spec.template.metadata.labels: Invalid value: {"app":"nginx-test"}: `selector` does not match template `labels`]',
  ],
  [
    'a Deployment whose selector does not select its pods',
    (cluster) => cluster.create(deployment({ selector: { matchLabels: { app: 'other' } } })),
    'Deployment.apps "nginx-test" is invalid: spec.template.metadata.labels: Invalid value: {"app":"nginx-test"}: `selector` does not match template `labels`',
  ],
  [
    'negative replicas',
    (cluster) => cluster.create(deployment({ replicas: -1 })),
    'Deployment.apps "nginx-test" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'a name that is no name',
    (cluster) => cluster.create({ ...pod('Nginx_1') }),
    "Pod \"Nginx_1\" is invalid: metadata.name: Invalid value: \"Nginx_1\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  [
    'a container without a name or an image',
    (cluster) => cluster.create(pod('a', { containers: [{ name: '', image: '' }] })),
    'Pod "a" is invalid: [spec.containers[0].name: Required value, spec.containers[0].image: Required value]',
  ],
  [
    'a Service without ports',
    (cluster) => cluster.create(service({ ports: [] })),
    'Service "nginx-test" is invalid: spec.ports: Required value',
  ],
  [
    'an Ingress path without a type',
    (cluster) => {
      const backend = { service: { name: 'nginx-test', port: { number: 80 } } };
      const rules = [{ host: 'app.example', http: { paths: [{ path: '/', backend }] } }];
      const object = {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        metadata: { name: 'nginx-test', namespace: 'default' },
        spec: { rules },
      };
      return cluster.create(object as unknown as Ingress);
    },
    'Ingress.networking.k8s.io "nginx-test" is invalid: spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified',
  ],
  [
    'an invalid label value',
    (cluster) => cluster.create({ ...pod('a'), metadata: { ...pod('a').metadata, labels: { a: 'b c' } } }),
    "Pod \"a\" is invalid: metadata.labels: Invalid value: \"b c\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
  ],
];
for (const [what, make, message] of mistakes)
  test(`${what} is refused with 422 and the message of the API server`, () =>
    inApi(async ({ cluster }) => {
      assert.equal((await refused(make(cluster), 422)).answer, message);
    }));

test('the selector of a Deployment is immutable', () =>
  inApi(async ({ cluster }) => {
    const { metadata } = await cluster.create(deployment());
    const labels = { app: 'nginx-test', tier: 'web' };
    const value = { spec: { selector: { matchLabels: labels }, template: { metadata: { labels } } } };
    assert.deepEqual(await causes(cluster.patch('Deployment', metadata, { type: 'merge', value })), [
      'spec.selector: Invalid value: {"matchLabels":{"app":"nginx-test","tier":"web"}}: field is immutable',
    ]);
  }));

test('a body whose kind, name or namespace differs from the path is refused with 400', () =>
  inApi(async ({ server }) => {
    const path = '/apis/apps/v1/namespaces/default/deployments';
    assert.equal((await request(server, 'POST', path, pod('a'))).status, 400);
    const elsewhere = { ...deployment(), metadata: { name: 'a', namespace: 'kube-system' } };
    assert.match(
      (await request(server, 'POST', path, elsewhere)).json.message,
      /namespace of the provided object does not match/,
    );
    assert.equal((await request(server, 'PUT', `${path}/other`, deployment())).status, 400);
    assert.equal((await request(server, 'POST', path, '{')).status, 400);
    assert.equal((await request(server, 'POST', `${path}/a`, deployment())).status, 405);
  }));

test('a field that is null is not stored', () =>
  inApi(async ({ server }) => {
    const { metadata, spec } = deployment();
    const template = { ...spec.template, metadata: { ...spec.template.metadata, creationTimestamp: null } };
    const body = {
      metadata: { ...metadata, creationTimestamp: null },
      spec: { ...spec, template, replicas: null },
      status: null,
    };
    const { json } = await request(server, 'POST', '/apis/apps/v1/namespaces/default/deployments', body);
    assert.equal(json.spec.replicas, 1);
    assert.ok(!JSON.stringify(json).includes('null'));
  }));

test('a VolumeAttachment says what is attached to which node by whom', () =>
  inApi(async ({ cluster }) => {
    const attachment = { apiVersion: 'storage.k8s.io/v1', kind: 'VolumeAttachment', metadata: { name: 'csi-1' } };
    assert.deepEqual(await causes(cluster.create(attachment as unknown as VolumeAttachment)), [
      'spec.attacher: Required value',
      'spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName',
      `spec.nodeName: Invalid value: "": ${formats.subdomain.words}`,
      `spec.attacher: Invalid value: "": ${formats.subdomain.words}`,
    ]);
  }));
