import type { CopiedObject, Copy } from '../../src/copy/copy.ts';

export const copiedAt = '2026-03-01T10:00:12Z';
const createdAt = '2026-02-01T10:00:00Z';
const namespace = 'shop';

interface Extra {
  readonly cpu?: string;
  /** The spec of a budget `NAME-pdb`. */
  readonly budget?: object;
  /** More of the pods' spec. */
  readonly more?: object;
}

const object = (apiVersion: string, kind: string, metadata: object, rest: object) =>
  ({
    apiVersion,
    kind,
    metadata: { uid: `${kind} ${JSON.stringify(metadata)}`, ...metadata },
    ...rest,
  }) as unknown as CopiedObject;

/** A node of bare metal, as kubectl prints it. */
export const node = (name: string, zone = 'a', more: object = {}): CopiedObject =>
  object(
    'v1',
    'Node',
    {
      name,
      creationTimestamp: createdAt,
      labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'topology.kubernetes.io/zone': zone },
    },
    {
      spec: { ...more },
      status: {
        capacity: { cpu: '4', memory: '8Gi', pods: '110' },
        allocatable: { cpu: '3900m', memory: '7Gi', pods: '110' },
        conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: createdAt }],
      },
    },
  );

/** A pod that has been ready since eight seconds after its start. */
export const pod = (name: string, nodeName: string, owner?: object, spec: object = {}, labels = {}): CopiedObject =>
  object(
    'v1',
    'Pod',
    {
      name,
      namespace,
      labels,
      creationTimestamp: copiedAt,
      ...(owner === undefined ? {} : { ownerReferences: [owner] }),
    },
    {
      spec: { containers: [{ name: 'main', image: 'registry.example.com/main:1' }], ...spec, nodeName },
      status: {
        phase: 'Running',
        podIP: `10.1.0.${name.length}`,
        startTime: '2026-03-01T10:00:00Z',
        conditions: [
          { type: 'PodScheduled', status: 'True', lastTransitionTime: '2026-03-01T10:00:00Z' },
          { type: 'Ready', status: 'True', lastTransitionTime: copiedAt },
        ],
        containerStatuses: [
          { name: 'main', ready: true, restartCount: 0, state: { running: { startedAt: '2026-03-01T10:00:04Z' } } },
        ],
      },
    },
  );

const ownerOf = ({ apiVersion, kind, metadata: { name, uid } }: CopiedObject) => ({
  ...{ apiVersion, kind, name, uid, controller: true },
});

/** A Deployment with a ready pod on each of the nodes, its ReplicaSet, Service and budget. */
export function deployment(name: string, nodes: readonly string[], { cpu = '100m', budget, more = {} }: Extra = {}) {
  const labels = { app: name };
  const hashed = { ...labels, 'pod-template-hash': 'abc12' };
  const container = {
    ...{ name: 'main', image: `registry.example.com/${name}:1`, ports: [{ containerPort: 8080 }] },
    resources: { requests: { cpu, memory: '128Mi' } },
    readinessProbe: { httpGet: { port: 8080 }, periodSeconds: 5 },
  };
  const spec = { containers: [container], ...more };
  const replicas = nodes.length;
  const revision = { 'deployment.kubernetes.io/revision': '1' };
  const whole = object(
    'apps/v1',
    'Deployment',
    { name, namespace, generation: 1, creationTimestamp: createdAt, annotations: revision },
    { spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } } },
  );
  const set = object(
    'apps/v1',
    'ReplicaSet',
    {
      ...{ name: `${name}-abc12`, namespace, generation: 1, creationTimestamp: createdAt, labels: hashed },
      annotations: { ...revision, 'deployment.kubernetes.io/desired-replicas': String(replicas) },
      ownerReferences: [ownerOf(whole)],
    },
    { spec: { replicas, selector: { matchLabels: hashed }, template: { metadata: { labels: hashed }, spec } } },
  );
  const pods = nodes.map((on, index) => pod(`${name}-abc12-${index}`, on, ownerOf(set), spec, hashed));
  const service = object(
    'v1',
    'Service',
    { name, namespace },
    { spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] } },
  );
  const budgets = [
    object(
      'policy/v1',
      'PodDisruptionBudget',
      { name: `${name}-pdb`, namespace },
      {
        spec: { selector: { matchLabels: labels }, ...budget },
      },
    ),
  ];
  return [whole, set, ...pods, service, ...(budget === undefined ? [] : budgets)];
}

/** The copy that has these objects and was asked for all kinds. */
export const copyOf = (...objects: readonly CopiedObject[]): Copy => ({
  takenAt: Date.parse(copiedAt),
  kubernetes: 'v1.34.1',
  objects: Map.groupBy(objects, ({ kind }) => kind),
  kindsRead: ['Node', 'Pod', 'PodDisruptionBudget'],
  namespaces: [],
});
