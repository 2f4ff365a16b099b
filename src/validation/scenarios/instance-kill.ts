import { atMost, boundedText, downtimeText } from '../downtime/downtime.ts';
import type { Expectation } from '../finding.ts';
import type { Measurement } from '../measure/measure.ts';
import { type Bounded, boundedSeconds } from '../measure/witnesses.ts';
import { neighboursNote } from '../observe/neighbours.ts';
import { atRestWithAtLeast, nodeReplaced } from '../observe/snapshot.ts';
import { chooseVictim } from '../observe/victim.ts';
import { cordoning } from '../permissions/needs.ts';
import type { Circumstances } from '../predict/circumstances.ts';
import { typicalDurations } from '../predict/typical-durations.ts';
import { type PredictedStep, type Prediction, type Range, range, sum } from '../record/prediction.ts';
import type { Settings } from '../settings.ts';
import { atLeastReady, newNodes } from './expectations.ts';
import type { Scenario } from './scenario.ts';
import { poolOf } from './shared.ts';
import { withoutSpareCapacity } from './spare-capacity.ts';

/** 4.1: terminate the cloud instance. Measures three durations: until traffic is whole, until a new node and a new pod are ready. */
export const instanceKill = {
  name: 'instance-kill',
  title: 'Instance hard kill',
  expected:
    'node NotReady; new ARM node provisioned; pods rescheduled; short recovery; target under 60 seconds total; measure node ready time, pod ready time, downtime seconds',
  explanation: {
    how: 'Terminates the instance of a node through the cloud’s API, without notice to Kubernetes. It is irreversible.',
    fails: [
      'The node becomes NotReady only after 40 to 50 s (node-monitor-grace-period). Until then, with one of two pods dead, half of the requests meet it: ingress-nginx waits 5 s and asks any pod again, the dead one too. Measured, 53 % of those took 5 s, 26 % 10 s, 19 % failed with 504 after 15 s, and one request for each connection kept to the pod waited 60 s.',
      'Pods stay on the node for 300 s unless it is deleted; a new node takes another 45 to 120 s. With an interruption queue Karpenter reacts within seconds.',
      'Without a spread of the replicas all of them were on that node.',
    ],
    measured: [
      'downtime, for which the 60 s are the target',
      'when the replacement node is Ready',
      'when the replacement pod is Ready',
      'when the node is NotReady',
    ],
  },
  criterion: 3,
  resultRow: 'Instance kill',
  irreversible: true,
  needsKarpenter: true,
  permissions: () => [cordoning],
  cloudPermissions: ['ec2:DescribeInstances', 'ec2:TerminateInstances'],
  sharedBy: poolOf,
  disturbs: ['nodes'],
  restsOn: {
    'new-node': ['node-requirements'],
    'short-recovery': ['replicas-apart', 'spread', 'application-replicas'],
  },
  predict: predictInstanceKill,
  // The other nodes are cordoned, and the pods of one node fit on another of its kind.
  newNodes: () => 1,
  baseline: { appReplicas: 2, orMore: true },
  needs: 'instances',
  plan: (before, settings) => {
    const victim = chooseVictim(before, settings);
    if ('inconclusive' in victim) return victim;
    const { node } = victim;
    const kill = { action: 'terminate-instance', target: { node, nodePool: settings.nodePool.name } } as const;
    return {
      // A replacement node is to be measured, so the pods must not find room on another node.
      actions: [...withoutSpareCapacity(before, settings, [node]), kill],
      notes: [neighboursNote(before, node)],
    };
  },
  settled: (now, before) => atRestWithAtLeast(now, 2) && nodeReplaced(now, before),
  // NotReady 50 s, pods collected 60 s after the Node is deleted, a new node 120 s, the old NodeClaim collected after 120 s; twice their sum (docs/facts/kubernetes.md, "A node that fails").
  settleWithinSeconds: 720,
  replaces: true,
  mayRemoveEmptyNodes: false,
  mayLoseEndpoints: true,
  judge: (measured, settings) => [
    traffic(measured, settings),
    nodeNotReady(measured),
    newNodes(measured, settings, 0),
    atLeastReady(measured, 2, settings),
    clocks(measured),
  ],
} as const satisfies Scenario;

/** The target is about traffic: Kubernetes needs 50 s to detect the failure, and a new node takes more than a minute. */
function traffic({ downtime }: Measurement, { instanceKill: { maximumDowntime } }: Settings): Expectation {
  const outcome = atMost(downtime, maximumDowntime);
  return {
    id: 'short-recovery',
    expected: `at most ${maximumDowntime} s of downtime`,
    outcome,
    observed: boundedText(downtime),
    advice:
      outcome === 'met' ? '' : 'spread at least 2 replicas over nodes, and give the autoscaler an interruption queue',
  };
}

