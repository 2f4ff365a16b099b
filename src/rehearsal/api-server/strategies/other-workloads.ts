import { isJson, type Json, sameJson } from '../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { autoscalerCauses } from '../validation/coordination.ts';
import { completeTemplate } from './pod-spec.ts';
import { at, defaultsOf, type Strategy } from './strategy.ts';
import { notNegative } from './validation.ts';
import { replicatedCauses } from './workload.ts';

/** apps/v1 StatefulSet (kubernetes, pkg/apis/apps/v1/defaults.go, pkg/apis/apps/validation). */
export const statefulSet: Strategy = {
  firstStatus: () => ({ replicas: 0, availableReplicas: 0 }),
  complete: (object) => {
    const defaults = {
      replicas: 1,
      podManagementPolicy: 'OrderedReady',
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      revisionHistoryLimit: 10,
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
    };
    const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', status: { phase: 'Pending' } };
    const whole = at(at(object, 'spec', defaultsOf(defaults)), 'spec.template', completeTemplate);
    const claimed = at(whole, 'spec.volumeClaimTemplates.*', defaultsOf(claim));
    return at(claimed, 'spec.volumeClaimTemplates.*.spec', defaultsOf({ volumeMode: 'Filesystem' }));
  },
  validate: (object, before) => {
    const spec = object.spec ?? {};
    if (spec === before?.spec) return [];
    const { podManagementPolicy: policy, ordinals } = spec;
    const isKnown = policy === undefined || policy === 'OrderedReady' || policy === 'Parallel';
    return [
      ...(isKnown
        ? []
        : [fieldCauses.invalid('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'")]),
      ...notNegative('spec.ordinals.start', isJson(ordinals) ? ordinals.start : undefined),
      ...replicatedCauses(spec, 'statefulset'),
      ...(before === undefined ? [] : changedCauses(spec, before.spec ?? {})),
    ];
  },
};

const changeable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

/** The members of a StatefulSet that an update must leave alone. */
function changedCauses(spec: Json, before: Json): readonly FieldCause[] {
  const kept = (from: Json) => Object.fromEntries(Object.entries(from).filter(([key]) => !changeable.includes(key)));
  if (sameJson(kept(spec), kept(before))) return [];
  const named = changeable.map((name) => `'${name}'`);
  const all = `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`;
  return [fieldCauses.forbidden('spec', `updates to statefulset spec for fields other than ${all} are forbidden`)];
}

/** core/v1 ReplicationController: its selector and its labels are those of its template where it has none. */
export const replicationController: Strategy = {
  firstStatus: () => ({ replicas: 0 }),
  complete: (object) => {
    const template = isJson(object.spec?.template) ? object.spec.template : {};
    const { labels } = isJson(template.metadata) ? template.metadata : {};
    const labelled = isJson(labels) ? at(object, 'metadata', defaultsOf({ labels })) : object;
    const whole = at(labelled, 'spec', defaultsOf({ replicas: 1, ...(isJson(labels) && { selector: labels }) }));
    return at(whole, 'spec.template', completeTemplate);
  },
};

/** core/v1 PodTemplate. */
export const podTemplate: Strategy = {
  complete: (object) => at(object, 'template', completeTemplate),
};

/** autoscaling/v2: without metrics the average use of CPU is held at 80 % (kubernetes, pkg/apis/autoscaling/v2/defaults.go). */
export const horizontalPodAutoscaler: Strategy = {
  firstStatus: () => ({ desiredReplicas: 0, currentMetrics: null }),
  complete: (object) => {
    const target = { type: 'Utilization', averageUtilization: 80 };
    const metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }];
    return at(object, 'spec', defaultsOf({ minReplicas: 1, metrics }));
  },
  validate: autoscalerCauses,
};
