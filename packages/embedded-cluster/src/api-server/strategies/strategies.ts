import { isJson } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { withDefaultIngressClass } from '../admission/default-ingress-class.ts';
import type { Api, ApiRequest } from '../api.ts';
import type { Served } from '../served.ts';
import { configMapCauses } from '../validation/config-data.ts';
import {
  budgetCauses,
  changedEventCauses,
  eventCauses,
  leaseCauses,
  namespaceCauses,
} from '../validation/coordination.ts';
import { endpointSliceCauses } from '../validation/endpoint-slice.ts';
import { ingressCauses, ingressClassCauses } from '../validation/ingress.ts';
import { csiNodeCauses, storageCapacityCauses } from '../validation/seldom/drivers.ts';
import {
  flowSchemaCauses,
  priorityLevelCauses,
  runtimeClassCauses,
  signingRequestCauses,
} from '../validation/seldom/seldom-kinds.ts';
import { cronJob, job } from './batch.ts';
import {
  admissionPolicy,
  binding,
  endpoints,
  limitRange,
  networkPolicy,
  policyBinding,
  priorityClass,
  resourceQuota,
  role,
  secret,
  webhooks,
} from './configuration.ts';
import { customResourceDefinition } from './definition.ts';
import { deprecationOf } from './deprecations.ts';
import { nodeClaim, nodePool } from './karpenter.ts';
import { node } from './node.ts';
import {
  controllerRevision,
  horizontalPodAutoscaler,
  podTemplate,
  replicationController,
  statefulSet,
} from './other-workloads.ts';
import { pod } from './pod.ts';
import { service } from './service.ts';
import { csiDriver, persistentVolume, persistentVolumeClaim, storageClass, volumeAttachment } from './storage.ts';
import { at, defaultsOf, type Strategy, withDefaults, withMember, withoutEmpty } from './strategy.ts';
import { ingressWarnings } from './warnings.ts';
import { daemonSet, deployment, replicaSet } from './workload.ts';

const plain: Strategy = {};

const namespace: Strategy = {
  firstStatus: () => ({ phase: 'Active' }),
  complete: withNameLabel,
  admit: withFinalizer,
  validate: namespaceCauses,
};

const ingress: Strategy = {
  firstStatus: () => ({ loadBalancer: {} }),
  admit: withDefaultIngressClass,
  validate: ingressCauses,
  warnings: ingressWarnings,
};

const disruptionBudget: Strategy = {
  firstStatus: () => ({ currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 }),
  complete: (object) => withMember(withDefaults(object, { spec: {} }), 'status', withoutEmpty(['disruptedPods'])),
  validate: (object) => budgetCauses(object.spec ?? {}),
};

/** core/v1 Event: these three are always written, though nobody sent them. */
const event: Strategy = {
  admit: (object) => withDefaults(object, { eventTime: null, reportingComponent: '', reportingInstance: '' }),
  validate: (object, before, at) => [
    ...eventCauses(object),
    ...(before !== undefined && at.ownedAs !== undefined ? changedEventCauses(object, before) : []),
  ],
};

/** discovery.k8s.io/v1: an empty list of endpoints is stored as none, and read back as null (kubernetes#135968). */
const endpointSlice: Strategy = {
  complete: (sent) => {
    const object = at(sent, 'ports.*', defaultsOf({ protocol: 'TCP', name: '' }));
    const { endpoints } = object as { readonly endpoints?: unknown };
    return Array.isArray(endpoints) && endpoints.length > 0 ? object : { ...object, endpoints: null };
  },
  countsLabels: true,
  warnings: (object, before) =>
    before === undefined && Reflect.get(object, 'addressType') === 'FQDN'
      ? ['spec.addressType: FQDN endpoints are deprecated']
      : [],
  validate: endpointSliceCauses,
};

