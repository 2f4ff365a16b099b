import type { LabelSelector } from '../../cluster/metadata.ts';
import type { Pod } from '../../cluster/resources.ts';
import type { TopologySpreadConstraint } from '../../cluster/specs.ts';
import { isTerminating } from '../pods.ts';
import { selectorMatches } from '../selectors.ts';
import type { Place } from './place.ts';
import { isAskedFor } from './requirements.ts';

/** Why the pod's neighbours keep it from that place, in the scheduler's words; undefined when they do not. */
export function neighbourObstacle(pod: Pod, place: Place, places: readonly Place[]): string | undefined {
  const constraints = pod.spec.topologySpreadConstraints ?? [];
  const strict = constraints.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule');
  if (strict.some((constraint) => skewAt(pod, place, places, constraint) > constraint.maxSkew)) {
    return "node(s) didn't match pod topology spread constraints";
  }
  return repels(pod, place, places) ? "node(s) didn't match pod anti-affinity rules" : undefined;
}

/** How crowded with its like the place would be: what the scheduler weighs when several places would do. */
export function crowding(pod: Pod, place: Place, places: readonly Place[]): number {
  const constraints = pod.spec.topologySpreadConstraints ?? [];
  return constraints
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway')
    .reduce((sum, constraint) => sum + Math.max(0, skewAt(pod, place, places, constraint)), 0);
}

/**
 * The constraint's skew with the pod there. Domains are those of the nodes that the pod asks for (nodeAffinityPolicy
 * Honor), cordoned and tainted ones too (nodeTaintsPolicy Ignore); pods on their way out do not count. With fewer
 * domains than `minDomains` the emptiest one is taken to be empty.
 */
function skewAt(pod: Pod, place: Place, places: readonly Place[], constraint: TopologySpreadConstraint): number {
  const domain = place.labels[constraint.topologyKey];
  if (domain === undefined) return Number.POSITIVE_INFINITY;
  const counts = new Map<string, number>();
  for (const candidate of places) {
    const at = candidate.labels[constraint.topologyKey];
    if (at === undefined || !isAskedFor(pod.spec, candidate.labels)) continue;
    counts.set(at, (counts.get(at) ?? 0) + countLike(pod, candidate, constraint.labelSelector));
  }
  const self = selectorMatches(pod.metadata.labels, constraint.labelSelector) ? 1 : 0;
  const least = counts.size < (constraint.minDomains ?? 1) ? 0 : Math.min(...counts.values());
  return (counts.get(domain) ?? 0) + self - least;
}

function countLike(pod: Pod, place: Place, selector: LabelSelector | undefined): number {
  return place.pods.filter(
    (other) =>
      other.metadata.namespace === pod.metadata.namespace &&
      !isTerminating(other) &&
      selectorMatches(other.metadata.labels, selector),
  ).length;
}

/** Required anti-affinity, the pod's own and that of the pods which are there. */
function repels(pod: Pod, place: Place, places: readonly Place[]): boolean {
  const isShy = pod.spec.affinity?.podAntiAffinity !== undefined;
  return places.some(
    (other) =>
      (isShy && other.pods.some((there) => areApart(pod, there, place, other))) ||
      shyIn(other).some((there) => areApart(there, pod, place, other)),
  );
}

const shy = new WeakMap<readonly Pod[], readonly Pod[]>();

/** The pods there that have anti-affinity of their own. */
function shyIn({ pods }: Place): readonly Pod[] {
  const known = shy.get(pods) ?? pods.filter(({ spec }) => spec.affinity?.podAntiAffinity !== undefined);
  shy.set(pods, known);
  return known;
}

function areApart(mine: Pod, theirs: Pod, place: Place, other: Place): boolean {
  const terms = mine.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return terms.some(
    ({ topologyKey, labelSelector }) =>
      place.labels[topologyKey] !== undefined &&
      place.labels[topologyKey] === other.labels[topologyKey] &&
      mine.metadata.namespace === theirs.metadata.namespace &&
      selectorMatches(theirs.metadata.labels, labelSelector),
  );
}
