import type { NodeClaim, NodeClass, NodePool } from './autoscaler.ts';
import type { CronJob, Job } from './batch.ts';
import type { ResourceQuota } from './resource-quota.ts';
import type {
  DaemonSet,
  Deployment,
  EndpointSlice,
  Event,
  HorizontalPodAutoscaler,
  Ingress,
  Lease,
  Namespace,
  Node,
  Pod,
  PodDisruptionBudget,
  PodMetrics,
  ReplicaSet,
  SelfSubjectAccessReview,
  Service,
} from './resources.ts';
import type { ControllerRevision, StatefulSet } from './stateful-set.ts';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass, VolumeAttachment } from './volumes.ts';

/**
 * The kinds that controllers use, with the fields that they use, as the API documents them. They are our own types
 * because the official library's types have `Date` for timestamps, and JSON has only text.
 */
export interface Kinds {
  readonly ControllerRevision: ControllerRevision;
  readonly CronJob: CronJob;
  readonly DaemonSet: DaemonSet;
  readonly Deployment: Deployment;
  readonly EC2NodeClass: NodeClass;
  readonly EndpointSlice: EndpointSlice;
  readonly Event: Event;
  readonly HorizontalPodAutoscaler: HorizontalPodAutoscaler;
  readonly Ingress: Ingress;
  readonly Job: Job;
  readonly Lease: Lease;
  readonly Namespace: Namespace;
  readonly Node: Node;
  readonly NodeClaim: NodeClaim;
  readonly NodePool: NodePool;
  readonly PersistentVolume: PersistentVolume;
  readonly PersistentVolumeClaim: PersistentVolumeClaim;
  readonly Pod: Pod;
  readonly PodDisruptionBudget: PodDisruptionBudget;
  readonly PodMetrics: PodMetrics;
  readonly ReplicaSet: ReplicaSet;
  readonly ResourceQuota: ResourceQuota;
  readonly SelfSubjectAccessReview: SelfSubjectAccessReview;
  readonly Service: Service;
  readonly StatefulSet: StatefulSet;
  readonly StorageClass: StorageClass;
  readonly VolumeAttachment: VolumeAttachment;
}
export type Kind = keyof Kinds;
export type Resource = Kinds[Kind];

/** Where the API keeps a kind: `/api/v1/…` for the core group, `/apis/<group>/<version>/…` for the others. */
export interface KindPlace {
  readonly apiVersion: string;
  readonly plural: string;
  readonly namespaced: boolean;
}
export const kindPlaces: { readonly [K in Kind]: KindPlace } = {
  ControllerRevision: { apiVersion: 'apps/v1', plural: 'controllerrevisions', namespaced: true },
  CronJob: { apiVersion: 'batch/v1', plural: 'cronjobs', namespaced: true },
  DaemonSet: { apiVersion: 'apps/v1', plural: 'daemonsets', namespaced: true },
  Deployment: { apiVersion: 'apps/v1', plural: 'deployments', namespaced: true },
  EC2NodeClass: { apiVersion: 'karpenter.k8s.aws/v1', plural: 'ec2nodeclasses', namespaced: false },
  EndpointSlice: { apiVersion: 'discovery.k8s.io/v1', plural: 'endpointslices', namespaced: true },
  Event: { apiVersion: 'v1', plural: 'events', namespaced: true },
  HorizontalPodAutoscaler: { apiVersion: 'autoscaling/v2', plural: 'horizontalpodautoscalers', namespaced: true },
  Ingress: { apiVersion: 'networking.k8s.io/v1', plural: 'ingresses', namespaced: true },
  Job: { apiVersion: 'batch/v1', plural: 'jobs', namespaced: true },
  Lease: { apiVersion: 'coordination.k8s.io/v1', plural: 'leases', namespaced: true },
  Namespace: { apiVersion: 'v1', plural: 'namespaces', namespaced: false },
  Node: { apiVersion: 'v1', plural: 'nodes', namespaced: false },
  NodeClaim: { apiVersion: 'karpenter.sh/v1', plural: 'nodeclaims', namespaced: false },
  NodePool: { apiVersion: 'karpenter.sh/v1', plural: 'nodepools', namespaced: false },
  PersistentVolume: { apiVersion: 'v1', plural: 'persistentvolumes', namespaced: false },
  PersistentVolumeClaim: { apiVersion: 'v1', plural: 'persistentvolumeclaims', namespaced: true },
  Pod: { apiVersion: 'v1', plural: 'pods', namespaced: true },
  PodDisruptionBudget: { apiVersion: 'policy/v1', plural: 'poddisruptionbudgets', namespaced: true },
  PodMetrics: { apiVersion: 'metrics.k8s.io/v1beta1', plural: 'pods', namespaced: true },
  ReplicaSet: { apiVersion: 'apps/v1', plural: 'replicasets', namespaced: true },
  ResourceQuota: { apiVersion: 'v1', plural: 'resourcequotas', namespaced: true },
  SelfSubjectAccessReview: {
    apiVersion: 'authorization.k8s.io/v1',
    plural: 'selfsubjectaccessreviews',
    namespaced: false,
  },
  Service: { apiVersion: 'v1', plural: 'services', namespaced: true },
  StatefulSet: { apiVersion: 'apps/v1', plural: 'statefulsets', namespaced: true },
  StorageClass: { apiVersion: 'storage.k8s.io/v1', plural: 'storageclasses', namespaced: false },
  VolumeAttachment: { apiVersion: 'storage.k8s.io/v1', plural: 'volumeattachments', namespaced: false },
};
