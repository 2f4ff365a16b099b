import { allowedDisruptions } from '../../cluster/allowed-disruptions.ts';
import type { Expectation } from '../finding.ts';
import type { Measurement } from '../measure/measure.ts';
import { neighboursNote } from '../observe/neighbours.ts';
import { atRestWithAtLeast, nodeReplaced, twoOrFewer } from '../observe/snapshot.ts';
import { chooseVictim } from '../observe/victim.ts';
import { cordoning, patchingPools } from '../permissions/needs.ts';
import type { Circumstances } from '../predict/circumstances.ts';
import { typicalDurations } from '../predict/typical-durations.ts';
import { never, type Prediction, range, sum } from '../record/prediction.ts';
import { atLeastReady, noDowntime, nodesNotObserved, unlessGuarded, whereNodesGo } from './expectations.ts';
import { budgetsNote, disruptionTrouble, freezeOf } from './pool-disruption.ts';
import type { Scenario } from './scenario.ts';
import { poolOf } from './shared.ts';
import { withoutSpareCapacity } from './spare-capacity.ts';

const budgets = [{ nodes: '1' }] as const;

/** Several polls of Karpenter of 10 s, to show that no second node follows (docs/facts/karpenter.md, "Disruption"). */
const observedSeconds = 60;

/** 4.1: budget nodes "1", mark a node for drift. One node is replaced, and no second one follows. */
export const disruptionBudget = {
  name: 'disruption-budget',
  title: 'Disruption budget',
  expected: 'only one node replaced; no mass eviction; no downtime; revert afterwards',
  explanation: {
    how: 'Sets the pool’s budget to "1" and marks one NodeClaim as drifted by its hash annotation, so that exactly one node is to be replaced.',
    fails: [
      'More than one node is disrupted at once: percentages are rounded up, a budget has a schedule or a reason, or the budget is ignored.',
      'Nothing happens: a node that is not ready uses up the budget, and no event reports that.',
      'A PodDisruptionBudget stops the replacement half-way, with the node tainted.',
    ],
    measured: [
      'nodes replaced, and how many at once',
      'downtime',
      'whether budget and annotation are back to the byte',
    ],
  },
  criterion: 5,
  resultRow: 'Drift replace',
  needsKarpenter: true,
  permissions: () => [
    cordoning,
    patchingPools,
    { group: 'karpenter.sh', resource: 'nodeclaims', verbs: ['get', 'patch'], undoes: true },
  ],
  sharedBy: poolOf,
  disturbs: ['nodes', 'budget'],
  restsOn: {
    'no-downtime': ['load-balancer-health', 'disruption-budget', 'graceful-termination', 'replicas-apart'],
  },
  predict: predictDisruptionBudget,
  // The other nodes are cordoned, and the pods of one node fit on another of its kind.
  newNodes: () => 1,
  baseline: { appReplicas: 2, orMore: true },
  plan: (before, settings) => {
    const freeze = freezeOf(before, settings);
    if (freeze !== undefined) return { inconclusive: freeze, needless: true };
    const trouble = disruptionTrouble(before, budgets, 'Drifted');
    if (trouble !== undefined) return { inconclusive: trouble };
    const victim = chooseVictim(before, settings);
    if ('inconclusive' in victim) return victim;
    const { node } = victim;
    const claim = before.claims.find(({ status }) => status?.nodeName === node);
    if (claim === undefined) return { inconclusive: `node ${node} has no NodeClaim` };
    const nodePool = settings.nodePool.name;
    return {
      actions: [
        { action: 'set-budget', target: { nodePool, value: budgets } },
        // A replacement node is to be measured, so the pods must not find room on another node.
        ...withoutSpareCapacity(before, settings, [node]),
        { action: 'mark-drift', target: { nodeClaim: claim.metadata.name } },
      ],
      notes: [budgetsNote(before, budgets, 'Drifted'), neighboursNote(before, node)],
    };
  },
  settled: (now, before) => atRestWithAtLeast(now, twoOrFewer(before)) && nodeReplaced(now, before),
  // Drifted 5 s, poll and nomination 30 s, a new node 120 s, its image 30 s, drain up to the pods' grace period, the
  // end of the instance 60 s; twice their sum.
  settleWithinSeconds: 600,
  holdSeconds: observedSeconds,
  replaces: true,
  mayRemoveEmptyNodes: false,
  mayLoseEndpoints: false,
  judge: (measured, settings) => [
    onlyOne(measured),
    oneAtATime(measured),
    atLeastReady(measured, 2, settings),
    noDowntime(measured, whereNodesGo(settings, unlessGuarded(settings, unguarded))),
  ],
} as const satisfies Scenario;

