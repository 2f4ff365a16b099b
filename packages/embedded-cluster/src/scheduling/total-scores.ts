import type { Pod } from '../kubernetes/resources.ts';
import { interPodScores } from './affinity-score.ts';
import type { NodeInfo } from './node-info.ts';
import { maxNodeScore, type Scores } from './node-scores.ts';
import { meetsTerm } from './requirements.ts';
import { resourceScore } from './resource-score.ts';
import { spreadScores } from './spread-score.ts';
import { tolerates } from './taints.ts';

/**
 * The weighted sum of kube-scheduler's score plugins (apis/config/v1/default_plugins.go) for each of these feasible
 * nodes, in their order; `all` are the cluster's nodes. ImageLocality is left out: nodes here report no images.
 */
export function totalScores(pod: Pod, feasible: readonly NodeInfo[], all: readonly NodeInfo[]): Scores {
  const weighted: readonly (readonly [weight: number, scores: Scores])[] = [
    [1, feasible.map((node) => resourceScore(pod.spec, node))],
    [2, nodeAffinityScores(pod, feasible)],
    [3, taintScores(pod, feasible)],
    [2, spreadScores(pod, feasible, all)],
    [2, interPodScores(pod, feasible, all)],
  ];
  return feasible.map((_, index) => weighted.reduce((sum, [weight, scores]) => sum + weight * (scores[index] ?? 0), 0));
}

/** The weights of the preferred terms that a node matches (nodeaffinity/node_affinity.go). */
function nodeAffinityScores({ spec }: Pod, feasible: readonly NodeInfo[]): Scores {
  const terms = spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const sums = feasible.map(({ labels }) =>
    terms.reduce((sum, { weight, preference }) => sum + (meetsTerm(labels, preference) ? weight : 0), 0),
  );
  const most = Math.max(...sums);
  return sums.map((sum) => (most === 0 ? 0 : Math.floor((maxNodeScore * sum) / most)));
}

/** Fewer PreferNoSchedule taints that the pod does not tolerate are better (tainttoleration/taint_toleration.go). */
function taintScores({ spec: { tolerations = [] } }: Pod, feasible: readonly NodeInfo[]): Scores {
  const counts = feasible.map(
    ({ taints }) =>
      taints.filter((taint) => taint.effect === 'PreferNoSchedule' && !tolerations.some((one) => tolerates(one, taint)))
        .length,
  );
  const most = Math.max(...counts);
  return counts.map((count) => maxNodeScore - (most === 0 ? 0 : Math.floor((maxNodeScore * count) / most)));
}
