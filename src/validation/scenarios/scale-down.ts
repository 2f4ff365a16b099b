import type { Expectation } from '../finding.ts';
import type { Measurement } from '../measure/measure.ts';
import { applicationAtRest } from '../observe/snapshot.ts';
import type { Circumstances } from '../predict/circumstances.ts';
import { usual } from '../predict/typical-durations.ts';
import { never, type Prediction, range, sum } from '../record/prediction.ts';
import { noDowntime, podsReady } from './expectations.ts';
import { podNotes, scalingAdvice } from './scaling-advice.ts';
import type { Scenario } from './scenario.ts';

/** 4.1, second row: set replicas 1. It starts from the five of the first row, so that most endpoints go at once. */
export const scaleDown = {
  name: 'scale-down',
  title: 'Scale down',
  expected: 'pods terminate gracefully; no downtime; extra nodes may remain',
  explanation: {
    how: 'Sets 1 replica and looks at how the others leave.',
    fails: [
      'A pod is told to stop at the moment when the news of its end begins to spread. Without a preStop that outlasts the 4 to 5 s which ingress-nginx needs, requests still come to a pod that is gone.',
      'A HorizontalPodAutoscaler or a GitOps controller scales back.',
    ],
    measured: ['downtime', 'whether each pod that left had a preStop that is long enough'],
  },
  criterion: 1,
  resultRow: 'Scale down',
  permissions: () => [],
  predict: predictScaleDown,
  baseline: { appReplicas: 5 },
  plan: (before, { namespace, application }) => ({
    actions: [{ action: 'scale', target: { namespace, name: application, replicas: 1 } }],
    notes: podNotes(before),
  }),
  settled: (now) => applicationAtRest(now, 1),
  // The pod default is a grace of 30 s, the chart's of an ingress controller 300 s (facts 3.8, 4.0); between them, and room for the kubelet.
  settleWithinSeconds: 330,
  replaces: false,
  mayRemoveEmptyNodes: false,
  mayLoseEndpoints: false,
  judge: (measured) => [
    podsReady(measured, 1),
    gracefulExits(measured),
    noDowntime(measured, scalingAdvice(measured, { done: 'pre-stop', undone: 'readiness-probe' })),
  ],
} as const satisfies Scenario;

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
    ...{ id, expected, outcome: 'not-met', observed: `killed at the end of their grace: ${cut.join(', ')}` },
    advice:
      'raise terminationGracePeriodSeconds above preStop and the longest request, or see why the process ignores SIGTERM',
  };
}

/** 4.1: what goes is told to stop at the moment when the news of it begins to spread. */
function predictScaleDown(now: Circumstances): Prediction {
  const lag = usual.endpointLag.most;
  const covered = now.preStopSeconds >= lag;
  return {
    durationSeconds: sum(usual.frame, range(now.preStopSeconds, now.graceSeconds)),
    downtimeSeconds: covered ? never : range(0, lag - now.preStopSeconds),
    nodeReadySeconds: null,
    podReadySeconds: null,
    steps: [
      {
        afterSeconds: usual.endpointLag,
        what: covered
          ? 'the ingress controller forgets the pods while they still serve'
          : 'requests meet pods that are gone',
        because: `preStop is ${now.preStopSeconds} s, and ingress-nginx needs up to ${lag} s to learn of it`,
      },
      {
        afterSeconds: range(now.preStopSeconds, now.graceSeconds),
        what: 'the pods are gone',
        because: `preStop, and at most terminationGracePeriodSeconds ${now.graceSeconds}`,
      },
    ],
  };
}