const unguarded = 'give the application a PodDisruptionBudget and a preStop sleep, and spread its replicas';

function onlyOne({ pool }: Measurement): Expectation {
  const id = 'one-node-replaced';
  const expected = 'only one node replaced';
  if (pool === undefined) return { id, expected, outcome: 'inconclusive', observed: nodesNotObserved };
  const { nodesReplaced: replaced, taken } = pool;
  const advice = replaced > 1 ? 'see the budgets of the pool, and what else drifts: kubectl get nodeclaims' : '';
  const stayed = taken.filter(({ goneSeconds }) => goneSeconds === null).map(({ node }) => node);
  const others = replaced > 0 && stayed.length > 0 ? `, and not ${stayed.join(', ')}, which was marked` : '';
  const outcome = replaced > 1 ? 'not-met' : replaced === 1 && others === '' ? 'met' : 'inconclusive';
  return { id, expected, outcome, observed: `${replaced} replaced${others}`, advice };
}

function oneAtATime({ pool }: Measurement): Expectation {
  const most = pool?.maxConcurrentDisruptions;
  return {
    id: 'one-at-a-time',
    expected: 'never more than one node disrupted at once',
    outcome: most === undefined ? 'inconclusive' : most <= 1 ? 'met' : 'not-met',
    observed: most === undefined ? nodesNotObserved : `at most ${most} at once`,
  };
}

/** One NodeClaim is marked; its replacement is ready before its node is drained. */
function predictDisruptionBudget(now: Circumstances): Prediction {
  const begins = sum(typicalDurations.driftSeen, typicalDurations.disruptionBegins);
  const node = sum(begins, typicalDurations.newNode);
  const drained = sum(node, range(now.preStopSeconds, now.graceSeconds));
  const before = allowedDisruptions(now.budgets, now.poolNodes);
  return {
    durationSeconds: sum(
      typicalDurations.frame,
      drained,
      typicalDurations.nodeGone,
      range(observedSeconds, observedSeconds),
    ),
    downtimeSeconds: now.preStopSeconds >= typicalDurations.endpointLag.most ? never : typicalDurations.endpointLag,
    nodeReadySeconds: node,
    podReadySeconds: sum(drained, now.pulledStart),
    steps: [
      {
        afterSeconds: typicalDurations.driftSeen,
        measuredAs: 'claim-drifted',
        what: 'the claim is drifted',
        because: 'its hash is not the pool’s',
      },
      {
        afterSeconds: begins,
        measuredAs: 'node-tainted',
        what: 'one node is tainted',
        because: `budget "1" allows 1 of ${now.poolNodes} nodes; ${now.budgets.join(', ') || '10%'} allowed ${before}`,
      },
      {
        afterSeconds: node,
        measuredAs: 'node-ready',
        what: 'its replacement is ready',
        because: 'EC2 takes 45 to 120 s',
      },
      {
        afterSeconds: drained,
        measuredAs: 'pods-gone',
        what: 'its pods have moved',
        because: 'Karpenter drains only then',
      },
      {
        afterSeconds: sum(drained, typicalDurations.nodeGone),
        measuredAs: 'node-gone',
        what: 'it is gone',
        because: 'instances end in tens of seconds',
      },
    ],
  };
}
