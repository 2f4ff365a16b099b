import { parseDuration } from '../../settings/duration.ts';
import type { Expectation } from '../finding.ts';
import type { Measurement } from '../measure/measure.ts';
import { neighbours, neighboursNote } from '../observe/neighbours.ts';
import { applicationAtRest, type Before, isPoolNode, type Snapshot } from '../observe/snapshot.ts';
import { patchingPools } from '../permissions/needs.ts';
import type { Circumstances } from '../predict/circumstances.ts';
import { usual } from '../predict/typical-durations.ts';
import { never, type Prediction, range, sum } from '../record/prediction.ts';
import type { Settings } from '../settings.ts';
import { noDowntime, nodesUnseen, podsReady } from './expectations.ts';
import { disruptionTrouble } from './pool-disruption.ts';
import type { Scenario } from './scenario.ts';

/** 4.1 and section 8: 2m in the test. */
const consolidateAfter = '2m';
const consolidateAfterSeconds = parseDuration(consolidateAfter) ?? 0;

/** karpenter.sh/v1 (facts 3.3). */
const defaultPolicy = 'WhenEmptyOrUnderutilized';

/** 4.1: with consolidateAfter 2m, scale to 1 and wait. An empty node goes; the one with the replica is left alone. */
export const consolidation = {
  name: 'consolidation',
  title: 'Consolidation',
  expected: 'empty node removed; running node untouched; no downtime',
  explanation: {
    how: 'Sets consolidateAfter to 2m and 1 replica, and waits for the nodes that are empty by then.',
    fails: [
      'Other pods keep every node busy; each pod that comes or goes starts the two minutes anew.',
      'A node that is not empty is taken: the one with the last replica has to stay untouched.',
      'consolidateAfter is not put back, and production goes on being aggressive.',
    ],
    measured: ['empty nodes removed', 'whether the node with the replica is the same one', 'downtime'],
  },
  permissions: () => [patchingPools],
  predict: predictConsolidation,
  baseline: { appReplicas: 2 },
  plan: (before, settings) => {
    const trouble = disruptionTrouble(before, before.pool?.spec.disruption?.budgets ?? [], 'Empty');
    if (trouble !== undefined) return { inconclusive: trouble };
    const policy = before.pool?.spec.disruption?.consolidationPolicy ?? defaultPolicy;
    if (settings.manifests === 'none' && policy !== 'WhenEmpty') return { inconclusive: movesPods(policy) };
    const free = freeNodes(before, settings);
    const held = poolNodes(before, settings).filter((node) => !free.includes(node));
    // One of them keeps the last replica, unless that is on a node which others hold anyway.
    if (free.length < 2) return { inconclusive: noneEmpty(before, held) };
    const { namespace, application: name, nodePool } = settings;
    return {
      actions: [
        { action: 'set-consolidate-after', target: { nodePool: nodePool.name, value: consolidateAfter } },
        { action: 'scale', target: { namespace, name, replicas: 1 } },
      ],
      notes: [earliest, ...held.map((node) => neighboursNote(before, node))],
    };
  },
  settled: (now, before) => applicationAtRest(now, 1) && someRemoved(now, before),
  // Facts 4.7: consolidateAfter, a minute, and five for the polls, the validation, the drain and the instance's end.
  settleWithinSeconds: 480,
  replaces: false,
  mayRemoveEmptyNodes: true,
  mayLoseEndpoints: false,
  judge: (measured) => [
    emptyRemoved(measured),
    runningUntouched(measured),
    podsReady(measured, 1),
    noDowntime(measured, 'the node of the last replica was disrupted, or its pod cut requests while it ended'),
  ],
} as const satisfies Scenario;

/** Of somebody's own pool, whose other pods have not agreed to be moved every two minutes. */
const movesPods = (policy: string): string =>
  `consolidationPolicy of the pool is ${policy}: with consolidateAfter ${consolidateAfter} Karpenter would take nodes that are not empty, too`;

const poolNodes = ({ nodes }: Snapshot, settings: Settings): readonly string[] =>
  nodes.filter((node) => isPoolNode(node, settings)).map(({ metadata }) => metadata.name);

/** Nodes that hold nobody but the application, and pods that come with every node. */
function freeNodes(before: Before, settings: Settings): readonly string[] {
  return poolNodes(before, settings).filter((node) => neighbours(before, node).length === 0);
}

function noneEmpty(before: Before, held: readonly string[]): string {
  const why = held.map((node) => `${node} is held by ${neighbours(before, node).join(', ')}`);
  return ['no node of the pool would be empty with one replica left', ...why].join('; ');
}

/** Facts 3.3. */
const earliest: Expectation = {
  id: 'earliest-removal',
  expected: 'an empty node goes no sooner than Karpenter can',
  outcome: 'noted',
  observed:
    '120 s of consolidateAfter since its last pod event, a poll of at most 10 s, 15 s of validation, a drain of at least 5 s',
};

/** One is gone, and no other one is on its way: the claims go when their instances have ended. */
function someRemoved(now: Snapshot, before: Before): boolean {
  const uids = new Set(now.claims.map(({ metadata }) => metadata.uid));
  return (
    before.claims.some(({ metadata }) => !uids.has(metadata.uid)) &&
    now.claims.every(({ metadata }) => metadata.deletionTimestamp === undefined)
  );
}

function emptyRemoved({ pool }: Measurement): Expectation {
  const removed = pool?.nodesReplaced;
  return {
    id: 'empty-node-removed',
    expected: 'empty node removed',
    outcome: removed !== undefined && removed > 0 ? 'met' : 'inconclusive',
    observed: removed === undefined ? nodesUnseen : `${removed} nodes removed`,
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
        ? nodesUnseen
        : touched.length === 0
          ? 'no node was disrupted with a pod that was to stay'
          : `disrupted with a pod that was to stay: ${touched.join(', ')}`,
    advice: touched?.length
      ? 'this is no emptiness: see the events of the NodeClaim, and the version of Karpenter'
      : '',
  };
}

/** 4.1: an empty node goes when it has been empty for `consolidateAfter`. */
function predictConsolidation(now: Circumstances): Prediction {
  const empty = range(now.preStopSeconds, now.graceSeconds);
  const begins = sum(empty, range(consolidateAfterSeconds, consolidateAfterSeconds), usual.consolidationBegins);
  return {
    durationSeconds: sum(usual.frame, begins, usual.nodeGone),
    downtimeSeconds: now.preStopSeconds >= usual.endpointLag.most ? never : usual.endpointLag,
    nodeReadySeconds: null,
    podReadySeconds: null,
    steps: [
      { afterSeconds: empty, what: 'a node without pods', because: 'one replica is left' },
      {
        afterSeconds: begins,
        what: 'it is tainted',
        because: `consolidateAfter ${consolidateAfterSeconds / 60}m since its last pod event, poll 10 s, validation 15 s`,
      },
      { afterSeconds: sum(begins, usual.nodeGone), what: 'it is gone', because: 'instances end in tens of seconds' },
    ],
  };
}
