import { atMost, boundedText, downtimeText } from '../downtime/downtime.ts';
import type { Expectation } from '../finding.ts';
import type { Measurement } from '../measure/measure.ts';
import { neighboursNote } from '../observe/neighbours.ts';
import { applicationAtRest, nodeReplaced } from '../observe/snapshot.ts';
import { chooseVictim } from '../observe/victim.ts';
import { cordoning } from '../permissions/needs.ts';
import type { Circumstances } from '../predict/circumstances.ts';
import { usual } from '../predict/typical-durations.ts';
import { type PredictedStep, type Prediction, type Range, range, sum } from '../record/prediction.ts';
import type { Settings } from '../settings.ts';
import { newNodes, podsReady } from './expectations.ts';
import type { Scenario } from './scenario.ts';
import { withoutSpareCapacity } from './spare-capacity.ts';

/** 4.1: terminate the cloud instance under a node. Three clocks: traffic, node ready, pod ready (facts S10). */
export const instanceKill = {
  name: 'instance-kill',
  title: 'Instance hard kill',
  expected:
    'node NotReady; new ARM node provisioned; pods rescheduled; short recovery; target under 60 seconds total; measure node ready time, pod ready time, downtime seconds',
  explanation: {
    how: 'Ends the instance under a node through the cloud’s API, without a word to Kubernetes. Nothing undoes it.',
    fails: [
      'Nobody knows for 40 to 50 s (node-monitor-grace-period) that the node is dead. Until then every other new connection waits 5 s for it.',
      'Pods stay where they are for 300 s unless the node is deleted; a new node takes another 45 to 120 s.',
      'With an interruption queue Karpenter hears of it within seconds. Without spread all replicas were there.',
    ],
    measured: [
      'traffic, which is what the 60 s are about',
      'the replacement node Ready',
      'the replacement pod Ready',
      'when NotReady was seen',
    ],
  },
  criterion: 3,
  resultRow: 'Instance kill',
  irreversible: true,
  permissions: () => [cordoning],
  cloudPermissions: ['ec2:DescribeInstances', 'ec2:TerminateInstances'],
  predict: predictInstanceKill,
  baseline: { appReplicas: 2 },
  needs: 'instances',
  plan: (before, settings) => {
    const victim = chooseVictim(before, settings);
    if ('inconclusive' in victim) return victim;
    const { node } = victim;
    const kill = { action: 'terminate-instance', target: { node, nodePool: settings.nodePool.name } } as const;
    return {
      // The node that replaces it is to be measured, so its pods must not find room elsewhere.
      actions: [...withoutSpareCapacity(before, settings, [node]), kill],
      notes: [neighboursNote(before, node)],
    };
  },
  settled: (now, before) => applicationAtRest(now, 2) && nodeReplaced(now, before),
  // NotReady 50 s, deleted Node, pods collected 60 s later, a new node 120 s, the old claim's collection 120 s (facts 4.0); twice their sum.
  settleWithinSeconds: 720,
  replaces: true,
  mayRemoveEmptyNodes: false,
  mayLoseEndpoints: true,
  judge: (measured, settings) => [
    traffic(measured, settings),
    nodeNotReady(measured),
    newNodes(measured, 0),
    podsReady(measured, 2),
    clocks(measured),
  ],
} as const satisfies Scenario;

/** The target is about traffic: detection alone takes Kubernetes 50 s, and a new node more than a minute (facts 4.5). */
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

/** Seen or not, it decides nothing: an autoscaler that hears of the end first takes the node away before. */
function nodeNotReady({ pool }: Measurement): Expectation {
  const [taken] = pool?.taken ?? [];
  const gone = taken?.goneSeconds ?? null;
  const end = gone === null ? '' : `; its Node was gone after ${gone.toFixed(0)} s`;
  const seen = taken?.notReadySeconds ?? null;
  return {
    id: 'node-not-ready',
    expected: 'node NotReady',
    outcome: 'noted',
    observed: seen === null ? `never seen${end}` : `seen after ${seen.toFixed(0)} s${end}`,
  };
}

function clocks({ downtime, pool, application }: Measurement): Expectation {
  const text = (seconds: number | null | undefined): string =>
    seconds == null ? 'not seen' : `${seconds.toFixed(1)} s`;
  const node = text(pool?.nodeReadySeconds);
  const pod = text(application?.podReadySeconds);
  return {
    id: 'three-clocks',
    expected: 'node ready time, pod ready time, downtime seconds',
    outcome: 'noted',
    observed: `node ready ${node}, pod ready ${pod}, downtime ${downtimeText(downtime)}; the target is about the last`,
  };
}

/** 4.1: three clocks (facts S10). Traffic waits for the dead pod to be forgotten, the rest for a new node. */
function predictInstanceKill(now: Circumstances): Prediction {
  const forgotten = detection(now);
  const replaced = replacementBegins(now);
  const node = sum(replaced, usual.newNode);
  const pod = sum(node, now.pulledStart);
  const alone = now.applicationNodes < 2;
  const traffic = range(0, (alone ? pod.most : forgotten.most) + usual.endpointLag.most);
  return {
    durationSeconds: sum(usual.frame, pod),
    downtimeSeconds: traffic,
    nodeReadySeconds: node,
    podReadySeconds: pod,
    steps: [
      ...trafficSteps(now, forgotten, traffic),
      { afterSeconds: replaced, what: 'a replacement is asked for', because: replacedBecause(now) },
      { afterSeconds: node, what: 'the new node is ready', because: 'EC2 takes 45 to 120 s' },
      { afterSeconds: pod, what: 'the new pod is ready', because: 'the image is pulled there first' },
    ],
  };
}

function trafficSteps(now: Circumstances, forgotten: Range, traffic: Range): readonly PredictedStep[] {
  const alone = now.applicationNodes < 2;
  return [
    {
      afterSeconds: range(0, usual.powerOff.most),
      what: alone ? 'nobody serves' : 'about half of the requests wait for a dead pod',
      because: alone ? 'all replicas are on the victim' : 'nginx waits 5 s (proxy-connect-timeout), then asks another',
    },
    { afterSeconds: forgotten, what: 'its endpoint is removed', because: forgottenBecause(now) },
    {
      afterSeconds: traffic,
      what: 'traffic is whole again',
      because: `ingress-nginx learns of it within ${usual.endpointLag.most} s`,
    },
  ];
}

/** With a queue Karpenter drains the node at once; without it the node has to be missed first. */
function detection(now: Circumstances): Range {
  const missed = sum(range(now.nodeMonitorGraceSeconds - 10, now.nodeMonitorGraceSeconds), usual.controllerPeriod);
  return now.hasInterruptionQueue ? range(0, sum(usual.powerOff, usual.interruption).most) : missed;
}

function replacementBegins(now: Circumstances): Range {
  if (now.hasInterruptionQueue) return range(0, sum(usual.powerOff, usual.interruption, usual.podCollected).most);
  return sum(detection(now), usual.controllerPeriod, range(0, usual.podCollected.most));
}

function forgottenBecause({ hasInterruptionQueue, nodeMonitorGraceSeconds }: Circumstances): string {
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
