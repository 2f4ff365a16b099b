import { conditions, type Fields, labelSelector, metadata, scalars, templateMetadata } from './kept-fields.ts';
import { template } from './pod-fields.ts';

/** A kind that a copy has: where the API serves it, and what of an object is kept. */
export interface KeptKind {
  readonly apiVersion: string;
  readonly plural: string;
  readonly fields: Fields;
}

const rollingUpdate = scalars('maxUnavailable', 'maxSurge', 'partition');

export const claimSpec = {
  ...scalars('accessModes', 'storageClassName', 'volumeMode', 'volumeName'),
  resources: { requests: 'map' },
} as const satisfies Fields;

const jobSpec = {
  ...scalars('parallelism', 'completions', 'completionMode', 'backoffLimit', 'activeDeadlineSeconds', 'suspend'),
  ...scalars('ttlSecondsAfterFinished', 'podReplacementPolicy', 'managedBy'),
  selector: labelSelector,
  template,
} as const satisfies Fields;

const counts = scalars(
  'observedGeneration',
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
  'currentReplicas',
  'currentRevision',
  'updateRevision',
);

const workload = (spec: { readonly [name: string]: Fields }): Fields => ({
  metadata,
  spec: {
    ...scalars('replicas', 'minReadySeconds', 'revisionHistoryLimit'),
    selector: labelSelector,
    template,
    ...spec,
  },
  status: { ...counts, conditions },
});

const daemonStatus = scalars(
  'observedGeneration',
  'desiredNumberScheduled',
  'currentNumberScheduled',
  'numberMisscheduled',
  'updatedNumberScheduled',
  'numberReady',
  'numberAvailable',
  'numberUnavailable',
);

const apps = (plural: string, fields: Fields): KeptKind => ({ apiVersion: 'apps/v1', plural, fields });
const batch = (plural: string, fields: Fields): KeptKind => ({ apiVersion: 'batch/v1', plural, fields });

export const workloadKinds: Readonly<Record<string, KeptKind>> = {
  Deployment: apps(
    'deployments',
    workload({ ...scalars('paused', 'progressDeadlineSeconds'), strategy: { type: 'scalar', rollingUpdate } }),
  ),
  ReplicaSet: apps('replicasets', workload({})),
  StatefulSet: apps(
    'statefulsets',
    workload({
      ...scalars('serviceName', 'podManagementPolicy'),
      ordinals: { start: 'scalar' },
      updateStrategy: { type: 'scalar', rollingUpdate },
      volumeClaimTemplates: { metadata: { ...templateMetadata, name: 'scalar' }, spec: claimSpec },
    }),
  ),
  DaemonSet: apps('daemonsets', {
    metadata,
    spec: {
      ...scalars('minReadySeconds', 'revisionHistoryLimit'),
      selector: labelSelector,
      template,
      updateStrategy: { type: 'scalar', rollingUpdate },
    },
    status: daemonStatus,
  }),
  ControllerRevision: apps('controllerrevisions', { metadata, revision: 'scalar' }),
  Job: batch('jobs', {
    metadata,
    spec: jobSpec,
    status: { ...scalars('active', 'ready', 'succeeded', 'failed', 'startTime', 'completionTime'), conditions },
  }),
  CronJob: batch('cronjobs', {
    metadata,
    spec: {
      ...scalars('schedule', 'timeZone', 'concurrencyPolicy', 'suspend', 'startingDeadlineSeconds'),
      ...scalars('successfulJobsHistoryLimit', 'failedJobsHistoryLimit'),
      jobTemplate: { metadata: templateMetadata, spec: jobSpec },
    },
    status: scalars('lastScheduleTime', 'lastSuccessfulTime'),
  }),
};
