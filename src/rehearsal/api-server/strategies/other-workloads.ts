import { isJson, type Json } from '../../objects/json.ts';
import { autoscalerCauses } from '../validation/autoscalers.ts';
import { statefulSetCauses } from '../validation/stateful-set.ts';
import { mismatchCauses, podTemplateCauses } from '../validation/workload.ts';
import { workloadStatusCauses } from '../validation/workload-status.ts';
import { completeTemplate } from './pod-spec.ts';
import { at, defaultsOf, type Strategy, withDefaults } from './strategy.ts';
import { immutable, notNegative } from './validation.ts';
import { templateWarnings } from './warnings.ts';

/** apps/v1 StatefulSet (kubernetes, pkg/apis/apps/v1/defaults.go, pkg/apis/apps/validation). */
export const statefulSet: Strategy = {
  warnings: templateWarnings,
  firstStatus: () => ({ replicas: 0, availableReplicas: 0 }),
  complete: (object) => {
    const defaults = {
      replicas: 1,
      podManagementPolicy: 'OrderedReady',
      updateStrategy: { type: 'RollingUpdate' },
      revisionHistoryLimit: 10,
      persistentVolumeClaimRetentionPolicy: {},
    };
    const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', status: { phase: 'Pending' } };
    const updating = at(at(object, 'spec', defaultsOf(defaults)), 'spec.updateStrategy', completeUpdate);
    const retaining = at(
      updating,
      'spec.persistentVolumeClaimRetentionPolicy',
      defaultsOf({ whenDeleted: 'Retain', whenScaled: 'Retain' }),
    );
    const whole = at(retaining, 'spec.template', completeTemplate);
    const claimed = at(whole, 'spec.volumeClaimTemplates.*', defaultsOf(claim));
    return at(claimed, 'spec.volumeClaimTemplates.*.spec', defaultsOf({ volumeMode: 'Filesystem' }));
  },
  validate: (object, before) => [...statefulSetCauses(object, before), ...workloadStatusCauses(object, before)],
};

function completeUpdate(strategy: unknown): unknown {
  if (!isJson(strategy)) return strategy;
  const whole = withDefaults(strategy, { type: 'RollingUpdate' });
  if (whole.type !== 'RollingUpdate') return whole;
  return at(withDefaults(whole, { rollingUpdate: {} }), 'rollingUpdate', defaultsOf({ partition: 0 }));
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
  validate: ({ spec = {} }, before) => {
    if (spec === before?.spec) return [];
    const { metadata }: Json = isJson(spec.template) ? spec.template : {};
    const labels = isJson(metadata) ? metadata.labels : undefined;
    return [
      ...notNegative('spec.replicas', spec.replicas),
      ...mismatchCauses({ matchLabels: spec.selector }, labels),
      ...podTemplateCauses(spec.template, 'spec.template'),
    ];
  },
};

/** core/v1 PodTemplate. */
export const podTemplate: Strategy = {
  complete: (object) => at(object, 'template', completeTemplate),
  validate: (object) => podTemplateCauses(Reflect.get(object, 'template'), 'template'),
};

/** autoscaling/v2: without metrics the average use of CPU is held at 80 % (kubernetes, pkg/apis/autoscaling/v2/defaults.go). */
export const horizontalPodAutoscaler: Strategy = {
  firstStatus: () => ({ desiredReplicas: 0, currentMetrics: null }),
  complete: (object) => {
    const target = { type: 'Utilization', averageUtilization: 80 };
    const metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }];
    const measured = at(object, 'status', defaultsOf({ currentMetrics: null }));
    const whole = at(measured, 'spec', defaultsOf({ minReplicas: 1, metrics }));
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

/** apps/v1 ControllerRevision: what a workload was does not change. */
export const controllerRevision: Strategy = {
  validate: (object, before) => {
    const { revision, data } = object as unknown as Json;
    return [
      ...notNegative('revision', revision),
      ...(before === undefined ? [] : immutable('data', data, (before as unknown as Json).data)),
    ];
  },
};
