import type { Served } from './served.ts';

/**
 * How a type of the API merges (the markers `listType`, `listMapKey`, `mapType` and `patchMergeKey` of k8s.io/api). Without a shape,
 * an object merges member by member and a list is one value.
 */
export interface Shape {
  readonly members?: Readonly<Record<string, Shape>>;
  /** One value, owned and replaced as a whole. */
  readonly atomic?: true;
  /** A list of distinct values. */
  readonly set?: true;
  /** A list of objects that these members identify; the value is the default of the member. */
  readonly keys?: Readonly<Record<string, string | undefined>>;
  /** The member that identifies an object of the list in a strategic merge patch. */
  readonly mergeKey?: string;
  /** The shape of the objects in the list. */
  readonly item?: Shape;
  /** Set by the server, so that no manager owns it. */
  readonly unowned?: true;
}

const atomic: Shape = { atomic: true };
const listOf = (mergeKey: string, item: Shape = {}): Shape => ({ keys: { [mergeKey]: undefined }, mergeKey, item });

const unowned: Shape = { unowned: true };
const metadata: Shape = {
  members: {
    creationTimestamp: unowned,
    deletionGracePeriodSeconds: unowned,
    deletionTimestamp: unowned,
    finalizers: { set: true },
    generateName: unowned,
    generation: unowned,
    managedFields: unowned,
    name: unowned,
    namespace: unowned,
    ownerReferences: listOf('uid'),
    resourceVersion: unowned,
    selfLink: unowned,
    uid: unowned,
  },
};

const container: Shape = {
  members: {
    env: listOf('name'),
    ports: { keys: { containerPort: undefined, protocol: 'TCP' }, mergeKey: 'containerPort' },
    volumeMounts: listOf('mountPath'),
    volumeDevices: listOf('devicePath'),
  },
};
const podSpec: Shape = {
  members: {
    affinity: {
      members: { nodeAffinity: { members: { requiredDuringSchedulingIgnoredDuringExecution: atomic } } },
    },
    containers: listOf('name', container),
    ephemeralContainers: listOf('name', container),
    hostAliases: listOf('ip'),
    imagePullSecrets: listOf('name'),
    initContainers: listOf('name', container),
    nodeSelector: atomic,
    schedulingGates: listOf('name'),
    topologySpreadConstraints: {
      keys: { topologyKey: undefined, whenUnsatisfiable: undefined },
      mergeKey: 'topologyKey',
      item: { members: { labelSelector: atomic } },
    },
    volumes: listOf('name'),
  },
};
const conditions = listOf('type');
const status: Shape = { members: { conditions } };
const templated: Shape = { members: { selector: atomic, template: { members: { spec: podSpec } } } };
const workload: Shape = { members: { metadata, status, spec: templated } };
const plain: Shape = { members: { metadata, status } };

const shapes: Readonly<Record<string, Shape | undefined>> = {
  DaemonSet: workload,
  Deployment: workload,
  ReplicaSet: workload,
  'CronJob.batch': {
    members: { metadata, status, spec: { members: { jobTemplate: { members: { spec: templated } } } } },
  },
  'Job.batch': { members: { metadata, status, spec: templated } },
  'MutatingWebhookConfiguration.admissionregistration.k8s.io': { members: { metadata, webhooks: listOf('name') } },
  'PodTemplate.': { members: { metadata, template: { members: { spec: podSpec } } } },
  'ReplicationController.': { members: { metadata, status, spec: templated } },
  'ServiceAccount.': { members: { metadata, secrets: listOf('name') } },
  'StatefulSet.apps': workload,
  'ValidatingWebhookConfiguration.admissionregistration.k8s.io': { members: { metadata, webhooks: listOf('name') } },
  Pod: {
    members: { metadata, spec: podSpec, status: { members: { conditions, podIPs: listOf('ip') } } },
  },
  Node: {
    members: {
      metadata,
      spec: { members: { podCIDRs: { set: true } } },
      status: { members: { conditions, addresses: listOf('type'), volumesAttached: listOf('name') } },
    },
  },
  Service: {
    members: {
      metadata,
      status,
      spec: { members: { selector: atomic, ports: { keys: { port: undefined, protocol: 'TCP' }, mergeKey: 'port' } } },
    },
  },
  PodDisruptionBudget: { members: { metadata, status, spec: { members: { selector: atomic } } } },
};

/** The lists of the custom resources are atomic: their definitions have no list markers. */
const custom: Shape = { members: { metadata } };

/** The shape of an object of that kind. */
export function shapeOf({ collection, custom: isCustom }: Served): Shape {
  return isCustom ? custom : (shapes[collection] ?? plain);
}

const ownedShapes = new Map<string, Shape>();

/** The shape of an object with the fields that a manager cannot own without the status subresource marked as unowned. */
export function ownedShape(served: Served): Shape {
  const known = ownedShapes.get(served.collection);
  if (known !== undefined) return known;
  const { members } = shapeOf(served);
  const status = served.subresources.includes('status') ? { status: unowned } : {};
  const shape = { members: { ...members, apiVersion: unowned, kind: unowned, ...status } };
  ownedShapes.set(served.collection, shape);
  return shape;
}
