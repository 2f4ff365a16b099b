import type { Kind } from '../../cluster/kinds.ts';

/** How the server serves a kind: its path, its names, and its properties. */
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
  /** Whether it is a custom resource: no strategic merge patch, atomic lists. */
  readonly custom: boolean;
  /** Whether objects have `metadata.generation`. */
  readonly generation: boolean;
}
export type Subresource = 'status' | 'scale' | 'eviction';

const kindServed = (
  kind: Kind,
  apiVersion: string,
  plural: string,
  shortNames: readonly string[],
  properties: Partial<Pick<Served, 'namespaced' | 'subresources' | 'custom' | 'generation'>> = {},
): Served => {
  const [group, version] = apiVersion.includes('/') ? (apiVersion.split('/') as [string, string]) : ['', apiVersion];
  return {
    kind,
    group,
    version,
    apiVersion,
    plural,
    singular: kind.toLowerCase(),
    shortNames,
    namespaced: true,
    subresources: [],
    custom: false,
    generation: false,
    ...properties,
  };
};

/** Every kind that is served. */
export const served: { readonly [K in Kind]: Served } = {
  DaemonSet: kindServed('DaemonSet', 'apps/v1', 'daemonsets', ['ds'], { subresources: ['status'], generation: true }),
  Deployment: kindServed('Deployment', 'apps/v1', 'deployments', ['deploy'], {
    subresources: ['status', 'scale'],
    generation: true,
  }),
  EC2NodeClass: kindServed('EC2NodeClass', 'karpenter.k8s.aws/v1', 'ec2nodeclasses', ['ec2nc', 'ec2ncs'], {
    namespaced: false,
    subresources: ['status'],
    custom: true,
    generation: true,
  }),
  EndpointSlice: kindServed('EndpointSlice', 'discovery.k8s.io/v1', 'endpointslices', [], { generation: true }),
  Event: kindServed('Event', 'v1', 'events', ['ev']),
  HorizontalPodAutoscaler: kindServed(
    'HorizontalPodAutoscaler',
    'autoscaling/v2',
    'horizontalpodautoscalers',
    ['hpa'],
    {
      subresources: ['status'],
    },
  ),
  Ingress: kindServed('Ingress', 'networking.k8s.io/v1', 'ingresses', ['ing'], {
    subresources: ['status'],
    generation: true,
  }),
  Lease: kindServed('Lease', 'coordination.k8s.io/v1', 'leases', []),
  Namespace: kindServed('Namespace', 'v1', 'namespaces', ['ns'], { namespaced: false, subresources: ['status'] }),
  Node: kindServed('Node', 'v1', 'nodes', ['no'], { namespaced: false, subresources: ['status'] }),
  NodeClaim: kindServed('NodeClaim', 'karpenter.sh/v1', 'nodeclaims', [], {
    namespaced: false,
    subresources: ['status'],
    custom: true,
    generation: true,
  }),
  NodePool: kindServed('NodePool', 'karpenter.sh/v1', 'nodepools', [], {
    namespaced: false,
    subresources: ['status'],
    custom: true,
    generation: true,
  }),
  Pod: kindServed('Pod', 'v1', 'pods', ['po'], { subresources: ['status', 'eviction'], generation: true }),
  PodDisruptionBudget: kindServed('PodDisruptionBudget', 'policy/v1', 'poddisruptionbudgets', ['pdb'], {
    subresources: ['status'],
    generation: true,
  }),
  PodMetrics: kindServed('PodMetrics', 'metrics.k8s.io/v1beta1', 'pods', []),
  ReplicaSet: kindServed('ReplicaSet', 'apps/v1', 'replicasets', ['rs'], {
    subresources: ['status', 'scale'],
    generation: true,
  }),
  SelfSubjectAccessReview: kindServed(
    'SelfSubjectAccessReview',
    'authorization.k8s.io/v1',
    'selfsubjectaccessreviews',
    [],
    {
      namespaced: false,
    },
  ),
  Service: kindServed('Service', 'v1', 'services', ['svc'], { subresources: ['status'] }),
};

const byPath = new Map(Object.values(served).map((kind) => [`${kind.apiVersion}/${kind.plural}`, kind]));

/** The kind served under an apiVersion and a plural name, such as `apps/v1` and `deployments`. */
export function servedAt(apiVersion: string, plural: string): Served | undefined {
  return byPath.get(`${apiVersion}/${plural}`);
}

/** The name of a resource in the server's messages: `deployments.apps`, `pods`. */
export function resourceName({ plural, group }: Pick<Served, 'plural' | 'group'>): string {
  return group === '' ? plural : `${plural}.${group}`;
}