const strategies: Readonly<Record<string, Strategy | undefined>> = {
  DaemonSet: daemonSet,
  Deployment: deployment,
  EC2NodeClass: { firstStatus: () => ({}) },
  'ClusterRole.rbac.authorization.k8s.io': role,
  'ClusterRoleBinding.rbac.authorization.k8s.io': binding,
  'ConfigMap.': { validate: configMapCauses },
  ControllerRevision: controllerRevision,
  CronJob: cronJob,
  'CertificateSigningRequest.certificates.k8s.io': { validate: signingRequestCauses },
  'CSIDriver.storage.k8s.io': csiDriver,
  'CSINode.storage.k8s.io': { validate: csiNodeCauses },
  'CSIStorageCapacity.storage.k8s.io': { validate: storageCapacityCauses },
  'CustomResourceDefinition.apiextensions.k8s.io': customResourceDefinition,
  'Endpoints.': endpoints,
  EndpointSlice: endpointSlice,
  Event: event,
  'FlowSchema.flowcontrol.apiserver.k8s.io': { validate: flowSchemaCauses },
  HorizontalPodAutoscaler: horizontalPodAutoscaler,
  Ingress: ingress,
  'IngressClass.networking.k8s.io': {
    complete: (object) => at(object, 'spec.parameters', defaultsOf({ scope: 'Cluster' })),
    validate: ingressClassCauses,
  },
  Job: job,
  Lease: {
    complete: (object) => withDefaults(object, { spec: {} }),
    admit: withoutCoordination,
    validate: leaseCauses,
  },
  'LimitRange.': limitRange,
  'MutatingWebhookConfiguration.admissionregistration.k8s.io': webhooks,
  Namespace: namespace,
  'NetworkPolicy.networking.k8s.io': networkPolicy,
  Node: node,
  NodeClaim: nodeClaim,
  NodePool: nodePool,
  PersistentVolume: persistentVolume,
  PersistentVolumeClaim: persistentVolumeClaim,
  Pod: pod,
  PodDisruptionBudget: disruptionBudget,
  'PodTemplate.': podTemplate,
  'PriorityClass.scheduling.k8s.io': priorityClass,
  'PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io': { validate: priorityLevelCauses },
  ReplicaSet: replicaSet,
  'ReplicationController.': replicationController,
  ResourceQuota: resourceQuota,
  'Role.rbac.authorization.k8s.io': role,
  'RoleBinding.rbac.authorization.k8s.io': binding,
  'RuntimeClass.node.k8s.io': { validate: runtimeClassCauses, warnings: runtimeWarnings },
  'Secret.': secret,
  Service: service,
  StatefulSet: statefulSet,
  StorageClass: storageClass,
  VolumeAttachment: volumeAttachment,
  'ValidatingAdmissionPolicy.admissionregistration.k8s.io': admissionPolicy,
  'ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io': policyBinding,
  'ValidatingWebhookConfiguration.admissionregistration.k8s.io': webhooks,
};

/** The strategy of a kind: of most it has nothing to do. */
export function strategyOf({ collection }: Pick<Served, 'collection'>): Strategy {
  return strategies[collection] ?? plain;
}

/**
 * core/v1: the finalizer `kubernetes` keeps a deleted namespace until its controller has emptied it. Only the
 * subresource `finalize` changes them (kubernetes, pkg/registry/core/namespace/strategy.go).
 */
function withFinalizer(object: StoredObject, before: StoredObject | undefined, _: Api, at: ApiRequest): StoredObject {
  // The embedded namespace controller, which works in process, needs no subresource.
  const isFinal = at.subresource === 'finalize' || at.typed === undefined;
  if (before !== undefined) return isFinal ? object : { ...object, spec: before.spec ?? {} };
  const { finalizers = [] } = object.spec ?? {};
  const sent = Array.isArray(finalizers) ? finalizers : [];
  if (sent.includes('kubernetes')) return object;
  return { ...object, spec: { ...object.spec, finalizers: [...sent, 'kubernetes'] } };
}

/** kubernetes, pkg/registry/node/runtimeclass/strategy.go. */
function runtimeWarnings(object: StoredObject, before: StoredObject | undefined): readonly string[] {
  const { nodeSelector }: { readonly nodeSelector?: unknown } = Reflect.get(object, 'scheduling') ?? {};
  if (before !== undefined || !isJson(nodeSelector)) return [];
  return Object.keys(nodeSelector).flatMap((key) => {
    const why = deprecationOf(key);
    return why === undefined ? [] : [`scheduling.nodeSelector: ${why}`];
  });
}

/**
 * coordination.k8s.io/v1: two fields are behind a feature gate that is off (CoordinatedLeaderElection), and dropped.
 */
function withoutCoordination(object: StoredObject): StoredObject {
  const { preferredHolder, strategy, ...spec } = object.spec ?? {};
  return preferredHolder === undefined && strategy === undefined ? object : { ...object, spec };
}

/** core/v1: every namespace has its own name as a label. */
function withNameLabel(object: StoredObject): StoredObject {
  const { labels, name } = object.metadata;
  const key = 'kubernetes.io/metadata.name';
  if (labels?.[key] === name) return object;
  return { ...object, metadata: { ...object.metadata, labels: { ...labels, [key]: name } } };
}
