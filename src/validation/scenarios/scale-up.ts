import type { Expectation } from '../finding.ts';
import type { Measurement } from '../measure/measure.ts';
import { applicationAtRest } from '../observe/snapshot.ts';
import { cordoning } from '../permissions/needs.ts';
import type { Circumstances } from '../predict/circumstances.ts';
import { usual } from '../predict/typical-durations.ts';
import { never, type PredictedStep, type Prediction, range, sum } from '../record/prediction.ts';
import { newNodes, noDowntime, podsReady } from './expectations.ts';
import { podNotes, scalingAdvice } from './scaling-advice.ts';
import type { Scenario } from './scenario.ts';
import { withoutSpareCapacity } from './spare-capacity.ts';

const replicas = 5;

/** 4.1, first row: set replicas 5; pods increase and nobody notices. First without spare capacity, then with what that left behind. */
export const scaleUp = {
  name: 'scale-up',
  title: 'Scale up',
  expected: 'pods increase; if capacity is lacking a new ARM node is provisioned; no downtime; log stays 200',
  explanation: {
    how: 'Sets 5 replicas, once with room on the nodes and once without, so that a new node has to come.',
    fails: [
      'Without a readiness probe a container gets traffic as soon as it has started: refused connections, or answers that come late.',
      'Pods wait for a node: limits of the pool, no instance of category r and generation > 6 in stock, an image that is not built for arm64.',
      'Without resource requests all pods fit on one node, and no node is ever asked for.',
    ],
    measured: ['downtime', 'each new pod from its creation to Ready', 'new nodes, from NodeClaim to Initialized'],
  },
  criterion: 1,
  resultRow: 'Scale up',
  permissions: () => [cordoning],
  predict: predictScaleUp,
  baseline: { appReplicas: 2 },
  rounds: 2,
  plan: (before, settings, round) => {
    const { namespace, application: name } = settings;
    const scale = { action: 'scale', target: { namespace, name, replicas } } as const;
    if (round > 0) return { actions: [scale] };
    return { actions: [...withoutSpareCapacity(before, settings), scale], notes: podNotes(before) };
  },
  settled: (now) => applicationAtRest(now, replicas),
  // A new node takes 60 to 120 s on EC2 (facts 4.0, 4.1), an image pull 10 to 30 s more; three times their sum.
  settleWithinSeconds: 450,
  // Pods that get traffic too early are hidden by nginx's other two tries (facts 3.8): 1 request in 5 shows three of them among five. In two
  // rounds of 40 samples, 5 of each before the ingress controller knows of them, that is missed less than once in 100,000 times.
  holdSeconds: 40,
  replaces: false,
  mayRemoveEmptyNodes: false,
  mayLoseEndpoints: false,
  judge: (measured) => [
    podsReady(measured, replicas),
    newNodes(measured, 0),
    noneWithCapacity(measured),
    noDowntime(measured, scalingAdvice(measured, { done: 'readiness-probe', undone: 'pre-stop' })),
  ],
} as const satisfies Scenario;

/** It proves nothing against the cluster when something else took the room meanwhile. */
function noneWithCapacity({ pool }: Measurement): Expectation {
  const came = pool?.newNodes[1];
  return {
    id: 'no-new-node',
    expected: 'no new node where capacity is not lacking',
    outcome: came?.length === 0 ? 'met' : 'inconclusive',
    observed: came === undefined ? 'not seen' : `${came.length} new nodes`,
  };
}

/** 4.1: pods where there is room, and a node where there is not. */
function predictScaleUp(now: Circumstances): Prediction {
  const onNewNode = sum(usual.newNode, now.pulledStart);
  const tooEarly: PredictedStep = {
    afterSeconds: now.cachedStart,
    what: 'traffic reaches pods that do not listen yet',
    because: 'there is no readiness probe: a container counts as ready when it has started',
  };
  return {
    durationSeconds: sum(usual.frame, usual.longerHold, range(now.cachedStart.least, onNewNode.most)),
    downtimeSeconds: now.hasReadinessProbe ? never : range(0, now.cachedStart.most + usual.endpointLag.most),
    nodeReadySeconds: usual.newNode,
    podReadySeconds: range(now.cachedStart.least, onNewNode.most),
    steps: [
      { afterSeconds: now.cachedStart, what: 'pods ready on nodes with room', because: 'the image is on their disks' },
      ...(now.hasReadinessProbe ? [] : [tooEarly]),
      { afterSeconds: usual.newNode, what: 'a new node, if capacity is lacking', because: 'EC2 takes 45 to 120 s' },
      { afterSeconds: onNewNode, what: 'pods ready on it', because: 'the image is pulled there first' },
    ],
  };
}
