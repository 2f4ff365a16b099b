import type { NodeClaim, NodePool } from '../../src/cluster/autoscaler.ts';
import type { Node, Pod } from '../../src/cluster/resources.ts';
import { manifests } from '../../src/validation/manifests/manifests.ts';
import type { Before } from '../../src/validation/observe/snapshot.ts';
import { validationSchema } from '../../src/validation/settings.ts';

/** A ready pod of the application on a node. */
export function podOn(
  node: string,
  over: {
    name?: string;
    labels?: Record<string, string>;
    owner?: string | null;
    metadata?: object;
    status?: object;
  } = {},
): Pod {
  const name = over.name ?? `nginx-test-${node}`;
  const owner = over.owner === undefined ? 'ReplicaSet' : over.owner;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-${name}`,
      labels: over.labels ?? { app: 'nginx-test' },
      ...(owner === null
        ? {}
        : { ownerReferences: [{ apiVersion: 'apps/v1', kind: owner, name: 'owner', uid: 'owner', controller: true }] }),
      ...over.metadata,
    },
    spec: { nodeName: node, containers: [{ name: 'nginx', image: 'nginx' }] },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }], ...over.status },
  };
}

export function poolNode(name: string, pool = 'general-purpose-arm'): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, uid: `uid-${name}`, labels: { 'karpenter.sh/nodepool': pool } },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

/** Two ready pods of the application on two of the pool's nodes, and nothing else. */
export function before(over: Partial<Before> = {}): Before {
  return {
    workload: undefined,
    pods: [podOn('b'), podOn('a')],
    nodes: [poolNode('b'), poolNode('a'), poolNode('c')],
    claims: [],
    slices: [],
    budgets: [],
    ingressPods: [],
    pool: undefined,
    poolPods: [],
    components: [],
    ...over,
  };
}

/** The NodeClaim of a node. Its conditions are True. */
export function claimOf(
  node: string,
  over: { readonly conditions?: readonly string[]; readonly metadata?: object } = {},
): NodeClaim {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { name: `claim-${node}`, uid: `uid-claim-${node}`, ...over.metadata },
    spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements: [] },
    status: {
      nodeName: node,
      conditions: (over.conditions ?? ['Initialized']).map((type) => ({ type, status: 'True', reason: type })),
    },
  };
}

/** The NodePool of the specification. */
export const nodePool = (): NodePool =>
  manifests(validationSchema.parse({})).find(({ kind }) => kind === 'NodePool') as NodePool;
