import { type PredictedStep, type Prediction, type Range, range, sum } from '../record/prediction.ts';
import type { Circumstances } from './circumstances.ts';
import { usual } from './typical-durations.ts';

/** 4.1: three clocks (facts S10). Traffic waits for the dead pod to be forgotten, the rest for a new node. */
export function instanceKill(now: Circumstances): Prediction {
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
