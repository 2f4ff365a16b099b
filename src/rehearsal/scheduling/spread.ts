import type { Pod } from '../../cluster/resources.ts';
import type { PodAffinityTerm, TopologySpreadConstraint } from '../../cluster/specs.ts';
import { isTerminating } from '../objects/pods.ts';
import { termMatches } from '../objects/selectors.ts';
import type { Place } from './place.ts';
import { isAskedFor } from './requirements.ts';
import { untolerated } from './taints.ts';

/** Why the pod's neighbours keep it from that place, in the scheduler's words; undefined when they do not. */
export function neighbourObstacle(pod: Pod, place: Place, places: readonly Place[]): string | undefined {
  const isTooMany = (constraint: TopologySpreadConstraint) =>
    constraint.whenUnsatisfiable === 'DoNotSchedule' && skewAt(pod, place, places, constraint) > constraint.maxSkew;
  if (pod.spec.topologySpreadConstraints?.some(isTooMany)) {
    return "node(s) didn't match pod topology spread constraints";
  }
  if (!attracts(pod, place, places)) return "node(s) didn't match pod affinity rules";
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
 * Honor), cordoned and tainted ones too (nodeTaintsPolicy Ignore), where the constraint says nothing else; pods on their
 * way out do not count. With fewer domains than `minDomains` the emptiest one is taken to be empty.
 */
function skewAt(pod: Pod, place: Place, places: readonly Place[], constraint: TopologySpreadConstraint): number {
  const domain = place.labels[constraint.topologyKey];
  if (domain === undefined) return Number.POSITIVE_INFINITY;
  const counts = new Map<string, number>();
  for (const candidate of places) {
    const at = candidate.labels[constraint.topologyKey];
    if (at === undefined || !isCounted(pod, candidate, constraint)) continue;
    counts.set(at, (counts.get(at) ?? 0) + countLike(pod, candidate, constraint));
  }
  const self = termMatches(pod.metadata.labels, constraint.labelSelector) ? 1 : 0;
  const least = counts.size < (constraint.minDomains ?? 1) ? 0 : Math.min(...counts.values());
  return (counts.get(domain) ?? 0) + self - least;
}

function isCounted({ spec }: Pod, { labels, taints }: Place, constraint: TopologySpreadConstraint): boolean {
  if (constraint.nodeAffinityPolicy !== 'Ignore' && !isAskedFor(spec, labels)) return false;
  return constraint.nodeTaintsPolicy !== 'Honor' || untolerated(spec, taints) === undefined;
}

/** The pods there that the constraint counts; those of `matchLabelKeys` only when they have the pod's own values. */
function countLike(pod: Pod, place: Place, { labelSelector, matchLabelKeys = [] }: TopologySpreadConstraint): number {
  const isLike = ({ metadata: { labels } }: Pod) =>
    termMatches(labels, labelSelector) && matchLabelKeys.every((key) => labels?.[key] === pod.metadata.labels?.[key]);
  return place.pods.filter(
    (other) => other.metadata.namespace === pod.metadata.namespace && !isTerminating(other) && isLike(other),
  ).length;
}

/** Required affinity: each term has a pod in the domain; or none anywhere, and the pod itself is one of those meant. */
function attracts(pod: Pod, place: Place, places: readonly Place[]): boolean {
  const terms = pod.spec.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return (
    terms === undefined ||
    terms.every((term) => {
      const domain = place.labels[term.topologyKey];
      if (domain === undefined) return false;
      const those = places.filter((other) => other.pods.some((there) => isMeant(pod, there, term)));
      return those.length === 0
        ? isMeant(pod, pod, term)
        : those.some((other) => other.labels[term.topologyKey] === domain);
    })
  );
}

/** Whether a term of one pod speaks of the other: its namespaces and its labels. */
function isMeant(mine: Pod, theirs: Pod, { namespaces, namespaceSelector, labelSelector }: PodAffinityTerm): boolean {
  const { namespace = '' } = theirs.metadata;
  const here = namespaces ?? (namespaceSelector === undefined ? [mine.metadata.namespace] : []);
  const isThere = here.includes(namespace) || termMatches({ [namespaceName]: namespace }, namespaceSelector);
  return isThere && termMatches(theirs.metadata.labels, labelSelector);
}

/** The one label that every namespace has; others are not looked at here. */
const namespaceName = 'kubernetes.io/metadata.name';

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
    (term) =>
      place.labels[term.topologyKey] !== undefined &&
      place.labels[term.topologyKey] === other.labels[term.topologyKey] &&
      isMeant(mine, theirs, term),
  );
}
