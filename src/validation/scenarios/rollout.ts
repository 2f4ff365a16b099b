import { kindPlaces } from '../../cluster/kinds.ts';
import { rolloutOf } from '../../cluster/rollout.ts';
import { podsWanted } from '../../cluster/workload.ts';
import type { Advice, Expectation } from '../finding.ts';
import type { Measurement } from '../measure/measure.ts';
import { applicationSelector, atRestWithAtLeast, type Before, twoOrFewer } from '../observe/snapshot.ts';
import type { Circumstances } from '../predict/circumstances.ts';
import { typicalDurations } from '../predict/typical-durations.ts';
import { never, type Prediction, range, sum } from '../record/prediction.ts';
import type { Settings } from '../settings.ts';
import { atLeastReady, noDowntime } from './expectations.ts';
import { podNotes, scalingAdvice } from './scaling-advice.ts';
import type { Scenario } from './scenario.ts';

/** No row of table 4.1: the pod template changes, as with every new version of the application. */
export const rollout = {
  name: 'rollout',
  title: 'Rolling update',
  expected: 'every pod replaced within the progress deadline; no downtime',
  explanation: {
    how: 'Changes an annotation of the pod template, as `kubectl rollout restart` does, and takes it away again: two rolling updates by the application’s own strategy.',
    fails: [
      'Strategy Recreate, or a maxUnavailable of all pods: nobody serves until the first new pod is ready.',
      'Without a preStop sleep each pod that ends cuts the requests that still come to it.',
      'The surge finds no room, an anti-affinity or a ReadWriteOnce volume keeps it away, or no new pod ever becomes ready: the update stands still at the progress deadline.',
    ],
    measured: ['downtime', 'each new pod to Ready', 'what the update waits for, if it does not come to its end'],
  },
  ofOwner: true,
  restsOn: { 'no-downtime': ['rollout', 'graceful-termination', 'readiness-probe'] },
  permissions: ({ namespace, applicationKind: kind }) => [
    { group: 'apps', resource: kindPlaces[kind].plural, verbs: ['get', 'patch'], namespace, undoes: true },
  ],
  disturbs: ['quota'],
  predict: predictRollout,
  newNodes: ({ oneReplicaANode }) => (oneReplicaANode ? 1 : 0),
  baseline: { appReplicas: 2, orMore: true },
  plan: (before, settings) => {
    const { namespace, application: name, applicationKind: kind } = settings;
    const selector = applicationSelector(settings);
    return {
      actions: [{ action: 'roll-out', target: { kind, namespace, name, selector } }],
      notes: [strategyNote(before), ...podNotes(before)],
    };
  },
  settled: (now, before) =>
    atRestWithAtLeast(now, twoOrFewer(before)) && now.pods.every(({ metadata }) => !isOld(before, metadata.uid)),
  // progressDeadlineSeconds of a Deployment that names none (apps/v1), and a new node, on which it may wait.
  settleWithinSeconds: 750,
  replaces: true,
  mayRemoveEmptyNodes: true,
  mayLoseEndpoints: true,
  judge: (measured, settings) => [
    atLeastReady(measured, 2, settings),
    withinDeadline(measured),
    noDowntime(measured, adviceOn(measured, settings)),
  ],
} as const satisfies Scenario;

const isOld = ({ pods }: Before, uid: string | undefined): boolean => pods.some(({ metadata }) => metadata.uid === uid);

const allAtOnce = 'rollout';

/** As `kubectl rollout status` tells it, by the Deployment's own condition. */
function withinDeadline({ application }: Measurement): Expectation {
  const id = 'progress-deadline';
  const expected = 'progress within the deadline';
  if (application === undefined)
    return { id, expected, outcome: 'inconclusive', observed: 'the workload was not observed' };
  if (!application.deadlineExceeded) return { id, expected, outcome: 'met', observed: 'it was not exceeded' };
  return {
    id,
    expected,
    outcome: 'not-met',
    observed: 'ProgressDeadlineExceeded',
    advice:
      'a new pod takes longer to become ready than progressDeadlineSeconds: raise it, or let readiness come sooner (initialDelaySeconds, the start of the program)',
  };
}

function strategyNote({ workload }: Before): Expectation {
  const replicas = (workload && podsWanted(workload)) ?? 1;
  const { type, gone } = workload === undefined ? { type: 'RollingUpdate', gone: 0 } : rolloutOf(workload, replicas);
  const isSafe = type !== 'Recreate' && gone < replicas;
  return {
    id: allAtOnce,
    expected: 'a strategy that always leaves a pod',
    outcome: 'noted',
    observed: type === 'Recreate' ? type : `${gone} of ${replicas} pods may be away at once`,
    advice: isSafe ? '' : 'set strategy RollingUpdate with maxUnavailable 0',
  };
}

function adviceOn(measured: Measurement, settings: Settings): Advice {
  if (!measured.lacks.includes(allAtOnce))
    return scalingAdvice(measured, { done: 'pre-stop', undone: 'readiness-probe' }, settings);
  return {
    advice:
      'its strategy (Recreate, or a maxUnavailable of all pods) ends every pod before a new one is ready: set RollingUpdate with maxUnavailable 0, and run 2 replicas or more',
    rules: [allAtOnce],
  };
}

/** One pod after the other: a new one is ready before an old one ends. */
function predictRollout(now: Circumstances): Prediction {
  const each = sum(now.cachedStart, range(0, now.graceSeconds));
  const isSafe = now.hasReadinessProbe && now.preStopSeconds >= typicalDurations.endpointLag.most;
  return {
    durationSeconds: sum(typicalDurations.frame, each, each),
    downtimeSeconds: isSafe ? never : range(0, now.cachedStart.most + typicalDurations.endpointLag.most),
    nodeReadySeconds: typicalDurations.newNode,
    podReadySeconds: sum(now.cachedStart, range(0, typicalDurations.newNode.most)),
    steps: [
      {
        afterSeconds: now.cachedStart,
        measuredAs: 'pod-ready',
        what: 'the first new pod is ready',
        because: 'an old one ends only then, by the strategy RollingUpdate',
      },
    ],
  };
}
