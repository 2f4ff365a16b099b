import { type Kind, kindPlaces, type ObjectPlace, type Resource } from './kinds.ts';

/** An object that phase 3 applies, and where the API server has it. */
export interface Manifest {
  /** As it is written: its `metadata.namespace` is there where its kind is namespaced. */
  readonly resource: Resource;
  readonly place: ObjectPlace;
}

/** Of an object whose kind the product knows. */
export function manifestOf(resource: Resource): Manifest {
  const kind = resource.kind as Kind;
  return { resource, place: { kind, ...kindPlaces[kind] } };
}

/**
 * The order in which Helm installs (helm: pkg/release/util/kind_sorter.go), with the node pools of section 4.1 before
 * the application. The budgets come last, so that the cleanup, which goes backwards, takes them away before the pods
 * that they demand.
 */
const order = [
  'Namespace',
  'PriorityClass',
  'NetworkPolicy',
  'ResourceQuota',
  'LimitRange',
  'ServiceAccount',
  'Secret',
  'ConfigMap',
  'StorageClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'CustomResourceDefinition',
  'ClusterRole',
  'ClusterRoleBinding',
  'Role',
  'RoleBinding',
  'EC2NodeClass',
  'NodePool',
  'Service',
  'DaemonSet',
  'Pod',
  'ReplicationController',
  'ReplicaSet',
  'Deployment',
  'HorizontalPodAutoscaler',
  'StatefulSet',
  'Job',
  'CronJob',
  'IngressClass',
  'Ingress',
  'APIService',
  'PodDisruptionBudget',
];

/** So that what an object needs is there before it; kinds that Helm does not know come last. */
export function inOrder(manifests: readonly Manifest[]): readonly Manifest[] {
  return manifests.toSorted((one, other) => rankOf(one) - rankOf(other));
}

function rankOf({ resource: { kind } }: Manifest): number {
  const rank = order.indexOf(kind);
  return rank === -1 ? order.length : rank;
}

/** The parts of a CustomResourceDefinition (apiextensions.k8s.io/v1) that say which objects it defines. */
interface Definition {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
  };
}

export const isDefinition = ({ kind }: Resource): boolean => String(kind) === 'CustomResourceDefinition';

/** Whether an object can only be asked for once the other one is made: its namespace, or the definition of its kind. */
export function isNeededBy(needed: Resource, { resource, place }: Manifest): boolean {
  const { kind, metadata } = needed as { readonly kind: string; readonly metadata: Resource['metadata'] };
  if (kind === 'Namespace') return metadata.name === resource.metadata.namespace;
  if (!isDefinition(needed)) return false;
  const { group, names } = (needed as unknown as Definition).spec;
  return names.kind === place.kind && place.apiVersion.startsWith(`${group}/`);
}
