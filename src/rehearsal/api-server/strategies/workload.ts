import { isJson, type Json, sameJson } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { objectSelector } from '../../objects/selectors.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { labelCauses, oneOf } from '../validation/formats.ts';
import { podSpecCauses } from '../validation/pod-spec.ts';
import { completeTemplate } from './pod-spec.ts';
import { type Strategy, withDefaults, withMember, withoutEmpty } from './strategy.ts';
import { countOrPercentage, immutable, notNegative } from './validation.ts';

const deploymentCounts = withoutEmpty([
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
]);
const replicaSetCounts = withoutEmpty(['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']);
const daemonSetCounts = withoutEmpty(['updatedNumberScheduled', 'numberAvailable', 'numberUnavailable']);

/** apps/v1 Deployment (kubernetes, pkg/apis/apps/v1/defaults.go, pkg/apis/apps/validation and pkg/registry/apps/deployment/strategy.go). */
export const deployment: Strategy = {
  firstStatus: () => ({}),
  complete: (object) =>
    complete(withMember(object, 'status', deploymentCounts), {
      replicas: 1,
      strategy: {},
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
    }),
  countsAnnotations: true,
  validate: (object, before) => [...workloadCauses(object, before), ...strategyCauses(object.spec)],
};

export const replicaSet: Strategy = {
  firstStatus: () => ({ replicas: 0 }),
  complete: (object) => complete(withMember(object, 'status', replicaSetCounts), { replicas: 1 }),
  validate: (object, before) => workloadCauses(object, before),
};

export const daemonSet: Strategy = {
  firstStatus: () => ({ currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 }),
  complete: (object, before) =>
    withTemplateGeneration(
      complete(withMember(object, 'status', daemonSetCounts), {
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
        revisionHistoryLimit: 10,
      }),
      before,
    ),
  validate: (object, before) => [...workloadCauses(object, before), ...daemonUpdateCauses(object.spec)],
};

const templateGeneration = 'deprecated.daemonset.template.generation';

/** The generation of the template, which extensions/v1beta1 had in its spec (kubernetes, pkg/registry/apps/daemonset/strategy.go). */
function withTemplateGeneration(object: StoredObject, before: StoredObject | undefined): StoredObject {
  const { annotations } = object.metadata;
  const last = Number(before?.metadata.annotations?.[templateGeneration] ?? 0);
  const value = String(sameJson(object.spec?.template, before?.spec?.template) ? last : last + 1);
  if (annotations?.[templateGeneration] === value) return object;
  return { ...object, metadata: { ...object.metadata, annotations: { ...annotations, [templateGeneration]: value } } };
}

function daemonUpdateCauses(spec: Json | undefined): readonly FieldCause[] {
  const strategy = isJson(spec?.updateStrategy) ? spec.updateStrategy : {};
  const { type, rollingUpdate = null } = strategy;
  if (type === undefined || type === 'RollingUpdate' || type === 'OnDelete') return [];
  const shown = { Type: type, RollingUpdate: rollingUpdate };
  return [fieldCauses.unsupported('spec.updateStrategy', shown, ['RollingUpdate', 'OnDelete'])];
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

function workloadCauses(object: StoredObject, before: StoredObject | undefined): readonly FieldCause[] {
  const spec = object.spec ?? {};
  if (spec === before?.spec) return [];
  return [
    ...replicatedCauses(spec, 'deployment'),
    ...podSpecCauses(templateSpecOf(spec), 'spec.template.spec'),
    ...(before === undefined ? [] : immutable('spec.selector', spec.selector, before.spec?.selector)),
  ];
}

const templateSpecOf = ({ template }: Json): unknown => (isJson(template) ? template.spec : undefined);

/**
 * What is wrong with the members that all workloads with replicas have, apart from their pod spec, which a StatefulSet's volumes complete;
 * `named` is the kind in the message of an empty selector.
 */
export function replicatedCauses(spec: Json, named: string): readonly FieldCause[] {
  return [
    ...notNegative('spec.replicas', spec.replicas),
    ...notNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...selectorCauses(spec, named),
    ...templateCauses(spec),
  ];
}

function templateCauses({ template }: Json): readonly FieldCause[] {
  const { spec, metadata } = isJson(template) ? template : {};
  const policy = isJson(spec) ? spec.restartPolicy : undefined;
  return [
    ...labelCauses('spec.template.labels', isJson(metadata) ? metadata.labels : undefined),
    ...oneOf('spec.template.spec.restartPolicy', policy, ['Always']),
  ];
}

function selectorCauses({ selector, template }: Json, named: string): readonly FieldCause[] {
  const metadata = isJson(template) && isJson(template.metadata) ? template.metadata : {};
  const { labels } = metadata;
  const mismatch = fieldCauses.invalid(
    'spec.template.metadata.labels',
    labels,
    '`selector` does not match template `labels`',
  );
  if (!isJson(selector)) return [fieldCauses.required('spec.selector'), mismatch];
  if (Object.keys(selector).length === 0)
    return [fieldCauses.invalid('spec.selector', selector, `empty selector is invalid for ${named}`)];
  return objectSelector(selector)((labels ?? {}) as Readonly<Record<string, string>>) ? [] : [mismatch];
}

function strategyCauses(spec: Json | undefined): readonly FieldCause[] {
  const strategy = isJson(spec?.strategy) ? spec.strategy : {};
  const { type, rollingUpdate } = strategy;
  if (type === 'Recreate' && rollingUpdate !== undefined)
    return [
      fieldCauses.forbidden('spec.strategy.rollingUpdate', "may not be specified when strategy `type` is 'Recreate'"),
    ];
  if (type === undefined || type === 'Recreate') return [];
  if (type !== 'RollingUpdate') {
    const shown = { Type: type, RollingUpdate: rollingUpdate ?? null };
    return [fieldCauses.unsupported('spec.strategy', shown, ['Recreate', 'RollingUpdate'])];
  }
  const { maxUnavailable, maxSurge } = isJson(rollingUpdate) ? rollingUpdate : {};
  const isZero = (value: unknown) => value === 0 || value === '0%';
  return [
    ...countOrPercentage('spec.strategy.rollingUpdate.maxUnavailable', maxUnavailable),
    ...countOrPercentage('spec.strategy.rollingUpdate.maxSurge', maxSurge),
    ...(isZero(maxUnavailable) && isZero(maxSurge)
      ? [
          fieldCauses.invalid(
            'spec.strategy.rollingUpdate.maxUnavailable',
            maxUnavailable,
            'may not be 0 when `maxSurge` is 0',
          ),
        ]
      : []),
  ];
}
