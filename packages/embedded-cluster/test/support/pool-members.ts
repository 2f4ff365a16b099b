import type { NodeClaim, NodePool } from '../../src/kubernetes/autoscaler.ts';
import type { Resource } from '../../src/kubernetes/kinds.ts';
import type { Taint } from '../../src/kubernetes/resources.ts';
import * as objects from './objects.ts';

export const now = Date.parse('2026-01-01T01:00:00Z');
const name = objects.nodePool.metadata.name;
/** The pool with one budget. */
export const withBudget = (nodes: string): NodePool => ({
  ...objects.nodePool,
  spec: { ...objects.nodePool.spec, disruption: { budgets: [{ nodes }], consolidateAfter: '0s' } },
});

interface Over {
  readonly conditions?: readonly string[];
  readonly driftedAt?: string;
  readonly isReady?: boolean;
  readonly taints?: readonly Taint[];
  readonly isDeleted?: boolean;
}

/** A claim of the pool with its node. */
export function member(id: string, over: Over = {}): readonly Resource[] {
  const { conditions = ['Initialized', 'Consolidatable'], isReady = true, taints = [], isDeleted = false } = over;
  const { requirements, nodeClassRef } = objects.nodePool.spec.template.spec;
  const drifted =
    over.driftedAt === undefined ? [] : [{ type: 'Drifted', status: 'True', lastTransitionTime: over.driftedAt }];
  const claim = {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: {
      name: id,
      uid: id,
      labels: { 'karpenter.sh/nodepool': name },
      ...(isDeleted && { deletionTimestamp: '2026-01-01T00:59:00Z' }),
    },
    spec: { requirements, nodeClassRef },
    status: {
      nodeName: `node-${id}`,
      capacity: { cpu: '2', memory: '16Gi' },
      conditions: [...conditions.map((type) => ({ type, status: 'True' })), ...drifted],
    },
  } as NodeClaim;
  return [claim, objects.node(`node-${id}`, { ready: isReady, spec: { taints } })];
}

/** That many claims with their nodes. */
export const others = (count: number) => Array.from({ length: count }, (_, index) => member(`c${index}`)).flat();
