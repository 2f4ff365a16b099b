import type { Pod } from '../kubernetes/resources.ts';
import type { PodAffinityTerm, TopologySpreadConstraint } from '../kubernetes/specs.ts';
import { isTerminating } from '../objects/pods.ts';
import { termMatches } from '../objects/selectors.ts';
import type { NodeInfo } from './node-info.ts';
import { matchesNodeSelection } from './requirements.ts';
import { untolerated } from './taints.ts';

/**
 * Why the pods on these nodes keep the pod off that one, as kube-scheduler's filter plugins phrase it: topology spread
 * constraints, inter-pod affinity; undefined when they do not.
 */
export function topologyObstacle(pod: Pod, node: NodeInfo, nodes: readonly NodeInfo[]): string | undefined {
  const exceedsMaxSkew = (constraint: TopologySpreadConstraint) =>
    constraint.whenUnsatisfiable === 'DoNotSchedule' && skewAt(pod, node, nodes, constraint) > constraint.maxSkew;
  if (pod.spec.topologySpreadConstraints?.some(exceedsMaxSkew)) {
    return "node(s) didn't match pod topology spread constraints";
  }
  if (!satisfiesAffinity(pod, node, nodes)) return "node(s) didn't match pod affinity rules";
  return violatesAntiAffinity(pod, node, nodes) ? "node(s) didn't match pod anti-affinity rules" : undefined;
}

/** The skew of the constraints that do not forbid (ScheduleAnyway), summed. */
export function spreadScore(pod: Pod, node: NodeInfo, nodes: readonly NodeInfo[]): number {
  const constraints = pod.spec.topologySpreadConstraints ?? [];
  return constraints
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway')
    .reduce((sum, constraint) => sum + Math.max(0, skewAt(pod, node, nodes, constraint)), 0);
}

/**
 * The constraint's skew if the pod were on that node. By default domains are those of the nodes that match the pod's
 * node selection (nodeAffinityPolicy Honor), tainted ones included (nodeTaintsPolicy Ignore). Terminating pods do not
 * count. With fewer domains than `minDomains` the global minimum is 0.
 */
function skewAt(pod: Pod, node: NodeInfo, nodes: readonly NodeInfo[], constraint: TopologySpreadConstraint): number {
  const domain = node.labels[constraint.topologyKey];
  if (domain === undefined) return Number.POSITIVE_INFINITY;
  const counts = new Map<string, number>();
  for (const candidate of nodes) {
    const other = candidate.labels[constraint.topologyKey];
    if (other === undefined || !isCounted(pod, candidate, constraint)) continue;
    counts.set(other, (counts.get(other) ?? 0) + countMatching(pod, candidate, constraint));
  }
  const self = termMatches(pod.metadata.labels, constraint.labelSelector) ? 1 : 0;
  const minimum = counts.size < (constraint.minDomains ?? 1) ? 0 : Math.min(...counts.values());
  return (counts.get(domain) ?? 0) + self - minimum;
}

export function isCounted({ spec }: Pod, { labels, taints }: NodeInfo, constraint: TopologySpreadConstraint): boolean {
  if (constraint.nodeAffinityPolicy !== 'Ignore' && !matchesNodeSelection(spec, labels)) return false;
  return constraint.nodeTaintsPolicy !== 'Honor' || untolerated(spec, taints) === undefined;
}

/**
 * How many pods of the node the constraint selects; `matchLabelKeys` must have the same values as on the incoming pod.
 */
export function countMatching(
  pod: Pod,
  node: NodeInfo,
  { labelSelector, matchLabelKeys = [] }: TopologySpreadConstraint,
): number {
  const isCountedPod = ({ metadata: { labels } }: Pod) =>
    termMatches(labels, labelSelector) && matchLabelKeys.every((key) => labels?.[key] === pod.metadata.labels?.[key]);
  return node.pods.filter(
    (other) => other.metadata.namespace === pod.metadata.namespace && !isTerminating(other) && isCountedPod(other),
  ).length;
}

/**
 * Required affinity: each term selects a pod in the node's domain; or it selects none at all, and the incoming pod
 * itself.
 */
function satisfiesAffinity(pod: Pod, node: NodeInfo, nodes: readonly NodeInfo[]): boolean {
  const terms = pod.spec.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return (
    terms === undefined ||
    terms.every((term) => {
      const domain = node.labels[term.topologyKey];
      if (domain === undefined) return false;
      const selected = nodes.filter((other) => other.pods.some((there) => termSelects(pod, there, term)));
      return selected.length === 0
        ? termSelects(pod, pod, term)
        : selected.some((other) => other.labels[term.topologyKey] === domain);
    })
  );
}

/** Whether a term of one pod selects the other, by namespace and labels. */
export function termSelects(
  mine: Pod,
  theirs: Pod,
  { namespaces, namespaceSelector, labelSelector }: PodAffinityTerm,
): boolean {
  const { namespace = '' } = theirs.metadata;
  const named = namespaces ?? (namespaceSelector === undefined ? [mine.metadata.namespace] : []);
  const isSelected = named.includes(namespace) || termMatches({ [namespaceName]: namespace }, namespaceSelector);
  return isSelected && termMatches(theirs.metadata.labels, labelSelector);
}

/** The label that every namespace has; a namespaceSelector can use no other here. */
const namespaceName = 'kubernetes.io/metadata.name';

/** Required anti-affinity works both ways: the incoming pod's terms, and those of the pods on the nodes. */
function violatesAntiAffinity(pod: Pod, node: NodeInfo, nodes: readonly NodeInfo[]): boolean {
  return (
    (hasAntiAffinity(pod) &&
      nodes.some((other) => other.pods.some((there) => antiAffinityApplies(pod, there, node, other)))) ||
    repelling(nodes).some(({ there, other }) => antiAffinityApplies(there, pod, node, other))
  );
}

const hasAntiAffinity = ({ spec: { affinity } }: Pod): boolean =>
  (affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).length > 0;

const antiAffinityPods = new WeakMap<readonly Pod[], readonly Pod[]>();

/** The node's pods that have required anti-affinity themselves. */
function podsWithAntiAffinity({ pods }: NodeInfo): readonly Pod[] {
  const known = antiAffinityPods.get(pods) ?? pods.filter(hasAntiAffinity);
  antiAffinityPods.set(pods, known);
  return known;
}

interface Repelling {
  readonly there: Pod;
  readonly other: NodeInfo;
}
const repellingPods = new WeakMap<readonly NodeInfo[], readonly Repelling[]>();

/** Those pods of all nodes, found once for the many nodes that one pod is tried on. */
function repelling(nodes: readonly NodeInfo[]): readonly Repelling[] {
  const known =
    repellingPods.get(nodes) ??
    nodes.flatMap((other) => podsWithAntiAffinity(other).map((there) => ({ there, other })));
  repellingPods.set(nodes, known);
  return known;
}

function antiAffinityApplies(mine: Pod, theirs: Pod, node: NodeInfo, other: NodeInfo): boolean {
  const terms = mine.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return terms.some(
    (term) =>
      node.labels[term.topologyKey] !== undefined &&
      node.labels[term.topologyKey] === other.labels[term.topologyKey] &&
      termSelects(mine, theirs, term),
  );
}
