import type { Node, Pod } from '../../src/cluster/resources.ts';

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
