import type { Pod } from '../kubernetes/resources.ts';
import type { TopologySpreadConstraint } from '../kubernetes/specs.ts';
import { controllerOf } from '../objects/owners.ts';
import { type NodeInfo, podsByController } from './node-info.ts';
import { maxNodeScore, type Scores } from './node-scores.ts';
import { countMatching, isCounted } from './spread.ts';

const hostname = 'kubernetes.io/hostname';

/** A constraint that only scores. */
interface Soft {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly matching: (node: NodeInfo) => number;
  readonly isCounted: (node: NodeInfo) => boolean;
}

/**
 * The constraints that a pod of a ReplicaSet or StatefulSet without any has (podtopologyspread/plugin.go,
 * systemDefaultConstraints).
 */
const systemDefaults = [
  { topologyKey: hostname, maxSkew: 3 },
  { topologyKey: 'topology.kubernetes.io/zone', maxSkew: 5 },
];

function softConstraints(pod: Pod): readonly Soft[] {
  const own = pod.spec.topologySpreadConstraints ?? [];
  if (own.length === 0) return defaultConstraints(pod);
  return own
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway')
    .map((constraint: TopologySpreadConstraint) => ({
      topologyKey: constraint.topologyKey,
      maxSkew: constraint.maxSkew,
      matching: (node) => countMatching(pod, node, constraint),
      isCounted: (node) => isCounted(pod, node, constraint),
    }));
}

/** Their selector is that of the pod's Services and of its controller, which selects the controller's pods. */
function defaultConstraints(pod: Pod): readonly Soft[] {
  const { kind = '', uid = '' } = controllerOf(pod) ?? {};
  if (kind !== 'ReplicaSet' && kind !== 'StatefulSet') return [];
  const matching = (node: NodeInfo) => podsByController(node).get(uid) ?? 0;
  return systemDefaults.map((one) => ({ ...one, matching, isCounted: () => true }));
}

/** PodTopologySpread's score: fewer matching pods in a node's domains are better (podtopologyspread/scoring.go). */
export function spreadScores(pod: Pod, feasible: readonly NodeInfo[], all: readonly NodeInfo[]): Scores {
  const constraints = softConstraints(pod);
  if (constraints.length === 0) return feasible.map(() => 0);
  const needsEvery = (pod.spec.topologySpreadConstraints ?? []).length > 0;
  const isScored = (node: NodeInfo) =>
    !needsEvery || constraints.every(({ topologyKey }) => node.labels[topologyKey] !== undefined);
  const scored = feasible.filter(isScored);
  const costs = constraints.map((constraint) => costsOf(constraint, scored, all.filter(isScored)));
  const raw = new Map(scored.map((node) => [node, Math.round(costs.reduce((sum, cost) => sum + cost(node), 0))]));
  const [least, most] = [Math.min(...raw.values()), Math.max(...raw.values())];
  return feasible.map((node) => {
    const cost = raw.get(node);
    if (cost === undefined) return 0;
    return most === 0 ? maxNodeScore : Math.floor((maxNodeScore * (most + least - cost)) / most);
  });
}

/** A constraint's part of a node's cost: the more domains there are, the more a pod in one of them weighs. */
function costsOf(
  { topologyKey, maxSkew, matching, isCounted: counts }: Soft,
  scored: readonly NodeInfo[],
  all: readonly NodeInfo[],
): (node: NodeInfo) => number {
  const domains = new Map(
    scored.flatMap(({ labels }) => (labels[topologyKey] === undefined ? [] : [[labels[topologyKey], 0]])),
  );
  if (topologyKey !== hostname)
    for (const node of all.filter(counts)) {
      const before = domains.get(node.labels[topologyKey] ?? '');
      if (before !== undefined) domains.set(node.labels[topologyKey] ?? '', before + matching(node));
    }
  const weight = Math.log((topologyKey === hostname ? scored.length : domains.size) + 2);
  return (node) => {
    const domain = node.labels[topologyKey];
    if (domain === undefined) return 0;
    return (topologyKey === hostname ? matching(node) : (domains.get(domain) ?? 0)) * weight + maxSkew - 1;
  };
}
