import { allowedDisruptions } from '../../cluster/allowed-disruptions.ts';
import type { Expectation } from '../finding.ts';
import type { Measurement } from '../measure/measure.ts';
import { neighboursNote } from '../observe/neighbours.ts';
import { applicationAtRest, nodeReplaced } from '../observe/snapshot.ts';
import { chooseVictim } from '../observe/victim.ts';
import { cordoning, patchingPools } from '../permissions/needs.ts';
import type { Circumstances } from '../predict/circumstances.ts';
import { usual } from '../predict/typical-durations.ts';
import { never, type Prediction, range, sum } from '../record/prediction.ts';
import { noDowntime, nodesUnseen, podsReady } from './expectations.ts';
import { budgetsNote, disruptionTrouble, freezeOf } from './pool-disruption.ts';
import type { Scenario } from './scenario.ts';
import { withoutSpareCapacity } from './spare-capacity.ts';

const budgets = [{ nodes: '1' }] as const;

/** 4.1: with the budget "1", make exactly one node drift. One node is replaced, and no second one follows. */
export const disruptionBudget = {
  name: 'disruption-budget',
  title: 'Disruption budget',
  expected: 'only one node replaced; no mass eviction; no downtime; revert afterwards',
  explanation: {
    how: 'Sets the pool’s budget to "1" and marks one NodeClaim as drifted by its hash annotation, so that exactly one node is to be replaced.',
    fails: [
      'More than one node goes at once, because percentages are rounded up, a schedule or a reason overrides, or the budget is not kept.',
      'Nothing happens: a node that is not ready uses the budget up, and no event says so.',
      'A PodDisruptionBudget stops it half-way, with the node tainted.',
    ],
    measured: [
      'nodes replaced, and how many at once',
      'downtime',
      'whether budget and annotation are back to the byte',
    ],
  },
  criterion: 5,
  resultRow: 'Drift replace',
  permissions: () => [
    cordoning,
    patchingPools,
    { group: 'karpenter.sh', resource: 'nodeclaims', verbs: ['get', 'patch'], undoes: true },
  ],
  predict: predictDisruptionBudget,
  baseline: { appReplicas: 2 },
  plan: (before, settings) => {
    const trouble = freezeOf(before, settings) ?? disruptionTrouble(before, budgets, 'Drifted');
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
        // The node that replaces it is to be measured, so its pods must not find room elsewhere.
        ...withoutSpareCapacity(before, settings, [node]),
        { action: 'mark-drift', target: { nodeClaim: claim.metadata.name } },
      ],
      notes: [budgetsNote(before, budgets, 'Drifted'), neighboursNote(before, node)],
    };
  },
  settled: (now, before) => applicationAtRest(now, 2) && nodeReplaced(now, before),
  // Seen 5 s, poll and nomination 30 s, a new node 120 s, its image 30 s, drain up to the pods' grace, the instance's end 60 s (facts 3.4); twice their sum.
  settleWithinSeconds: 600,
  // Facts 3.4: several polls of 10 s, to prove that no second one starts.
  holdSeconds: 60,
  replaces: true,
  mayRemoveEmptyNodes: false,
  mayLoseEndpoints: false,
  judge: (measured) => [
    onlyOne(measured),
    oneAtATime(measured),
    podsReady(measured, 2),
    noDowntime(measured, 'give the application a PodDisruptionBudget and a preStop sleep, and spread its replicas'),
  ],
} as const satisfies Scenario;

function onlyOne({ pool }: Measurement): Expectation {
  const replaced = pool?.nodesReplaced ?? 0;
  return {
    id: 'one-node-replaced',
    expected: 'only one node replaced',
    outcome: replaced === 1 ? 'met' : replaced > 1 ? 'not-met' : 'inconclusive',
    observed: pool === undefined ? nodesUnseen : `${replaced} replaced`,
    advice: replaced > 1 ? 'see the budgets of the pool, and what else drifts: kubectl get nodeclaims' : '',
  };
}

function oneAtATime({ pool }: Measurement): Expectation {
  const most = pool?.maxConcurrentDisruptions;
  return {
    id: 'one-at-a-time',
    expected: 'never more than one node disrupted at once',
    outcome: most === undefined ? 'inconclusive' : most <= 1 ? 'met' : 'not-met',
    observed: most === undefined ? nodesUnseen : `at most ${most} at once`,
  };
}

/** What proves that no second one follows (facts 3.4). */
const quietSeconds = 60;

/** 4.1: one claim is marked, and replaced before it is drained. */
function predictDisruptionBudget(now: Circumstances): Prediction {
  const begins = sum(usual.driftSeen, usual.disruptionBegins);
  const node = sum(begins, usual.newNode);
  const drained = sum(node, range(now.preStopSeconds, now.graceSeconds));
  const before = allowedDisruptions(now.budgets, now.poolNodes);
  return {
    durationSeconds: sum(usual.frame, drained, usual.nodeGone, range(quietSeconds, quietSeconds)),
    downtimeSeconds: now.preStopSeconds >= usual.endpointLag.most ? never : usual.endpointLag,
    nodeReadySeconds: node,
    podReadySeconds: sum(drained, now.pulledStart),
    steps: [
      { afterSeconds: usual.driftSeen, what: 'the claim is drifted', because: 'its hash is not the pool’s' },
      {
        afterSeconds: begins,
        what: 'one node is tainted',
        because: `budget "1" allows 1 of ${now.poolNodes} nodes; ${now.budgets.join(', ') || '10%'} allowed ${before}`,
      },
      { afterSeconds: node, what: 'its replacement is ready', because: 'EC2 takes 45 to 120 s' },
      { afterSeconds: drained, what: 'its pods have moved', because: 'Karpenter drains only then' },
      { afterSeconds: sum(drained, usual.nodeGone), what: 'it is gone', because: 'instances end in tens of seconds' },
    ],
  };
}
