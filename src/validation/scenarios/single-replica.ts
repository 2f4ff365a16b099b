import type { ScaledWorkload, WorkloadKind } from '../../cluster/workload.ts';
import { besideLimit, measuredText, wasSampled } from '../downtime/downtime.ts';
import type { Advice, Expectation } from '../finding.ts';
import type { Measurement } from '../measure/measure.ts';
import { applicationAtRest, readyPods } from '../observe/snapshot.ts';
import type { Circumstances } from '../predict/circumstances.ts';
import { typicalDurations } from '../predict/typical-durations.ts';
import { type Prediction, range, sum } from '../record/prediction.ts';
import { podsReady } from './expectations.ts';
import type { Scenario } from './scenario.ts';

/** 4.1: "a 503 spike of 1 to 5 seconds". */
const longestSeconds = 5;

/** 4.1: replicas 1, delete the pod. The outage is expected: it shows that production needs two replicas. */
export const singleReplica = {
  name: 'single-replica',
  title: 'Single replica',
  expected: 'a 503 spike of 1 to 5 seconds; pod recreated; shows production needs at least 2 replicas',
  explanation: {
    how: 'Sets replicas to 1 and deletes the pod, to show why production needs two.',
    fails: [
      'The outage lasts until the new pod is ready and the ingress controller has learned of it: 1 to 5 s with the image on the node, 10 to 30 s more if it is pulled.',
      'A StatefulSet makes the new pod only when the old one is gone, so its preStop sleep and its end are downtime too.',
      'A readiness probe with the usual period of 10 s makes it 5 to 15 s.',
    ],
    measured: ['the outage, which is expected', 'deletion to Ready of the new pod'],
  },
  resultRow: 'Pod kill',
  needsReplicas: true,
  demonstrates: true,
  restsOn: { spike: ['readiness-probe', 'graceful-termination'] },
  permissions: ({ namespace }) => [{ group: '', resource: 'pods', verbs: ['get', 'delete'], namespace }],
  predict: predictSingleReplica,
  baseline: { appReplicas: 1 },
  plan: (before, { namespace }) => {
    const [pod, ...others] = readyPods(before);
    if (pod === undefined || others.length > 0 || before.pods.length > 1)
      return { inconclusive: `the application has ${before.pods.length} pods, so none of them is its only endpoint` };
    return {
      actions: [{ action: 'delete-pod', target: { namespace, name: pod.metadata.name, uid: pod.metadata.uid ?? '' } }],
    };
  },
  settled: (now, before) =>
    applicationAtRest(now, 1) && now.pods.every(({ metadata }) => metadata.uid !== before.pods[0]?.metadata.uid),
  // An image that is pulled takes 10 to 30 s (docs/facts/kubernetes.md, "The start of a pod"), the old pod's grace
  // period 30 s; twice their sum.
  settleWithinSeconds: 120,
  replaces: true,
  mayRemoveEmptyNodes: false,
  mayLoseEndpoints: true,
  judge: (measured, settings) => [
    settings.manifests === 'none' ? demonstrated(measured) : spike(measured, settings.applicationKind),
    podsReady(measured, 1),
    twoReplicas(measured),
  ],
} as const satisfies Scenario;

/** A shorter outage than expected is no failure; one that is certainly longer than 5 s is. */
function spike({ downtime }: Measurement, kind: WorkloadKind | undefined): Expectation {
  const outcome =
    downtime.lowerSeconds > longestSeconds
      ? 'not-met'
      : downtime.unknown > 0 || downtime.samples === 0
        ? 'inconclusive'
        : 'met';
  return {
    id: 'spike',
    expected: 'a 503 spike of 1 to 5 seconds',
    outcome,
    observed: besideLimit(downtime, longestSeconds),
    ...(outcome === 'not-met' ? adviceFor[kind === 'StatefulSet' ? kind : 'Deployment'] : { advice: '' }),
  };
}

/** An application of its owner need not run with one replica: how long it would be down is shown and not judged. */
function demonstrated({ downtime }: Measurement): Expectation {
  const sampled = wasSampled(downtime);
  return {
    id: 'spike',
    expected: 'a demonstration: how long visitors get no answer from one replica',
    outcome: sampled ? 'met' : 'inconclusive',
    observed: sampled ? measuredText(downtime) : 'not measured',
    advice: '',
  };
}

/** Journals of older versions name no kind. */
const adviceFor: Readonly<Record<ScaledWorkload['kind'], Advice>> = {
  Deployment: {
    advice: 'cache the image on the nodes and let the readiness probe ask once a second',
    rules: ['readiness-probe'],
  },
  StatefulSet: {
    advice:
      'a StatefulSet makes the new pod only when the old one is gone: let it end sooner (preStop, SIGTERM), or take a Deployment',
    rules: ['graceful-termination'],
  },
};

function twoReplicas({ downtime }: Measurement): Expectation {
  const sampled = wasSampled(downtime);
  return {
    id: 'two-replicas',
    expected: 'shows production needs at least 2 replicas',
    outcome: sampled ? 'met' : 'inconclusive',
    observed: sampled ? `with 1 replica: ${measuredText(downtime)}` : 'not measured',
    advice: 'production needs at least 2 replicas',
  };
}

/** No request is answered from the removal of the old endpoint until the ingress controller uses the new one. */
function predictSingleReplica(now: Circumstances): Prediction {
  const ready = now.replacesWhenGone
    ? sum(now.cachedStart, range(now.preStopSeconds, now.graceSeconds))
    : now.cachedStart;
  const lag = typicalDurations.endpointLag.most;
  return {
    durationSeconds: sum(typicalDurations.frame, range(ready.least, Math.max(ready.most, now.graceSeconds))),
    downtimeSeconds: range(Math.max(0, ready.least - lag), ready.most + lag),
    nodeReadySeconds: null,
    podReadySeconds: ready,
    steps: [
      {
        afterSeconds: typicalDurations.endpointLag,
        what: '503: no endpoint',
        because: 'the only pod is not ready any more',
      },
      {
        afterSeconds: ready,
        measuredAs: 'pod-ready',
        what: 'the new pod is ready',
        because: now.replacesWhenGone ? 'it is made when the old one is gone' : 'its image is on the disk',
      },
      {
        afterSeconds: sum(ready, typicalDurations.endpointLag),
        measuredAs: 'traffic',
        what: '200 again',
        because: `ingress-nginx learns of the new endpoint within ${lag} s`,
      },
    ],
  };
}
