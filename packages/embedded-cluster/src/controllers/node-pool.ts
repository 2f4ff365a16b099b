import { claimsOf, nodeOf } from '../autoscaler/cluster-state.ts';
import { poolHash } from '../autoscaler/pool-hash.ts';
import { currentHashVersion, wellKnown } from '../autoscaler/well-known.ts';
import type { NodeClaim, NodePool } from '../kubernetes/autoscaler.ts';
import type { Quantities } from '../kubernetes/metadata.ts';
import type { Node } from '../kubernetes/resources.ts';
import { keyOf } from '../objects/cache.ts';
import { conditionOf, isTrue, type Stated, withConditions } from '../objects/conditions.ts';
import { quantity } from '../objects/quantities.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import type { Site } from '../setup/site.ts';

/** NodePool → its hash annotation, its conditions and the resources of its nodes. */
export const nodePool = reconciler({
  name: 'node-pool',
  watches: {
    NodePool: (pool) => [keyOf(pool)],
    NodeClaim: poolName,
    Node: poolName,
    EC2NodeClass: (_nodeClass, cache) => [...cache.list('NodePool')].map(keyOf),
  },
  reaction: 'autoscalerReaction',
  reconcile: async (site, name) => {
    const pool = site.cache.get('NodePool', name);
    if (pool === undefined) return undefined;
    const annotations = { [wellKnown.hash]: poolHash(pool), [wellKnown.hashVersion]: currentHashVersion };
    await site.cluster.patch('NodePool', { name }, { type: 'merge', value: { metadata: { annotations } } });
    const value = { status: statusOf(site, pool) };
    await site.cluster.patch('NodePool', { name }, { type: 'merge', value }, { subresource: 'status' });
    return undefined;
  },
});

function poolName({ metadata }: NodeClaim | Node): readonly string[] {
  const name = metadata.labels?.[wellKnown.nodePool];
  return name === undefined ? [] : [name];
}

function statusOf(site: Site, pool: NodePool): NonNullable<NodePool['status']> {
  const nodes = claimsOf(pool, site.cache).flatMap((claim) => nodeOf(claim, site.cache) ?? []);
  const total = (name: string) => nodes.reduce((sum, { status }) => sum + quantity(status?.capacity?.[name]), 0);
  const resources: Quantities = {
    cpu: String(total('cpu')),
    'ephemeral-storage': bytes(total('ephemeral-storage')),
    memory: bytes(total('memory')),
    nodes: String(nodes.length),
    pods: String(total('pods')),
  };
  const nodeClass = site.cache.get('EC2NodeClass', pool.spec.template.spec.nodeClassRef.name);
  return {
    conditions: withConditions(
      pool.status?.conditions,
      conditionsOf(pool, nodeClass !== undefined && isTrue(nodeClass, 'Ready')),
      site.now(),
    ),
    ...(nodeClass === undefined ? {} : { nodeClassObservedGeneration: nodeClass.metadata.generation ?? 1 }),
    resources,
    nodes: nodes.length,
  };
}

const bytes = (amount: number): string => (amount === 0 ? '0' : `${Math.round(amount / 1024)}Ki`);

/**
 * NodeRegistrationHealthy is reset by each generation of the pool, and is no part of Ready
 * (nodepool/registrationhealth).
 */
function conditionsOf(pool: NodePool, nodeClassReady: boolean): readonly Stated[] {
  const observedGeneration = pool.metadata.generation ?? 1;
  const healthy = conditionOf(pool, 'NodeRegistrationHealthy');
  const isCurrent = healthy?.observedGeneration === observedGeneration;
  return [
    { type: 'ValidationSucceeded', status: 'True', reason: 'ValidationSucceeded', message: '', observedGeneration },
    nodeClassReady
      ? { type: 'NodeClassReady', status: 'True', reason: 'NodeClassReady', message: '', observedGeneration }
      : {
          type: 'NodeClassReady',
          status: 'False',
          reason: 'NodeClassNotReady',
          message: 'NodeClass is not ready',
          observedGeneration,
        },
    ...(isCurrent ? [] : [awaiting(observedGeneration)]),
    nodeClassReady
      ? { type: 'Ready', status: 'True', reason: 'Ready', message: '', observedGeneration }
      : {
          type: 'Ready',
          status: 'False',
          reason: 'UnhealthyDependents',
          message: 'NodeClassReady=False',
          observedGeneration,
        },
  ];
}

function awaiting(observedGeneration: number): Stated {
  const message = 'object is awaiting reconciliation';
  return {
    type: 'NodeRegistrationHealthy',
    status: 'Unknown',
    reason: 'AwaitingReconciliation',
    message,
    observedGeneration,
  };
}
