import { applicationAtRest } from '../observe/snapshot.ts';
import { chooseVictim } from '../observe/victim.ts';
import { cordoning } from '../permissions/needs.ts';
import type { Circumstances } from '../predict/circumstances.ts';
import { usual } from '../predict/typical-durations.ts';
import { never, type Prediction, range, sum } from '../record/prediction.ts';
import { noDowntime, podsReady } from './expectations.ts';
import type { Scenario } from './scenario.ts';

/** 4.1, fourth row: drain a node as `kubectl drain --ignore-daemonsets --delete-emptydir-data` does. */
export const nodeDrain = {
  name: 'node-drain',
  title: 'Manual node drain',
  expected: 'pods rescheduled; no downtime with at least 2 replicas',
  explanation: {
    how: 'Drains the node that holds most of the application’s pods, by kubectl’s own rules: cordon, evict, wait.',
    fails: [
      'Both replicas are on that node, and the second one goes before the first is ready again.',
      'A budget that lets no pod go: the drain waits for ever. The refusal names the budget.',
      'The ingress controller, CoreDNS or the autoscaler lives there too; such a node is not chosen.',
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
  predict: predictNodeDrain,
  baseline: { appReplicas: 2 },
  plan: (before, settings) => {
    const victim = chooseVictim(before, settings);
    return 'inconclusive' in victim ? victim : { actions: [{ action: 'drain-node', target: { node: victim.node } }] };
  },
  settled: (now) => applicationAtRest(now, 2),
  // As for scale-up: a new node, and a pod on it.
  settleWithinSeconds: 450,
  replaces: true,
  mayRemoveEmptyNodes: false,
  mayLoseEndpoints: false,
  judge: (measured) => [
    podsReady(measured, 2),
    noDowntime(measured, 'spread the replicas over nodes, and give the application a PodDisruptionBudget'),
  ],
} as const satisfies Scenario;

/** kubectl asks again after 5 s when a budget refuses an eviction (facts 3.2). */
const evictionRetrySeconds = 5;

/** 4.1: evicted one by one as the budget allows; a new node where the pods fit nowhere else. */
function predictNodeDrain(now: Circumstances): Prediction {
  const leaving = range(now.preStopSeconds, now.graceSeconds + evictionRetrySeconds);
  const onNewNode = sum(usual.newNode, now.pulledStart);
  const together = now.applicationNodes === 1;
  const safe = now.preStopSeconds >= usual.endpointLag.most && (!together || now.hasReadinessProbe);
  return {
    durationSeconds: sum(usual.frame, range(leaving.least, leaving.most + onNewNode.most)),
    downtimeSeconds: safe ? never : range(0, together ? onNewNode.most : usual.endpointLag.most),
    nodeReadySeconds: sum(range(0, leaving.most), usual.newNode),
    podReadySeconds: range(now.cachedStart.least, leaving.most + onNewNode.most),
    steps: [
      {
        afterSeconds: leaving,
        what: 'the pods have left the node',
        because: together
          ? 'all replicas are on one node: the budget lets one go at a time'
          : `the replicas are on ${now.applicationNodes} nodes`,
      },
      {
        afterSeconds: sum(leaving, usual.newNode),
        what: 'a new node, where they fit nowhere else',
        because: 'EC2 takes 45 to 120 s',
      },
      {
        afterSeconds: sum(leaving, onNewNode),
        what: 'the pods are ready again',
        because: 'the image is pulled there first',
      },
    ],
  };
}
