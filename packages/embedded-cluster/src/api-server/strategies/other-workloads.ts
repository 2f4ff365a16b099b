import { isJson, type Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { fieldCauses } from '../refusals.ts';
import { autoscalerCauses } from '../validation/autoscalers.ts';
import { when } from '../validation/formats.ts';
import { statefulSetCauses } from '../validation/stateful-set.ts';
import { mismatchCauses, podTemplateCauses } from '../validation/workload.ts';
import { workloadStatusCauses } from '../validation/workload-status.ts';
import { completeTemplate } from './pod-spec.ts';
import { at, defaultsOf, type Strategy, withDefaults } from './strategy.ts';
import { immutable, notNegative } from './validation.ts';
import { templateWarnings, warningsOfTemplate } from './warnings.ts';

/** apps/v1 StatefulSet (kubernetes, pkg/apis/apps/v1/defaults.go, pkg/apis/apps/validation). */
export const statefulSet: Strategy = {
  warnings: (object, before) => [...templateWarnings(object, before), ...historyWarnings(object, before)],
  firstStatus: () => ({ replicas: 0, availableReplicas: 0 }),
  complete: (object) => {
    const defaults = {
      replicas: 1,
      podManagementPolicy: 'OrderedReady',
      updateStrategy: {},
      revisionHistoryLimit: 10,
      persistentVolumeClaimRetentionPolicy: {},
    };
    const claim = { status: {} };
    const named = { apiVersion: 'v1', kind: 'PersistentVolumeClaim' };
    const updating = at(at(object, 'spec', defaultsOf(defaults)), 'spec.updateStrategy', completeUpdate);
    const retaining = at(
      updating,
      'spec.persistentVolumeClaimRetentionPolicy',
      defaultsOf({ whenDeleted: 'Retain', whenScaled: 'Retain' }),
    );
    const whole = at(retaining, 'spec.template', completeTemplate);
    const claimed = at(whole, 'spec.volumeClaimTemplates.*', (template) =>
      isJson(template) ? { ...(defaultsOf(claim)(template) as Json), ...named } : template,
    );
    const pending = at(claimed, 'spec.volumeClaimTemplates.*.status', defaultsOf({ phase: 'Pending' }));
    return at(pending, 'spec.volumeClaimTemplates.*.spec', defaultsOf({ volumeMode: 'Filesystem' }));
  },
  validate: (object, before) => [...statefulSetCauses(object, before), ...workloadStatusCauses(object, before)],
};

/** kubernetes, pkg/registry/apps/statefulset/strategy.go. */
function historyWarnings({ spec = {} }: StoredObject, before: StoredObject | undefined): readonly string[] {
  const isOther = spec.revisionHistoryLimit !== before?.spec?.revisionHistoryLimit;
  if (!isOther || !(Number(spec.revisionHistoryLimit) < 0)) return [];
  return ['spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended'];
}

function completeUpdate(strategy: unknown): unknown {
  if (!isJson(strategy)) return strategy;
  const wanted = strategy.type === undefined ? { type: 'RollingUpdate', rollingUpdate: {} } : {};
  const whole = withDefaults(strategy, wanted);
  return whole.type === 'RollingUpdate' ? at(whole, 'rollingUpdate', defaultsOf({ partition: 0 })) : whole;
}

/** core/v1 ReplicationController: its selector and its labels are those of its template where it has none. */
export const replicationController: Strategy = {
  warnings: templateWarnings,
  firstStatus: () => ({ replicas: 0 }),
  complete: (object) => {
    const template = isJson(object.spec?.template) ? object.spec.template : {};
    const { labels } = isJson(template.metadata) ? template.metadata : {};
    const labelled = isJson(labels) ? at(object, 'metadata', defaultsOf({ labels })) : object;
    const whole = at(labelled, 'spec', defaultsOf({ replicas: 1, ...(isJson(labels) && { selector: labels }) }));
    return at(whole, 'spec.template', completeTemplate);
  },
  validate: ({ spec = {} }, before) => {
    if (spec === before?.spec) return [];
    const { metadata }: Json = isJson(spec.template) ? spec.template : {};
    const labels = isJson(metadata) ? metadata.labels : undefined;
    return [
      ...notNegative('spec.minReadySeconds', spec.minReadySeconds),
      ...when(!isJson(spec.selector), fieldCauses.required('spec.selector')),
      ...notNegative('spec.replicas', spec.replicas),
      ...(isJson(spec.template) ? [] : [fieldCauses.required('spec.template')]),
      ...(isJson(spec.template) ? mismatchCauses({ matchLabels: spec.selector }, labels) : []),
      ...(isJson(spec.template) ? podTemplateCauses(spec.template, 'spec.template') : []),
    ];
  },
};

/** core/v1 PodTemplate. */
export const podTemplate: Strategy = {
  complete: (object) => at(object, 'template', completeTemplate),
  warnings: (object, before) => {
    const { template } = object as unknown as Json;
    return before === undefined && isJson(template) ? warningsOfTemplate(template, 'template') : [];
  },
  validate: (object) => podTemplateCauses(Reflect.get(object, 'template'), 'template'),
};

/**
 * autoscaling/v2: without metrics the average use of CPU is held at 80 % (kubernetes,
 * pkg/apis/autoscaling/v2/defaults.go).
 */
export const horizontalPodAutoscaler: Strategy = {
  firstStatus: () => ({ desiredReplicas: 0, currentMetrics: null }),
  complete: (object) => {
    const target = { type: 'Utilization', averageUtilization: 80 };
    const metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }];
    const measured = at(object, 'status', defaultsOf({ currentMetrics: null }));
    const whole = at({ ...measured, spec: measured.spec ?? {} }, 'spec', defaultsOf({ minReplicas: 1, metrics }));
    const both = at(whole, 'spec.behavior', defaultsOf({ scaleUp: {}, scaleDown: {} }));
    return at(at(both, 'spec.behavior.scaleUp', defaultsOf(scaleUp)), 'spec.behavior.scaleDown', defaultsOf(scaleDown));
  },
  validate: autoscalerCauses,
};

const period = { periodSeconds: 15 };
const double = { type: 'Percent', value: 100, ...period };
const scaleUp = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [{ type: 'Pods', value: 4, ...period }, double],
};
const scaleDown = { selectPolicy: 'Max', policies: [double] };

/** apps/v1 ControllerRevision: the recorded revision does not change. */
export const controllerRevision: Strategy = {
  validate: (object, before) => {
    const { revision, data } = object as unknown as Json;
    return [
      ...when(data === undefined, fieldCauses.required('data', 'data is mandatory')),
      ...notNegative('revision', revision),
      ...(before === undefined ? [] : immutable('data', data, (before as unknown as Json).data)),
    ];
  },
};
