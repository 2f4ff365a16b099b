import { wholeSecondsText } from '../../figures/figures.js';
import { parseDuration } from '../../settings/duration.ts';
import type { Expectation } from '../finding.ts';
import type { Measurement } from '../measure/measure.ts';
import { neighbours, neighboursNote } from '../observe/neighbours.ts';
import { applicationAtRest, type Before, isPoolNode, type Snapshot } from '../observe/snapshot.ts';
import { patchingPools } from '../permissions/needs.ts';
import type { Circumstances } from '../predict/circumstances.ts';
import { typicalDurations } from '../predict/typical-durations.ts';
import { never, type Prediction, range, sum } from '../record/prediction.ts';
import { type Settings, workloadOf } from '../settings.ts';
import { atLeastReady, noDowntime, nodesNotObserved, whereNodesGo } from './expectations.ts';
import { disruptionTrouble } from './pool-disruption.ts';
import type { Plan, Scenario } from './scenario.ts';
import { poolOf } from './shared.ts';

/** 4.1 and section 8: 2m in the consolidation test. */
const consolidateAfter = '2m';
const consolidateAfterSeconds = parseDuration(consolidateAfter) ?? 0;

/** The default of karpenter.sh/v1. */
const defaultPolicy = 'WhenEmptyOrUnderutilized';

/**
 * 4.1: consolidateAfter 2m, scale to 1 replica, wait. An empty node is removed; the node with the replica is untouched.
 */
export const consolidation = {
  ...consolidated({ from: 2, to: 1 }),
  forOwner: ({ scaledDown: to }) => consolidated({ from: to + 1, to }),
} as const satisfies Scenario;

function consolidated({ from, to }: { readonly from: number; readonly to: number }) {
  return {
    name: 'consolidation',
    title: 'Consolidation',
    expected: 'empty node removed; running node untouched; no downtime',
    explanation: {
      how: 'Sets consolidateAfter to 2m and replicas to 1, and waits until Karpenter removes an empty node.',
      fails: [
        'Other pods keep every node busy; each pod that starts or ends on a node restarts its two minutes.',
        'A node that is not empty is removed; the node with the last replica has to stay untouched.',
        'consolidateAfter is not reverted, and production keeps the short delay.',
      ],
      measured: ['empty nodes removed', 'whether the node with the replica is the same one', 'downtime'],
    },
    needsKarpenter: true,
    needsReplicas: true,
    permissions: () => [patchingPools],
    sharedBy: poolOf,
    disturbs: ['nodes', 'budget'],
    restsOn: { 'no-downtime': ['load-balancer-health', 'disruption-budget', 'graceful-termination'] },
    predict: predictConsolidation,
    // For the second replica after the undo, if all empty nodes are gone and the last one has room for one replica
    // only.
    newNodes: ({ oneReplicaANode }) => (oneReplicaANode ? 1 : 0),
    baseline: { appReplicas: from },
    plan: (before, settings) => planned(before, settings, to),
    settled: (now, before) => applicationAtRest(now, to) && emptiedAreGone(now, before),
    // consolidateAfter, and eight minutes for polls, validation, drain and the end of the instance, of nodes that were
    // empty before too (docs/facts/karpenter.md, "Emptiness and consolidation").
    settleWithinSeconds: 600,
    replaces: false,
    mayRemoveEmptyNodes: true,
    mayLoseEndpoints: false,
    judge: (measured, settings) => [
      emptyRemoved(measured),
      runningUntouched(measured),
      atLeastReady(measured, to, settings),
      noDowntime(measured, whereNodesGo(settings, cutRequests)),
    ],
  } as const satisfies Scenario;
}

function planned(before: Before, settings: Settings, replicas: number): Plan {
  const trouble = disruptionTrouble(before, before.pool?.spec.disruption?.budgets ?? [], 'Empty');
  if (trouble !== undefined) return { inconclusive: trouble };
  const policy = before.pool?.spec.disruption?.consolidationPolicy ?? defaultPolicy;
  if (settings.manifests === 'none' && policy !== 'WhenEmpty')
    return { inconclusive: movesPods(policy), rules: ['consolidation-policy'], needless: true };
  const free = freeNodes(before, settings);
  const occupied = poolNodes(before, settings).filter((node) => !free.includes(node));
  // One of these nodes keeps the last replica, unless that replica is on an occupied node.
  if (free.length < 2) return { inconclusive: noneEmpty(before, occupied), needless: true };
  const { nodePool } = settings;
  return {
    actions: [
      { action: 'set-consolidate-after', target: { nodePool: nodePool.name, value: consolidateAfter } },
      { action: 'scale', target: { ...workloadOf(settings), replicas } },
    ],
    notes: [earliest, ...occupied.map((node) => neighboursNote(before, node))],
  };
}

const cutRequests = 'the node of the last replica was disrupted, or its pod cut requests while it ended';
/**
 * Why the scenario does not run on a pool of its owner that also consolidates nodes with pods: it would move other
 * pods.
 */
const movesPods = (policy: string): string =>
  `consolidationPolicy of the pool is ${policy}: with consolidateAfter ${consolidateAfter} Karpenter would take nodes that are not empty, too`;

const poolNodes = ({ nodes }: Snapshot, settings: Settings): readonly string[] =>
  nodes.filter((node) => isPoolNode(node, settings)).map(({ metadata }) => metadata.name);

