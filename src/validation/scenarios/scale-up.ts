import type { Expectation } from '../finding.ts';
import { holdSeconds } from '../frame.ts';
import type { Measurement } from '../measure/measure.ts';
import { applicationAtRest } from '../observe/snapshot.ts';
import { cordoning } from '../permissions/needs.ts';
import type { Circumstances } from '../predict/circumstances.ts';
import { typicalDurations } from '../predict/typical-durations.ts';
import { never, type PredictedStep, type Prediction, range, sum } from '../record/prediction.ts';
import { hasKarpenter, type Settings, workloadOf } from '../settings.ts';
import { atLeastReady, newNodes, noDowntime } from './expectations.ts';
import { podNotes, scalingAdvice } from './scaling-advice.ts';
import type { Scenario } from './scenario.ts';
import { withoutSpareCapacity } from './spare-capacity.ts';

const specified = { from: 2, to: 5 };

/**
 * nginx tries up to three pods (docs/facts/ingress-nginx.md, "Tries and time limits"), which hides pods that get
 * traffic too early: with three of them among five, 1 request in 5 fails. In two rounds of 40 samples, less the 5
 * before the ingress controller knows the new endpoints, that is missed less than once in 100,000 runs.
 */
const heldSeconds = 40;

/**
 * 4.1: set replicas 5. The first round is made without spare capacity, the second with the nodes that the first one
 * left.
 */
export const scaleUp = {
  ...scaledUp(specified),
  forOwner: ({ wanted, scaledUp: to }) => scaledUp({ from: wanted, to }),
} as const satisfies Scenario;

function scaledUp({ from, to }: { readonly from: number; readonly to: number }) {
  return {
    name: 'scale-up',
    title: 'Scale up',
    expected: 'pods increase; if capacity is lacking a new ARM node is provisioned; no downtime; log stays 200',
    explanation: {
      how: 'Sets replicas to 5, once without room on the nodes, so that a new node is needed, and once with room.',
      fails: [
        'Without a readiness probe a container gets traffic as soon as it has started: refused connections, or late answers.',
        'Pods stay pending: limits of the pool, no capacity for category r and generation > 6, or an image that is not built for arm64.',
        'Without resource requests all pods fit on one node, and no new node is ever needed.',
      ],
      measured: ['downtime', 'each new pod from its creation to Ready', 'new nodes, from NodeClaim to Initialized'],
    },
    criterion: 1,
    resultRow: 'Scale up',
    needsReplicas: true,
    // It cordons nodes of the pool, so that capacity is lacking.
    disturbs: ['nodes', 'quota'],
    restsOn: { 'no-downtime': ['readiness-probe', 'rollout'], 'new-node': ['node-requirements'] },
    permissions: () => [cordoning],
    predict: predictScaleUp,
    newNodes: ({ oneReplicaANode }) => (oneReplicaANode ? to - from : 1),
    baseline: { appReplicas: from },
    rounds: 2,
    plan: (before, settings, round) => {
      const scale = { action: 'scale', target: { ...workloadOf(settings), replicas: to } } as const;
      if (round > 0 || !hasKarpenter(settings)) return { actions: [scale], notes: round > 0 ? [] : podNotes(before) };
      return { actions: [...withoutSpareCapacity(before, settings), scale], notes: podNotes(before) };
    },
    settled: (now) => applicationAtRest(now, to),
    // A new node takes 60 to 120 s (docs/facts/aws.md, "A new instance"), an image pull 10 to 30 s more; three times
    // their sum.
    settleWithinSeconds: 450,
    holdSeconds: heldSeconds,
    replaces: false,
    mayRemoveEmptyNodes: false,
    mayLoseEndpoints: false,
    judge: (measured, settings) => [
      atLeastReady(measured, to, settings),
      ...(hasKarpenter(settings) ? [newNodes(measured, settings, 0), noneWithCapacity(measured, settings)] : []),
      noDowntime(measured, scalingAdvice(measured, { done: 'readiness-probe', undone: 'pre-stop' }, settings)),
    ],
  } as const satisfies Scenario;
}

/** Inconclusive instead of not met, because other pods may have used the spare capacity meanwhile. */
function noneWithCapacity({ pool }: Measurement, { manifests }: Settings): Expectation {
  const came = pool?.newNodes[1];
  // A pool of its owner may have consolidated the nodes of the first round.
  const otherwise = manifests === 'none' && came !== undefined ? 'noted' : 'inconclusive';
  return {
    id: 'no-new-node',
    expected: 'no new node where capacity is not lacking',
    outcome: came?.length === 0 ? 'met' : otherwise,
    observed: came === undefined ? 'not seen' : `${came.length} new nodes`,
  };
}

/** Pods start on nodes with room; without room a new node is needed. */
function predictScaleUp(now: Circumstances): Prediction {
  const onNewNode = sum(typicalDurations.newNode, now.pulledStart);
  const tooEarly: PredictedStep = {
    afterSeconds: now.cachedStart,
    what: 'traffic reaches pods that do not listen yet',
    because: 'there is no readiness probe: a container counts as ready when it has started',
  };
  return {
    durationSeconds: sum(
      typicalDurations.frame,
      range(heldSeconds - holdSeconds, heldSeconds - holdSeconds),
      range(now.cachedStart.least, onNewNode.most),
    ),
    downtimeSeconds: now.hasReadinessProbe ? never : range(0, now.cachedStart.most + typicalDurations.endpointLag.most),
    nodeReadySeconds: typicalDurations.newNode,
    podReadySeconds: range(now.cachedStart.least, onNewNode.most),
    steps: [
      { afterSeconds: now.cachedStart, what: 'pods ready on nodes with room', because: 'the image is on their disks' },
      ...(now.hasReadinessProbe ? [] : [tooEarly]),
      {
        afterSeconds: typicalDurations.newNode,
        measuredAs: 'node-ready',
        what: 'a new node, if capacity is lacking',
        because: 'EC2 takes 45 to 120 s',
      },
      {
        afterSeconds: onNewNode,
        measuredAs: 'pod-ready',
        what: 'pods ready on it',
        because: 'the image is pulled there first',
      },
    ],
  };
}
