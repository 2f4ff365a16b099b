import type { NodePool } from '../../cluster/autoscaler.ts';
import { isTrue } from '../../cluster/pods.ts';
import { quantityOf } from '../../cluster/quantity.ts';
import { fulfils, requirementText } from '../../cluster/requirements.ts';
import type { PodSpec, Requirement } from '../../cluster/specs.ts';
import { keepsAway, taintText } from '../../cluster/taints.ts';
import type { Cause } from '../finding.ts';
import { inTemplate, type Obstacle, type Stuck } from './obstacle.ts';
import { zoneObstacle } from './zone-obstacles.ts';

/**
 * Why none of the pools launches a node for pods that wait for one, by the rules of Karpenter's scheduler
 * (provisioning/scheduling); empty if one of them could. The scheduler of Kubernetes names only the nodes that exist.
 */
export function poolObstacles(stuck: Stuck): readonly Obstacle[] {
  const found = stuck.pools.map(
    (pool) => tainted(stuck, pool) ?? asksForOthers(stuck, pool) ?? limited(stuck, pool) ?? zoneObstacle(stuck, pool),
  );
  const obstacles = found.filter((one) => one !== undefined);
  return obstacles.length === found.length ? obstacles : [];
}

/**
 * Why a node that drifted is not replaced: its replacement has no room within the limits of their pool. Empty while a
 * node of the pool starts or ends, which changes what they take.
 */
export function replacementObstacles(stuck: Stuck): readonly Obstacle[] {
  return stuck.pools.flatMap((pool) => {
    const ours = stuck.claims.filter(
      ({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'] === pool.metadata.name,
    );
    const isMoving = ours.some((one) => one.metadata.deletionTimestamp !== undefined || !isTrue(one, 'Initialized'));
    const isDrifted = ours.some((one) => isTrue(one, 'Drifted'));
    return isMoving || !isDrifted ? [] : (limited(stuck, pool) ?? []);
  });
}

const ofPool = ({ metadata: { name } }: NodePool, field: string): Cause => ({ kind: 'NodePool', name, field });

function tainted({ workload }: Stuck, pool: NodePool): Obstacle | undefined {
  const taints = keepsAway(pool.spec.template.spec.taints, workload.spec.template.spec);
  const [first] = taints;
  if (first === undefined) return undefined;
  const { key, value, effect } = first;
  const toleration =
    value === undefined ? `key: ${key}, operator: Exists` : `key: ${key}, operator: Equal, value: ${value}`;
  return {
    because: ofPool(pool, 'spec.template.spec.taints'),
    observed: `NodePool ${pool.metadata.name} has the taint ${taints.map(taintText).join(', ')}, and the pods do not tolerate it`,
    advice: `add the toleration { ${toleration}, effect: ${effect} } to the pods, or a NodePool without the taint`,
  };
}

/** What the pods ask of their node, and in which field; of the terms of an affinity one is enough. */
interface Asked {
  readonly field: string;
  readonly terms: readonly (readonly Requirement[])[];
}

function askedOf({ nodeSelector = {}, affinity }: PodSpec): readonly Asked[] {
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return [
    ...Object.entries(nodeSelector).map(([key, value]) => ({
      field: 'nodeSelector',
      terms: [[{ key, operator: 'In' as const, values: [value] }]],
    })),
    ...(terms.length === 0
      ? []
      : [{ field: 'affinity', terms: terms.map(({ matchExpressions = [] }) => matchExpressions) }]),
  ];
}

function asksForOthers({ workload }: Stuck, pool: NodePool): Obstacle | undefined {
  const { name } = pool.metadata;
  const unmet = ({ terms }: Asked) => terms.every((term) => term.some((one) => !offers(pool, one)));
  const missed = askedOf(workload.spec.template.spec).find(unmet);
  const wanted = missed?.terms.flat().find((one) => !offers(pool, one));
  if (missed === undefined || wanted === undefined) return undefined;
  const own = pool.spec.template.spec.requirements.filter(({ key }) => key === wanted.key);
  const has = own.length === 0 ? 'gives its nodes no such label' : `has ${own.map(requirementText).join(', ')}`;
  return {
    because: inTemplate(workload, missed.field),
    observed: `the pods ask for a node with ${requirementText(wanted)}, and NodePool ${name} ${has}`,
    advice:
      own.length === 0
        ? `add the label ${wanted.key} under spec.template.metadata.labels of the NodePool, or ask for one that its nodes have`
        : 'ask for what the NodePool has, or add a NodePool that has what is asked for',
  };
}

/** Labels that every node of AWS has, whatever the pool says. */
const wellKnown = /(^|\.)(kubernetes\.io|k8s\.aws|karpenter\.sh|amazonaws\.com)\//;

/** Whether a node of the pool can have such a label. */
function offers({ metadata, spec }: NodePool, wanted: Requirement): boolean {
  const { key } = wanted;
  const labels = { 'karpenter.sh/nodepool': metadata.name, ...spec.template.metadata?.labels };
  if (Object.hasOwn(labels, key)) return fulfils(labels, wanted);
  const own = spec.template.spec.requirements.filter((one) => one.key === key);
  if (own.length === 0) return wellKnown.test(key) || ['NotIn', 'DoesNotExist'].includes(wanted.operator);
  const values = wanted.operator === 'In' ? wanted.values : own.find(({ operator }) => operator === 'In')?.values;
  if (values === undefined) return true;
  return values.some((value) => [wanted, ...own].every((one) => fulfils({ [key]: value }, one)));
}

/** Karpenter counts the capacity of the nodes, not what pods ask for (nodepool.go, Limits.ExceededBy). */
function limited({ claims, workload }: Stuck, pool: NodePool): Obstacle | undefined {
  const { name } = pool.metadata;
  const capacities = claims
    .filter(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'] === name)
    .map(({ status }): Readonly<Record<string, string>> => ({ ...status?.capacity, nodes: '1' }));
  for (const [resource, limit] of Object.entries(pool.spec.limits ?? {})) {
    const sizes = capacities.flatMap((capacity) => capacity[resource] ?? []).map(quantityOf);
    const used = sizes.reduce((sum, size) => sum + size, 0);
    // The smallest node that the pool has launched stands for the smallest that it can.
    const least = sizes.length === 0 ? requested(workload.spec.template.spec, resource) : Math.min(...sizes);
    if (used + least <= quantityOf(limit)) continue;
    const taken = sizes.length === 0 ? '' : `, of which its ${sizes.length} nodes take ${shown(resource, used)}`;
    return {
      because: ofPool(pool, 'spec.limits'),
      observed: `NodePool ${name} has limits ${resource} ${limit}${taken}: Karpenter launches no further node`,
      advice: `raise spec.limits of NodePool ${name}: a node more than in quiet times is needed for each that is replaced`,
    };
  }
  return undefined;
}

const requested = ({ containers }: PodSpec, resource: string): number =>
  containers.reduce((sum, { resources }) => sum + quantityOf(resources?.requests?.[resource] ?? '0'), 0);

const shown = (resource: string, amount: number): string =>
  resource === 'memory' ? `${(amount / 2 ** 30).toFixed(1)}Gi` : String(Number(amount.toFixed(3)));
