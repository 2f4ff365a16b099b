import { isJson, type Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import type { Served } from '../served.ts';
import { cronJob, job } from './batch.ts';
import {
  binding,
  endpoints,
  limitRange,
  networkPolicy,
  priorityClass,
  secret,
  webhooks,
  withStatus,
} from './configuration.ts';
import { customResourceDefinition } from './definition.ts';
import { nodeClaim, nodePool } from './karpenter.ts';
import { horizontalPodAutoscaler, podTemplate, replicationController, statefulSet } from './other-workloads.ts';
import { pod } from './pod.ts';
import { service } from './service.ts';
import { persistentVolume, persistentVolumeClaim, storageClass } from './storage.ts';
import type { Strategy } from './strategy.ts';
import { countOrPercentage } from './validation.ts';
import { daemonSet, deployment, replicaSet } from './workload.ts';

const plain: Strategy = {};

const namespace: Strategy = {
  firstStatus: () => ({ phase: 'Active' }),
  complete: (object) => withNameLabel(withFinalizer(object)),
};

const ingress: Strategy = {
  firstStatus: () => ({ loadBalancer: {} }),
  validate: (object) => ingressCauses(object),
};

const disruptionBudget: Strategy = {
  firstStatus: () => ({ currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 }),
  validate: (object) => budgetCauses(object.spec ?? {}),
};

/** discovery.k8s.io/v1: an empty list of endpoints is stored as none, and read back as null (kubernetes#135968). */
const endpointSlice: Strategy = {
  complete: (object) => {
    const { endpoints } = object as { readonly endpoints?: unknown };
    return Array.isArray(endpoints) && endpoints.length > 0 ? object : { ...object, endpoints: null };
  },
};

const strategies: Readonly<Record<string, Strategy | undefined>> = {
  DaemonSet: daemonSet,
  Deployment: deployment,
  EC2NodeClass: { firstStatus: () => ({}) },
  'ClusterRoleBinding.rbac.authorization.k8s.io': binding,
  'CronJob.batch': cronJob,
  'CustomResourceDefinition.apiextensions.k8s.io': customResourceDefinition,
  'Endpoints.': endpoints,
  EndpointSlice: endpointSlice,
  HorizontalPodAutoscaler: horizontalPodAutoscaler,
  Ingress: ingress,
  'Job.batch': job,
  'LimitRange.': limitRange,
  'MutatingWebhookConfiguration.admissionregistration.k8s.io': webhooks,
  Namespace: namespace,
  'NetworkPolicy.networking.k8s.io': networkPolicy,
  NodeClaim: nodeClaim,
  NodePool: nodePool,
  'PersistentVolume.': persistentVolume,
  'PersistentVolumeClaim.': persistentVolumeClaim,
  Pod: pod,
  PodDisruptionBudget: disruptionBudget,
  'PodTemplate.': podTemplate,
  'PriorityClass.scheduling.k8s.io': priorityClass,
  ReplicaSet: replicaSet,
  'ReplicationController.': replicationController,
  'ResourceQuota.': withStatus,
  'RoleBinding.rbac.authorization.k8s.io': binding,
  'Secret.': secret,
  Service: service,
  'StatefulSet.apps': statefulSet,
  'StorageClass.storage.k8s.io': storageClass,
  'ValidatingWebhookConfiguration.admissionregistration.k8s.io': webhooks,
};

/** The strategy of a kind: of most it has nothing to do. */
export function strategyOf({ collection }: Pick<Served, 'collection'>): Strategy {
  return strategies[collection] ?? plain;
}

/** core/v1: the finalizer `kubernetes` keeps a deleted namespace until its controller has emptied it. */
function withFinalizer(object: StoredObject): StoredObject {
  if (object.spec !== undefined) return object;
  return { ...object, spec: { finalizers: ['kubernetes'] } };
}

/** core/v1: every namespace has its own name as a label. */
function withNameLabel(object: StoredObject): StoredObject {
  const { labels, name } = object.metadata;
  const key = 'kubernetes.io/metadata.name';
  if (labels?.[key] === name) return object;
  return { ...object, metadata: { ...object.metadata, labels: { ...labels, [key]: name } } };
}

/** policy/v1: at most one of the two, as a count or a percentage. */
function budgetCauses({ minAvailable, maxUnavailable }: Json): readonly FieldCause[] {
  if (minAvailable !== undefined && maxUnavailable !== undefined)
    return [
      fieldCauses.invalid(
        'spec',
        { minAvailable, maxUnavailable },
        'minAvailable and maxUnavailable cannot be both set',
      ),
    ];
  return [
    ...countOrPercentage('spec.minAvailable', minAvailable),
    ...countOrPercentage('spec.maxUnavailable', maxUnavailable),
  ];
}

/** networking.k8s.io/v1: a default backend or rules; every path has a type. */
function ingressCauses({ spec = {} }: StoredObject): readonly FieldCause[] {
  const rules = (spec.rules ?? []) as readonly Json[];
  if (rules.length === 0 && spec.defaultBackend === undefined)
    return [fieldCauses.invalid('spec', spec, 'either `defaultBackend` or `rules` must be specified')];
  return rules.flatMap(({ http }, rule) =>
    ((isJson(http) ? http.paths : []) as readonly Json[]).flatMap(({ pathType, path }, index) =>
      pathCauses(`spec.rules[${rule}].http.paths[${index}]`, pathType, path),
    ),
  );
}

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];

function pathCauses(field: string, pathType: unknown, path: unknown): readonly FieldCause[] {
  if (pathType === undefined) return [fieldCauses.required(`${field}.pathType`, 'pathType must be specified')];
  if (!pathTypes.includes(String(pathType))) return [fieldCauses.unsupported(`${field}.pathType`, pathType, pathTypes)];
  const absolute = typeof path === 'string' && path.startsWith('/');
  return absolute || pathType === 'ImplementationSpecific'
    ? []
    : [fieldCauses.invalid(`${field}.path`, path ?? '', 'must be an absolute path')];
}