/** Noted if the node was seen to fail or to go: an autoscaler with an interruption queue may delete the node before it is NotReady. */
function nodeNotReady({ pool }: Measurement): Expectation {
  const [taken] = pool?.taken ?? [];
  const gone = taken?.goneSeconds ?? null;
  const end = gone === null ? '' : `; its Node was gone after ${gone.toFixed(0)} s`;
  const seen = taken?.notReadySeconds ?? null;
  return {
    id: 'node-not-ready',
    expected: 'node NotReady',
    outcome: seen === null && gone === null ? 'inconclusive' : 'noted',
    observed: seen === null ? `never seen${end}` : `seen after ${seen.toFixed(0)} s${end}`,
  };
}

function clocks({ downtime, pool, application }: Measurement): Expectation {
  const text = (time: Bounded | null | undefined): string => (time ? boundedSeconds(time) : 'not seen');
  const node = text(pool?.nodeReady);
  const pod = text(application?.podReady);
  return {
    id: 'three-clocks',
    expected: 'node ready time, pod ready time, downtime seconds',
    outcome: 'noted',
    observed: `node ready ${node}, pod ready ${pod}, downtime ${downtimeText(downtime)}; the target is about the last`,
  };
}

/** Traffic is whole when the endpoint of the dead pod is removed; node and pod need a new instance. */
function predictInstanceKill(now: Circumstances): Prediction {
  const removed = endpointRemoved(now);
  const replaced = replacementBegins(now);
  const node = sum(replaced, typicalDurations.newNode);
  const volume = now.hasOwnVolumes ? sum(replaced, typicalDurations.heldVolume) : range(0, 0);
  const pod = sum(later(node, volume), now.pulledStart);
  const alone = now.applicationNodes < 2;
  const traffic = range(0, (alone ? pod.most : removed.most) + typicalDurations.endpointLag.most);
  return {
    durationSeconds: sum(typicalDurations.frame, pod),
    downtimeSeconds: traffic,
    nodeReadySeconds: node,
    podReadySeconds: pod,
    steps: [
      ...trafficSteps(now, removed, traffic),
      {
        afterSeconds: replaced,
        measuredAs: 'replacement-asked',
        what: 'a replacement is asked for',
        because: replacedBecause(now),
      },
      { afterSeconds: node, measuredAs: 'node-ready', what: 'the new node is ready', because: 'EC2 takes 45 to 120 s' },
      {
        afterSeconds: pod,
        measuredAs: 'pod-ready',
        what: 'the new pod is ready',
        because: now.hasOwnVolumes
          ? 'its volume stays with the dead node for 6 minutes (Multi-Attach error)'
          : 'the image is pulled there first',
      },
    ],
  };
}

/** When both have happened. */
const later = (one: Range, other: Range): Range =>
  range(Math.max(one.least, other.least), Math.max(one.most, other.most));

function trafficSteps(now: Circumstances, removed: Range, traffic: Range): readonly PredictedStep[] {
  const alone = now.applicationNodes < 2;
  return [
    {
      afterSeconds: range(0, typicalDurations.powerOff.most),
      what: alone ? 'nobody serves' : 'about half of the requests wait for a dead pod',
      because: alone
        ? 'all replicas are on the victim'
        : 'nginx waits 5 s (proxy-connect-timeout), then asks any pod again: one of five of these requests fails',
    },
    {
      afterSeconds: removed,
      measuredAs: 'endpoint-removed',
      what: 'its endpoint is removed',
      because: removedBecause(now),
    },
    {
      afterSeconds: traffic,
      measuredAs: 'traffic',
      what: 'traffic is whole again',
      because: `ingress-nginx learns of it within ${typicalDurations.endpointLag.most} s`,
    },
  ];
}

/** When the endpoint is removed: with an interruption queue Karpenter evicts the pods at once, without it the node must become NotReady. */
function endpointRemoved(now: Circumstances): Range {
  const missed = sum(
    range(now.nodeMonitorGraceSeconds - 10, now.nodeMonitorGraceSeconds),
    typicalDurations.controllerPeriod,
  );
  return now.hasInterruptionQueue
    ? range(0, sum(typicalDurations.powerOff, typicalDurations.interruption).most)
    : missed;
}

function replacementBegins(now: Circumstances): Range {
  if (now.hasInterruptionQueue)
    return range(0, sum(typicalDurations.powerOff, typicalDurations.interruption, typicalDurations.podCollected).most);
  return sum(endpointRemoved(now), typicalDurations.controllerPeriod, range(0, typicalDurations.podCollected.most));
}

function removedBecause({ hasInterruptionQueue, nodeMonitorGraceSeconds }: Circumstances): string {
  if (hasInterruptionQueue) return 'the interruption queue tells Karpenter, which evicts its pods';
  const why =
    hasInterruptionQueue === undefined
      ? 'whether there is an interruption queue is not known'
      : 'there is no interruption queue';
  return `node-monitor-grace-period ${nodeMonitorGraceSeconds} s; ${why}`;
}

function replacedBecause({ hasInterruptionQueue }: Circumstances): string {
  return hasInterruptionQueue
    ? 'evicted pods wait for a node'
    : 'the node is deleted when the cloud says that its instance is gone, and its pods are collected within 60 s';
}
