import { evictionRetrySeconds } from '../actions/evict-all.ts';
import { atRestWithAtLeast, twoOrFewer } from '../observe/snapshot.ts';
import { chooseVictim } from '../observe/victim.ts';
import { cordoning } from '../permissions/needs.ts';
import type { Circumstances } from '../predict/circumstances.ts';
import { typicalDurations } from '../predict/typical-durations.ts';
import { never, type Prediction, range, sum } from '../record/prediction.ts';
import { atLeastReady, noDowntime, unlessGuarded, whereNodesGo } from './expectations.ts';
import type { Scenario } from './scenario.ts';
import { poolOf } from './shared.ts';

/** 4.1: drain node, ignoring daemon sets and deleting empty-dir data, as `kubectl drain` does. */
export const nodeDrain = {
  name: 'node-drain',
  title: 'Manual node drain',
  expected: 'pods rescheduled; no downtime with at least 2 replicas',
  explanation: {
    how: 'Drains the node with most of the application’s pods, by kubectl’s rules: cordon, evict, wait.',
    fails: [
      'Both replicas are on that node, and the second one is evicted before the first is ready again.',
      'A PodDisruptionBudget allows no eviction, and the drain waits for ever. The refusal names the budget.',
      'Pods of a DaemonSet are ignored, as kubectl does: they stay, and go on answering.',
      'The ingress controller, the DNS automation or the autoscaler runs on it too; such a node is not chosen.',
    ],
    measured: ['downtime', 'eviction to Ready of the pods that moved', 'a new node, if one was needed'],
  },
  criterion: 2,
  resultRow: 'Node drain',
  permissions: () => [
    cordoning,
    { group: '', resource: 'pods', verbs: ['get'] },
    { group: '', resource: 'pods/eviction', verbs: ['create'] },
  ],
  sharedBy: poolOf,
  disturbs: ['nodes', 'budget'],
  restsOn: {
    'no-downtime': ['disruption-budget', 'graceful-termination', 'application-replicas', 'replicas-apart'],
  },
  predict: predictNodeDrain,
  newNodes: nodesForEvicted,
  baseline: { appReplicas: 2, orMore: true },
  plan: (before, settings) => {
    const victim = chooseVictim(before, settings);
    return 'inconclusive' in victim ? victim : { actions: [{ action: 'drain-node', target: { node: victim.node } }] };
  },
  settled: (now, before) => atRestWithAtLeast(now, twoOrFewer(before)),
  // As for scale-up: a new node, and a pod on it.
  settleWithinSeconds: 450,
  replaces: true,
  mayRemoveEmptyNodes: false,
  mayLoseEndpoints: false,
  judge: (measured, settings) => [
    atLeastReady(measured, 2, settings),
    noDowntime(measured, whereNodesGo(settings, unlessGuarded(settings, unguarded))),
  ],
} as const satisfies Scenario;

const unguarded = 'spread the replicas over nodes, and give the application a PodDisruptionBudget';

/**
 * One, if the evicted pods fit on no other node of the pool: there is none without the application, or none that takes
 * a second replica.
 */
function nodesForEvicted({ poolNodes, applicationNodes, oneReplicaANode, staysInDrain }: Circumstances): number {
  if (staysInDrain) return 0;
  if (poolNodes > applicationNodes) return 0;
  return oneReplicaANode || applicationNodes < 2 ? 1 : 0;
}

const podsStay: Prediction = {
  durationSeconds: typicalDurations.frame,
  downtimeSeconds: never,
  nodeReadySeconds: null,
  podReadySeconds: null,
  steps: [{ afterSeconds: range(0, 0), what: 'its pods stay', because: 'a drain ignores the pods of a DaemonSet' }],
};

/** The pods are evicted one by one as the budget allows; a new node is needed if they fit on no other. */
function predictNodeDrain(now: Circumstances): Prediction {
  if (now.staysInDrain) return podsStay;
  const leaving = range(now.preStopSeconds, now.graceSeconds + evictionRetrySeconds);
  const onNewNode = sum(typicalDurations.newNode, now.pulledStart);
  const together = now.applicationNodes === 1;
  const safe = now.preStopSeconds >= typicalDurations.endpointLag.most && (!together || now.hasReadinessProbe);
  return {
    durationSeconds: sum(typicalDurations.frame, range(leaving.least, leaving.most + onNewNode.most)),
    downtimeSeconds: safe ? never : range(0, together ? onNewNode.most : typicalDurations.endpointLag.most),
    nodeReadySeconds: sum(range(0, leaving.most), typicalDurations.newNode),
    podReadySeconds: range(now.cachedStart.least, leaving.most + onNewNode.most),
    steps: [
      {
        afterSeconds: leaving,
        measuredAs: 'pods-gone',
        what: 'the pods have left the node',
        because: together
          ? 'all replicas are on one node: the budget lets one go at a time'
          : `the replicas are on ${now.applicationNodes} nodes`,
      },
      {
        afterSeconds: sum(leaving, typicalDurations.newNode),
        measuredAs: 'node-ready',
        what: 'a new node, where they fit nowhere else',
        because: 'EC2 takes 45 to 120 s',
      },
      {
        afterSeconds: sum(leaving, onNewNode),
        measuredAs: 'pod-ready',
        what: 'the pods are ready again',
        because: 'the image is pulled there first',
      },
    ],
  };
}