/** Nodes with no pods but those of the application and those that run on every node. */
function freeNodes(before: Before, settings: Settings): readonly string[] {
  return poolNodes(before, settings).filter((node) => neighbours(before, node).length === 0);
}

function noneEmpty(before: Before, occupied: readonly string[]): string {
  const why = occupied.map((node) => `${node} is held by ${neighbours(before, node).join(', ')}`);
  return ['no node of the pool would be empty with one replica left', ...why].join('; ');
}

/** docs/facts/karpenter.md, "Emptiness and consolidation". */
const earliest: Expectation = {
  id: 'earliest-removal',
  expected: 'an empty node is removed no sooner than Karpenter can',
  outcome: 'noted',
  observed:
    '120 s of consolidateAfter since its last pod event, a poll of at most 10 s, 15 s of validation, a drain of at least 5 s',
};

/**
 * Whether the NodeClaims of the nodes that this scenario emptied are gone, and no other is being deleted: a NodeClaim
 * is gone when its instance has ended. Nodes that were empty before go sooner and prove nothing of `consolidateAfter`;
 * they count only if none was emptied.
 */
function emptiedAreGone(now: Snapshot, before: Before): boolean {
  const left = new Set(now.claims.map(({ metadata }) => metadata.uid));
  const gone = before.claims.filter(({ metadata }) => !left.has(metadata.uid)).map(({ status }) => status?.nodeName);
  const emptied = emptiedBy(now, before);
  return (
    (emptied.length === 0 ? gone.length > 0 : emptied.every((node) => gone.includes(node))) &&
    now.claims.every(({ metadata }) => metadata.deletionTimestamp === undefined)
  );
}

/** Nodes of the applications before, without a pod of them now and without any other. */
function emptiedBy(now: Snapshot, before: Before): readonly string[] {
  const nodesOf = ({ pods, beside = [] }: Snapshot) =>
    new Set([pods, ...beside].flat().flatMap(({ spec }) => spec.nodeName ?? []));
  const still = nodesOf(now);
  return [...nodesOf(before)].filter((node) => !still.has(node) && neighbours(before, node).length === 0);
}

function emptyRemoved({ pool }: Measurement): Expectation {
  const id = 'empty-node-removed';
  const expected = 'empty node removed';
  if (pool === undefined) return { id, expected, outcome: 'inconclusive', observed: nodesNotObserved };
  const { emptied, removed } = pool;
  const others = removed.filter((node) => !emptied.some((one) => one.node === node));
  const gone = emptied.flatMap(({ node, goneSeconds }) =>
    goneSeconds === null ? [] : [`${node}, which this scenario emptied, after ${wholeSecondsText(goneSeconds)}`],
  );
  const before = others.length === 0 ? [] : [`empty before: ${others.join(', ')}`];
  const stayed = emptied.filter(({ goneSeconds }) => goneSeconds === null).map(({ node }) => `${node} stayed`);
  // Where the last replicas shared a node none is emptied, and consolidateAfter is tested by one that was empty before.
  const met = emptied.length === 0 ? others.length > 0 : gone.length > 0;
  return {
    id,
    expected,
    outcome: met ? 'met' : 'inconclusive',
    observed: [...gone, ...stayed, ...before].join('; ') || 'no node was removed',
  };
}

function runningUntouched({ pool }: Measurement): Expectation {
  const touched = pool?.disruptedWithPods;
  return {
    id: 'running-node-untouched',
    expected: 'running node untouched',
    outcome: touched === undefined ? 'inconclusive' : touched.length === 0 ? 'met' : 'not-met',
    observed:
      touched === undefined
        ? nodesNotObserved
        : touched.length === 0
          ? 'no node was disrupted with a pod that was to stay'
          : `disrupted with a pod that was to stay: ${touched.join(', ')}`,
    advice: touched?.length
      ? 'this is no emptiness: see the events of the NodeClaim, and the version of Karpenter'
      : '',
  };
}

/** An empty node is removed when it has been empty for `consolidateAfter`. */
function predictConsolidation(now: Circumstances): Prediction {
  const empty = range(now.preStopSeconds, now.graceSeconds);
  // Karpenter counts from the pod's deletion at the earliest, and from its end at the latest.
  const begins = sum(
    range(0, now.graceSeconds),
    range(consolidateAfterSeconds, consolidateAfterSeconds),
    typicalDurations.consolidationBegins,
  );
  return {
    durationSeconds: sum(typicalDurations.frame, begins, typicalDurations.nodeGone),
    downtimeSeconds: now.preStopSeconds >= typicalDurations.endpointLag.most ? never : typicalDurations.endpointLag,
    nodeReadySeconds: null,
    podReadySeconds: null,
    steps: [
      { afterSeconds: empty, measuredAs: 'node-empty', what: 'a node without pods', because: 'one replica is left' },
      {
        afterSeconds: begins,
        measuredAs: 'node-tainted',
        what: 'it is tainted',
        because: `consolidateAfter ${consolidateAfterSeconds / 60}m since its last pod event, poll 10 s, validation 15 s`,
      },
      {
        afterSeconds: sum(begins, typicalDurations.nodeGone),
        measuredAs: 'node-gone',
        what: 'it is gone',
        because: 'instances end in tens of seconds',
      },
    ],
  };
}
