import { type Bounded, boundedText } from '../../figures/figures.js';
import { atMost, besideLimit, measuredText } from '../downtime/downtime.ts';
import type { Expectation } from '../finding.ts';
import type { Measurement } from '../measure/measure.ts';
import type { Circumstances } from '../predict/circumstances.ts';
import { typicalDurations } from '../predict/typical-durations.ts';
import { type PredictedStep, type Prediction, type Range, range, sum } from '../record/prediction.ts';
import type { Settings } from '../settings.ts';

/**
 * The target is about traffic: Kubernetes needs 50 s to detect the failure, and a new node takes more than a minute.
 */
export function shortRecovery(
  { downtime }: Measurement,
  { instanceKill: { maximumDowntime } }: Settings,
  advice: string,
): Expectation {
  const outcome = atMost(downtime, maximumDowntime);
  return {
    id: 'short-recovery',
    expected: `at most ${maximumDowntime} s of downtime`,
    outcome,
    observed: besideLimit(downtime, maximumDowntime),
    advice: outcome === 'met' ? '' : advice,
  };
}

export function threeClocks({ downtime, pool, application }: Measurement): Expectation {
  const text = (time: Bounded | null | undefined): string => (time ? boundedText(time) : 'not seen');
  const node = text(pool?.nodeReady);
  const pod = text(application?.podReady);
  return {
    id: 'three-clocks',
    expected: 'node ready time, pod ready time, downtime seconds',
    outcome: 'noted',
    observed: `node ready ${node}, pod ready ${pod}, ${measuredText(downtime)}; the target is about the last`,
  };
}

/** The places, of which one goes, that hold replicas; and what to say where all of them are in that one. */
interface Held {
  readonly places: number;
  readonly together: string;
}

/** Traffic is whole when the endpoint of the dead pod is removed; node and pod need a new instance. */
export function predictEnded(now: Circumstances, { places, together }: Held): Prediction {
  const removed = endpointRemoved(now);
  const replaced = replacementBegins(now);
  const node = sum(replaced, typicalDurations.newNode);
  const volume = now.hasOwnVolumes ? sum(replaced, typicalDurations.heldVolume) : range(0, 0);
  const pod = sum(later(node, volume), now.pulledStart);
  const alone = places < 2;
  const traffic = range(0, (alone ? pod.most : removed.most) + typicalDurations.endpointLag.most);
  return {
    durationSeconds: sum(typicalDurations.frame, pod),
    downtimeSeconds: traffic,
    nodeReadySeconds: node,
    podReadySeconds: pod,
    steps: [
      ...trafficSteps(now, removed, { traffic, together: alone ? together : undefined }),
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

function trafficSteps(
  now: Circumstances,
  removed: Range,
  { traffic, together }: { readonly traffic: Range; readonly together: string | undefined },
): readonly PredictedStep[] {
  return [
    {
      afterSeconds: range(0, typicalDurations.powerOff.most),
      what: together !== undefined ? 'nobody serves' : 'about half of the requests wait for a dead pod',
      because:
        together ??
        'nginx waits 5 s (proxy-connect-timeout), then asks any pod again: one of five of these requests fails',
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

/**
 * When the endpoint is removed: with an interruption queue Karpenter evicts the pods at once, without it the node must
 * become NotReady.
 */
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
