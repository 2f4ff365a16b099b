import type { Kind, KindPlace } from '@holdfast/embedded-cluster';

export type { Kind, KindPlace, Kinds, Resource } from '@holdfast/embedded-cluster';

/** Where the objects of a kind are that the product need not know. */
export interface ObjectPlace extends KindPlace {
  readonly kind: string;
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
