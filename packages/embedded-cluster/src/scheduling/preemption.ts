import type { Pod, PodDisruptionBudget } from '../kubernetes/resources.ts';
import { isTerminating } from '../objects/pods.ts';
import { plus } from '../objects/quantities.ts';
import { selectorMatches } from '../objects/selectors.ts';
import { type NodeInfo, nodeObstacle, requestsOf, withPodAdded } from './node-info.ts';
import type { Snapshot } from './schedule.ts';
import { topologyObstacle } from './spread.ts';

/** The pods that go so that another one of a higher priority fits the node. */
export interface Preemption {
  readonly node: NodeInfo;
  readonly victims: readonly Pod[];
}

export const priorityOf = ({ spec }: Pod): number => spec.priority ?? 0;

/**
 * kube-scheduler, framework/plugins/defaultpreemption and framework/preemption; undefined where it helps on no node,
 * `waiting` while room is being made already.
 */
export function preemptionFor(
  pod: Pod,
  { names, nodeInfo, volumes }: Snapshot,
  budgets: readonly PodDisruptionBudget[],
): Preemption | 'waiting' | undefined {
  if (pod.spec.preemptionPolicy === 'Never' || volumes?.refusal !== undefined) return undefined;
  const all = names.flatMap((name) => nodeInfo(name) ?? []);
  if (isMakingRoom(pod, all)) return 'waiting';
  const reaching = all.filter(({ labels, name }) => volumes?.obstacleAt(labels, name) === undefined);
  const candidates = reaching.flatMap((node) => candidateOn(pod, node, all, budgets) ?? []);
  return candidates.toSorted(byCost)[0];
}

/** Whether what it preempts already is still going (PodEligibleToPreemptOthers). */
function isMakingRoom(pod: Pod, all: readonly NodeInfo[]): boolean {
  const nominated = all.find(({ name }) => name === pod.status?.nominatedNodeName);
  return nominated?.pods.some((one) => isTerminating(one) && priorityOf(one) < priorityOf(pod)) === true;
}

interface Candidate extends Preemption {
  readonly violations: number;
}

/**
 * Without all pods of a lower priority, and then with as many of them again as fit, those of budgets and of higher
 * priority first (SelectVictimsOnNode).
 */
function candidateOn(
  pod: Pod,
  node: NodeInfo,
  all: readonly NodeInfo[],
  budgets: readonly PodDisruptionBudget[],
): Candidate | undefined {
  const lower = node.pods.filter((one) => priorityOf(one) < priorityOf(pod)).toSorted(byImportance);
  const fits = (at: NodeInfo) =>
    nodeObstacle(pod.spec, at) === undefined &&
    topologyObstacle(
      pod,
      at,
      all.map((one) => (one === node ? at : one)),
    ) === undefined;
  let left = lower.reduce(withoutPod, node);
  if (lower.length === 0 || !fits(left)) return undefined;
  const violating = violatingBudgets(lower, budgets);
  const victims: Pod[] = [];
  for (const one of [...violating, ...lower.filter((other) => !violating.has(other))]) {
    const reprieved = withPodAdded(left, one);
    if (fits(reprieved)) left = reprieved;
    else victims.push(one);
  }
  return { node, victims, violations: victims.filter((one) => violating.has(one)).length };
}

const withoutPod = (node: NodeInfo, pod: Pod): NodeInfo => ({
  ...node,
  free: plus(node.free, requestsOf(pod.spec)),
  pods: node.pods.filter((one) => one !== pod),
});

const startedAt = ({ status, metadata }: Pod): string => status?.startTime ?? metadata.creationTimestamp ?? '';

/** A higher priority first, then the older one (util.MoreImportantPod). */
const byImportance = (a: Pod, b: Pod): number =>
  priorityOf(b) - priorityOf(a) || startedAt(a).localeCompare(startedAt(b));

/**
 * The pods that no budget allows to go, each budget counted down in the order of the pods (filterPodsWithPDBViolation).
 */
function violatingBudgets(pods: readonly Pod[], budgets: readonly PodDisruptionBudget[]): ReadonlySet<Pod> {
  const allowed = new Map(budgets.map((budget) => [budget, budget.status?.disruptionsAllowed ?? 0]));
  const violating = new Set<Pod>();
  for (const pod of pods)
    for (const budget of budgets.filter((one) => guards(one, pod))) {
      const left = (allowed.get(budget) ?? 0) - 1;
      allowed.set(budget, left);
      if (left < 0) violating.add(pod);
    }
  return violating;
}

function guards({ metadata, spec, status }: PodDisruptionBudget, pod: Pod): boolean {
  if (metadata.namespace !== pod.metadata.namespace || status?.disruptedPods?.[pod.metadata.name]) return false;
  return selectorMatches(pod.metadata.labels, spec.selector);
}

/**
 * Added to each priority, so that fewer victims are cheaper also where priorities are negative
 * (pickOneNodeForPreemption).
 */
const offset = 2 ** 31;

/**
 * Fewest violated budgets, lowest highest priority, smallest sum of priorities, fewest victims, youngest of the most
 * important ones.
 */
function byCost(a: Candidate, b: Candidate): number {
  const sum = ({ victims }: Candidate) => victims.reduce((total, one) => total + priorityOf(one) + offset, 0);
  return (
    a.violations - b.violations ||
    highest(a) - highest(b) ||
    sum(a) - sum(b) ||
    a.victims.length - b.victims.length ||
    oldestOfHighest(b).localeCompare(oldestOfHighest(a))
  );
}

const highest = ({ victims }: Candidate): number => Math.max(...victims.map(priorityOf));

const oldestOfHighest = (candidate: Candidate): string =>
  candidate.victims
    .filter((one) => priorityOf(one) === highest(candidate))
    .map(startedAt)
    .toSorted()[0] ?? '';
