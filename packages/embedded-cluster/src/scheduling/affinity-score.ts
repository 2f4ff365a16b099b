import type { Pod } from '../kubernetes/resources.ts';
import type { PodAffinityTerm, WeightedPodAffinityTerm } from '../kubernetes/specs.ts';
import type { NodeInfo } from './node-info.ts';
import { maxNodeScore, type Scores } from './node-scores.ts';
import { termSelects } from './spread.ts';

/**
 * InterPodAffinityArgs.hardPodAffinityWeight: what a required affinity of a pod on a node counts for those that it
 * selects.
 */
const hardPodAffinityWeight = 1;

/**
 * InterPodAffinity's score: what the preferred terms of the pod say of the pods in a node's domains, and theirs and
 * their required affinity of the pod (interpodaffinity/scoring.go).
 */
export function interPodScores(pod: Pod, feasible: readonly NodeInfo[], all: readonly NodeInfo[]): Scores {
  const sums = new Map<string, number>();
  const add = ({ term, weight }: Weighted, { labels }: NodeInfo) => {
    const domain = labels[term.topologyKey];
    const key = `${term.topologyKey} ${domain}`;
    if (domain !== undefined) sums.set(key, (sums.get(key) ?? 0) + weight);
  };
  const own = preferredTerms(pod);
  for (const node of all) {
    const ofOwn =
      own.length === 0 ? [] : node.pods.flatMap((there) => own.filter(({ term }) => termSelects(pod, there, term)));
    const ofOthers = podsWithAffinity(node).flatMap((there) =>
      termsOnNode(there).filter(({ term }) => termSelects(there, pod, term)),
    );
    for (const one of [...ofOwn, ...ofOthers]) add(one, node);
  }
  return normalized(feasible.map(({ labels }) => sumOf(labels, sums)));
}

interface Weighted {
  readonly term: PodAffinityTerm;
  readonly weight: number;
}

function preferredTerms({ spec: { affinity } }: Pod): readonly Weighted[] {
  const weighted = (terms: readonly WeightedPodAffinityTerm[] | undefined, sign: 1 | -1) =>
    (terms ?? []).map(({ weight, podAffinityTerm }) => ({ term: podAffinityTerm, weight: sign * weight }));
  return [
    ...weighted(affinity?.podAffinity?.preferredDuringSchedulingIgnoredDuringExecution, 1),
    ...weighted(affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution, -1),
  ];
}

function termsOnNode(there: Pod): readonly Weighted[] {
  const required = there.spec.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return [...preferredTerms(there), ...required.map((term) => ({ term, weight: hardPodAffinityWeight }))];
}

const withAffinity = new WeakMap<readonly Pod[], readonly Pod[]>();

function podsWithAffinity({ pods }: NodeInfo): readonly Pod[] {
  const known = withAffinity.get(pods) ?? pods.filter((pod) => termsOnNode(pod).length > 0);
  withAffinity.set(pods, known);
  return known;
}

function sumOf(labels: NodeInfo['labels'], sums: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const [key, value] of sums) {
    const [topologyKey = '', domain] = key.split(' ');
    if (labels[topologyKey] === domain) sum += value;
  }
  return sum;
}

/** 0 counts as the least and the most where no sum is below or above it. */
function normalized(sums: readonly number[]): Scores {
  const [least, most] = [Math.min(0, ...sums), Math.max(0, ...sums)];
  return sums.map((sum) => (most === least ? 0 : Math.floor((maxNodeScore * (sum - least)) / (most - least))));
}
