import { isJson, type Json, sameJson } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { daemonSetCauses, deploymentCauses, replicaSetCauses } from '../validation/workload.ts';
import { workloadStatusCauses } from '../validation/workload-status.ts';
import { completeTemplate } from './pod-spec.ts';
import { at, defaultsOf, type Strategy, withDefaults, withMember, withoutEmpty } from './strategy.ts';
import { templateWarnings } from './warnings.ts';

const deploymentCounts = withoutEmpty([
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
]);
const replicaSetCounts = withoutEmpty(['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']);
const daemonSetCounts = withoutEmpty(['updatedNumberScheduled', 'numberAvailable', 'numberUnavailable']);

/**
 * apps/v1 Deployment (kubernetes, pkg/apis/apps/v1/defaults.go, pkg/apis/apps/validation and
 * pkg/registry/apps/deployment/strategy.go).
 */
export const deployment: Strategy = {
  warnings: templateWarnings,
  firstStatus: () => ({}),
  complete: (object) =>
    complete(withConditionTimes(withMember(object, 'status', deploymentCounts)), {
      replicas: 1,
      strategy: {},
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
    }),
  countsAnnotations: true,
  validate: (object, before) => [...deploymentCauses(object, before), ...workloadStatusCauses(object, before)],
};

/** The times of a condition are always written, as null if nobody sent them. */
function withConditionTimes(object: StoredObject): StoredObject {
  return at(object, 'status.conditions.*', defaultsOf({ lastUpdateTime: null, lastTransitionTime: null }));
}

export const replicaSet: Strategy = {
  warnings: templateWarnings,
  firstStatus: () => ({ replicas: 0 }),
  complete: (object) => complete(withMember(object, 'status', replicaSetCounts), { replicas: 1 }),
  validate: (object, before) => [...replicaSetCauses(object, before), ...workloadStatusCauses(object, before)],
};

export const daemonSet: Strategy = {
  warnings: templateWarnings,
  firstStatus: () => ({ currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 }),
  complete: (object, before) =>
    withTemplateGeneration(
      withDaemonUpdate(
        complete(withMember(object, 'status', daemonSetCounts), {
          updateStrategy: { type: 'RollingUpdate' },
          revisionHistoryLimit: 10,
        }),
      ),
      before,
    ),
  admit: withNextGeneration,
  validate: daemonSetCauses,
};

function withDaemonUpdate(object: StoredObject): StoredObject {
  return at(object, 'spec.updateStrategy', (strategy) => {
    if (!isJson(strategy)) return strategy;
    const whole = withDefaults(strategy, { type: 'RollingUpdate' });
    if (whole.type !== 'RollingUpdate') return whole;
    const updating = withDefaults(whole, { rollingUpdate: {} });
    return withMember(updating, 'rollingUpdate', defaultsOf({ maxUnavailable: 1, maxSurge: 0 }));
  });
}

const templateGeneration = 'deprecated.daemonset.template.generation';

/**
 * The generation of the template, which extensions/v1beta1 had in its spec (kubernetes,
 * pkg/registry/apps/daemonset/strategy.go).
 */
function withTemplateGeneration(object: StoredObject, before: StoredObject | undefined): StoredObject {
  const last = before?.metadata.annotations?.[templateGeneration] ?? '1';
  return withGeneration(object, last);
}

/** A later generation has no owner of its own: the owner of the first one stays. */
function withNextGeneration(object: StoredObject, before: StoredObject | undefined): StoredObject {
  if (before === undefined || sameJson(object.spec?.template, before.spec?.template)) return object;
  const last = Number(before.metadata.annotations?.[templateGeneration] ?? 0);
  return withGeneration(object, String(last + 1));
}

function withGeneration(object: StoredObject, value: string): StoredObject {
  const { annotations } = object.metadata;
  if (annotations?.[templateGeneration] === value) return object;
  return { ...object, metadata: { ...object.metadata, annotations: { ...annotations, [templateGeneration]: value } } };
}

function complete(object: StoredObject, defaults: Json): StoredObject {
  return withMember(object, 'spec', (spec) => {
    if (!isJson(spec)) return spec;
    const whole = withMember(withDefaults(spec, defaults), 'template', completeTemplate);
    return withMember(whole, 'strategy', completeStrategy);
  });
}

function completeStrategy(strategy: unknown): unknown {
  if (!isJson(strategy)) return strategy;
  const whole = withDefaults(strategy, { type: 'RollingUpdate' });
  if (whole.type !== 'RollingUpdate') return whole;
  return withMember(withDefaults(whole, { rollingUpdate: {} }), 'rollingUpdate', (update) =>
    isJson(update) ? withDefaults(update, { maxUnavailable: '25%', maxSurge: '25%' }) : update,
  );
}
