import type { Expectation } from '../finding.ts';
import type { Measurement } from '../measure/measure.ts';
import { applicationAtRest } from '../observe/snapshot.ts';
import type { Circumstances } from '../predict/circumstances.ts';
import { typicalDurations } from '../predict/typical-durations.ts';
import { never, type Prediction, range, sum } from '../record/prediction.ts';
import { workloadOf } from '../settings.ts';
import { atLeastReady, noDowntime } from './expectations.ts';
import { podNotes, scalingAdvice } from './scaling-advice.ts';
import type { Scenario } from './scenario.ts';

/** 4.1: set replicas 1. It starts from the five of scale up, so that most endpoints are removed at once. */
export const scaleDown = {
  ...scaledDown({ from: 5, to: 1 }),
  forOwner: ({ scaledUp: from, scaledDown: to }) => scaledDown({ from, to }),
} as const satisfies Scenario;

function scaledDown({ from, to }: { readonly from: number; readonly to: number }) {
  return {
    name: 'scale-down',
    title: 'Scale down',
    expected: 'pods terminate gracefully; no downtime; extra nodes may remain',
    explanation: {
      how: 'Sets replicas to 1 and observes how the other pods end.',
      fails: [
        'A pod gets SIGTERM when its endpoint is being removed. Without a preStop sleep of more than the 4 to 5 s that ingress-nginx needs to learn of it, requests still go to a pod that is gone.',
        'A HorizontalPodAutoscaler or a GitOps controller scales the application up again.',
      ],
      measured: ['downtime', 'whether each pod that ended had a preStop sleep that is long enough'],
    },
    criterion: 1,
    resultRow: 'Scale down',
    needsReplicas: true,
    restsOn: {
      'no-downtime': ['graceful-termination', 'termination-grace'],
      'graceful-exits': ['termination-grace'],
    },
    permissions: () => [],
    predict: predictScaleDown,
    baseline: { appReplicas: from },
    plan: (before, settings) => ({
      actions: [{ action: 'scale', target: { ...workloadOf(settings), replicas: to } }],
      notes: podNotes(before),
    }),
    settled: (now) => applicationAtRest(now, to),
    // A grace period as long as that of an ingress controller (300 s, docs/facts/ingress-nginx.md, "Defaults of its
    // chart and manifests"), and room for the kubelet.
    settleWithinSeconds: 330,
    replaces: false,
    mayRemoveEmptyNodes: false,
    mayLoseEndpoints: false,
    judge: (measured, settings) => [
      atLeastReady(measured, to, settings),
      gracefulExits(measured),
      noDowntime(measured, scalingAdvice(measured, { done: 'pre-stop', undone: 'readiness-probe' }, settings)),
    ],
  } as const satisfies Scenario;
}

function gracefulExits({ application }: Measurement): Expectation {
  const id = 'graceful-exits';
  const expected = 'pods terminate gracefully';
  const exits = application?.exits ?? [];
  if (exits.length === 0) return { id, expected, outcome: 'inconclusive', observed: 'no pod was seen to end' };
  const cut = exits.filter(({ graceful }) => !graceful).map(({ pod, seconds }) => `${pod} after ${seconds} s`);
  const longest = Math.max(...exits.map(({ seconds }) => seconds));
  if (cut.length === 0)
    return {
      id,
      expected,
      outcome: 'met',
      observed: `${exits.length} pods ended by themselves, the slowest after ${longest} s`,
    };
  return {
    id,
    expected,
    outcome: 'not-met',
    observed: `killed at the end of their grace: ${cut.join(', ')}`,
    advice:
      'raise terminationGracePeriodSeconds above preStop and the longest request, or see why the process ignores SIGTERM',
  };
}

/** A pod gets SIGTERM at the moment when its endpoint begins to be removed. */
function predictScaleDown(now: Circumstances): Prediction {
  const lag = typicalDurations.endpointLag.most;
  const covered = now.preStopSeconds >= lag;
  return {
    durationSeconds: sum(typicalDurations.frame, range(now.preStopSeconds, now.graceSeconds)),
    downtimeSeconds: covered ? never : range(0, lag - now.preStopSeconds),
    nodeReadySeconds: null,
    podReadySeconds: null,
    steps: [
      {
        afterSeconds: typicalDurations.endpointLag,
        what: covered
          ? 'the ingress controller forgets the pods while they still serve'
          : 'requests meet pods that are gone',
        because: `preStop is ${now.preStopSeconds} s, and ingress-nginx needs up to ${lag} s to learn of it`,
      },
      {
        afterSeconds: range(now.preStopSeconds, now.graceSeconds),
        measuredAs: 'pods-gone',
        what: 'the pods are gone',
        because: `preStop, and at most terminationGracePeriodSeconds ${now.graceSeconds}`,
      },
    ],
  };
}
