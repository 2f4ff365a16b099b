import type { Kind } from '../../cluster/kinds.ts';

/** How the server serves a kind: its place, its names, and what its strategy in Kubernetes does to it. */
export interface Served {
  readonly kind: Kind;
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly namespaced: boolean;
  readonly subresources: readonly Subresource[];
  /** A custom resource: no strategic merge patch, lists are atomic. */
  readonly custom: boolean;
  /** Has `metadata.generation`. */
  readonly generation: boolean;
}
export type Subresource = 'status' | 'scale' | 'eviction';

const place = (
  kind: Kind,
  apiVersion: string,
  plural: string,
  shortNames: readonly string[],
  how: Partial<Pick<Served, 'namespaced' | 'subresources' | 'custom' | 'generation'>> = {},
): Served => {
  const [group, version] = apiVersion.includes('/') ? (apiVersion.split('/') as [string, string]) : ['', apiVersion];
  const names = { kind, group, version, apiVersion, plural, singular: kind.toLowerCase(), shortNames };
  return { ...names, namespaced: true, subresources: [], custom: false, generation: false, ...how };
};

export const served: { readonly [K in Kind]: Served } = {
  DaemonSet: place('DaemonSet', 'apps/v1', 'daemonsets', ['ds'], { subresources: ['status'], generation: true }),
  Deployment: place('Deployment', 'apps/v1', 'deployments', ['deploy'], {
    subresources: ['status', 'scale'],
    generation: true,
  }),
  EC2NodeClass: place('EC2NodeClass', 'karpenter.k8s.aws/v1', 'ec2nodeclasses', ['ec2nc', 'ec2ncs'], {
    namespaced: false,
    subresources: ['status'],
    custom: true,
    generation: true,
  }),
  EndpointSlice: place('EndpointSlice', 'discovery.k8s.io/v1', 'endpointslices', [], { generation: true }),
  Event: place('Event', 'v1', 'events', ['ev']),
  HorizontalPodAutoscaler: place('HorizontalPodAutoscaler', 'autoscaling/v2', 'horizontalpodautoscalers', ['hpa'], {
    subresources: ['status'],
  }),
  Ingress: place('Ingress', 'networking.k8s.io/v1', 'ingresses', ['ing'], {
    subresources: ['status'],
    generation: true,
  }),
  Lease: place('Lease', 'coordination.k8s.io/v1', 'leases', []),
  Namespace: place('Namespace', 'v1', 'namespaces', ['ns'], { namespaced: false, subresources: ['status'] }),
  Node: place('Node', 'v1', 'nodes', ['no'], { namespaced: false, subresources: ['status'] }),
  NodeClaim: place('NodeClaim', 'karpenter.sh/v1', 'nodeclaims', [], {
    namespaced: false,
    subresources: ['status'],
    custom: true,
    generation: true,
  }),
  NodePool: place('NodePool', 'karpenter.sh/v1', 'nodepools', [], {
    namespaced: false,
    subresources: ['status'],
    custom: true,
    generation: true,
  }),
  Pod: place('Pod', 'v1', 'pods', ['po'], { subresources: ['status', 'eviction'], generation: true }),
  PodDisruptionBudget: place('PodDisruptionBudget', 'policy/v1', 'poddisruptionbudgets', ['pdb'], {
    subresources: ['status'],
    generation: true,
  }),
  PodMetrics: place('PodMetrics', 'metrics.k8s.io/v1beta1', 'pods', []),
  ReplicaSet: place('ReplicaSet', 'apps/v1', 'replicasets', ['rs'], {
    subresources: ['status', 'scale'],
    generation: true,
  }),
  SelfSubjectAccessReview: place('SelfSubjectAccessReview', 'authorization.k8s.io/v1', 'selfsubjectaccessreviews', [], {
    namespaced: false,
  }),
  Service: place('Service', 'v1', 'services', ['svc'], { subresources: ['status'] }),
};

const byPlace = new Map(Object.values(served).map((kind) => [`${kind.apiVersion}/${kind.plural}`, kind]));

/** `apps/v1` and `deployments`; undefined when no such thing is served. */
export function servedAt(apiVersion: string, plural: string): Served | undefined {
  return byPlace.get(`${apiVersion}/${plural}`);
}

/** `deployments.apps`, `pods`: as the server names a resource in its messages. */
export function resourceName({ plural, group }: Pick<Served, 'plural' | 'group'>): string {
  return group === '' ? plural : `${plural}.${group}`;
}
