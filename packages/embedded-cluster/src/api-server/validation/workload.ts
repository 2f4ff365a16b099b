import { isJson, type Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { objectSelector } from '../../objects/selectors.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { countOrPercentage, immutable, notNegative } from '../strategies/validation.ts';
import { annotationCauses, labelCauses, oneOf, when } from './formats.ts';
import { podSpecCauses } from './pods/pod-spec.ts';
import { isInvalidSelector, selectorCauses, shownSelector } from './selectors.ts';

/** The words for a kind in its refusals. */
interface Words {
  /** Of an empty selector. */
  readonly emptySelector: string;
  /** Of a template whose pods would end. */
  readonly deadline: string;
  /** Of a selector that selects nothing, beside what is wrong in it; absent: nothing more is said of it. */
  readonly invalidSelector?: string;
}

const ofReplicaSet: Words = {
  emptySelector: 'deployment',
  deadline: 'ReplicaSet',
  invalidSelector: 'invalid label selector',
};
const ofDaemonSet: Words = { emptySelector: 'daemonset', deadline: 'DaemonSet' };
export const ofStatefulSet: Words = { emptySelector: 'statefulset', deadline: 'StatefulSet', invalidSelector: '' };

/** apps/v1 Deployment: each of these is in the order of the API server (kubernetes, pkg/apis/apps/validation). */
export function deploymentCauses({ spec = {} }: StoredObject, before: StoredObject | undefined): readonly FieldCause[] {
  if (spec === before?.spec) return [];
  return [
    ...notNegative('spec.replicas', spec.replicas),
    ...selectedCauses(spec, ofReplicaSet),
    ...strategyCauses(spec),
    ...notNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...notNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
    ...progressCauses(spec),
    ...sameSelectorCauses(spec, before),
  ];
}

/** apps/v1 ReplicaSet. */
export function replicaSetCauses({ spec = {} }: StoredObject, before: StoredObject | undefined): readonly FieldCause[] {
  if (spec === before?.spec) return [];
  return [
    ...notNegative('spec.replicas', spec.replicas),
    ...notNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...selectedCauses(spec, ofReplicaSet),
    ...sameSelectorCauses(spec, before),
  ];
}

/** apps/v1 DaemonSet. */
export function daemonSetCauses({ spec = {} }: StoredObject, before: StoredObject | undefined): readonly FieldCause[] {
  if (spec === before?.spec) return [];
  return [
    ...selectedCauses(spec, ofDaemonSet),
    ...notNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...daemonUpdateCauses(spec),
    ...notNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
    ...sameSelectorCauses(spec, before),
  ];
}

const sameSelectorCauses = (spec: Json, before: StoredObject | undefined): readonly FieldCause[] =>
  before === undefined ? [] : immutable('spec.selector', spec.selector, before.spec?.selector);

/** The errors in a selector, and in the template if its pods can be selected at all. */
export function selectedCauses(spec: Json, words: Words): readonly FieldCause[] {
  const { selector, template } = spec;
  if (isJson(selector) && isInvalidSelector(selector)) {
    const { invalidSelector: why } = words;
    const invalid = why === undefined ? [] : [fieldCauses.invalid('spec.selector', shownSelector(selector), why)];
    return [...selectorCauses('spec.selector', selector), ...invalid];
  }
  return [...presentSelectorCauses(selector, words), ...templateCauses(template, selector, words)];
}

function presentSelectorCauses(selector: unknown, words: Words): readonly FieldCause[] {
  if (!isJson(selector)) return words === ofDaemonSet ? [] : [fieldCauses.required('spec.selector')];
  const why = `empty selector is invalid for ${words.emptySelector}`;
  return [
    ...selectorCauses('spec.selector', selector),
    ...when(isEmpty(selector), fieldCauses.invalid('spec.selector', selector, why)),
  ];
}

const isEmpty = (selector: Json): boolean => Object.keys(selector).length === 0;

function templateCauses(template: unknown, selector: unknown, words: Words): readonly FieldCause[] {
  const { spec, metadata } = isJson(template) ? template : {};
  const { restartPolicy, activeDeadlineSeconds } = isJson(spec) ? spec : {};
  const at = 'spec.template';
  const ends = `activeDeadlineSeconds in ${words.deadline} is not Supported`;
  return [
    ...mismatchCauses(selector, isJson(metadata) ? metadata.labels : undefined),
    ...podTemplateCauses(template, at),
    ...oneOf(`${at}.spec.restartPolicy`, restartPolicy, ['Always']),
    ...when(activeDeadlineSeconds !== undefined, fieldCauses.forbidden(`${at}.spec.activeDeadlineSeconds`, ends)),
  ];
}

/** The errors in a template of pods (pkg/apis/core/validation, ValidatePodTemplateSpec). */
export function podTemplateCauses(template: unknown, field: string): readonly FieldCause[] {
  const { spec, metadata } = isJson(template) ? template : {};
  const { labels, annotations } = isJson(metadata) ? metadata : {};
  const added = isJson(spec) && Array.isArray(spec.ephemeralContainers) && spec.ephemeralContainers.length > 0;
  const why = 'ephemeral containers not allowed in pod template';
  return [
    ...labelCauses(`${field}.labels`, labels),
    ...annotationCauses(`${field}.annotations`, annotations),
    ...podSpecCauses(spec, `${field}.spec`),
    ...when(added, fieldCauses.forbidden(`${field}.spec.ephemeralContainers`, why)),
  ];
}

/** An error if the labels of the template are not selected. */
export function mismatchCauses(selector: unknown, labels: unknown): readonly FieldCause[] {
  if (isJson(selector) && isEmpty(selector)) return [];
  const why = '`selector` does not match template `labels`';
  const matches = objectSelector(selector)((labels ?? {}) as Readonly<Record<string, string>>);
  return when(!matches, fieldCauses.invalid('spec.template.metadata.labels', labels, why));
}

function progressCauses({ progressDeadlineSeconds: deadline, minReadySeconds = 0 }: Json): readonly FieldCause[] {
  if (deadline === undefined) return [];
  const field = 'spec.progressDeadlineSeconds';
  const isShort = Number(deadline) <= Number(minReadySeconds);
  return [
    ...notNegative(field, deadline),
    ...when(isShort, fieldCauses.invalid(field, deadline, 'must be greater than minReadySeconds')),
  ];
}

function strategyCauses(spec: Json): readonly FieldCause[] {
  const { type, rollingUpdate } = isJson(spec.strategy) ? spec.strategy : {};
  const field = 'spec.strategy';
  const needless = "may not be specified when strategy `type` is 'Recreate'";
  if (type === 'Recreate')
    return when(rollingUpdate !== undefined, fieldCauses.forbidden(`${field}.rollingUpdate`, needless));
  if (type === undefined) return [];
  if (type !== 'RollingUpdate') {
    const shown = { Type: type, RollingUpdate: rollingUpdate ?? null };
    return [fieldCauses.unsupported(field, shown, ['Recreate', 'RollingUpdate'])];
  }
  const { maxUnavailable, maxSurge } = isJson(rollingUpdate) ? rollingUpdate : {};
  const at = `${field}.rollingUpdate`;
  const never = fieldCauses.invalid(`${at}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0');
  return [
    ...countOrPercentage(`${at}.maxUnavailable`, maxUnavailable),
    ...countOrPercentage(`${at}.maxSurge`, maxSurge),
    ...when(isZero(maxUnavailable) && isZero(maxSurge), never),
    ...atMostAll(`${at}.maxUnavailable`, maxUnavailable),
  ];
}

function daemonUpdateCauses(spec: Json): readonly FieldCause[] {
  const { type, rollingUpdate } = isJson(spec.updateStrategy) ? spec.updateStrategy : {};
  const field = 'spec.updateStrategy';
  if (type === undefined || type === 'OnDelete') return [];
  if (type !== 'RollingUpdate') {
    const shown = { Type: type, RollingUpdate: rollingUpdate ?? null };
    return [fieldCauses.unsupported(field, shown, ['RollingUpdate', 'OnDelete'])];
  }
  const at = `${field}.rollingUpdate`;
  if (!isJson(rollingUpdate)) return [fieldCauses.required(at)];
  const { maxUnavailable, maxSurge } = rollingUpdate;
  const both = fieldCauses.invalid(`${at}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero');
  return [
    ...countOrPercentage(`${at}.maxUnavailable`, maxUnavailable),
    ...countOrPercentage(`${at}.maxSurge`, maxSurge),
    ...atMostAll(`${at}.maxUnavailable`, maxUnavailable),
    ...atMostAll(`${at}.maxSurge`, maxSurge),
    ...when(!(isNone(maxUnavailable) || isNone(maxSurge)), both),
    ...when(
      isNone(maxUnavailable) && isNone(maxSurge),
      fieldCauses.required(`${at}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'),
    ),
  ];
}

/** A count of nothing, and what is no count. */
const isNone = (value: unknown): boolean => isZero(value) || !/^\d+%?$|^-\d+$/.test(String(value));

/** A count or a percentage of nothing. What is missing counts as that. */
export const isZero = (value: unknown): boolean => Number.parseInt(String(value ?? 0), 10) === 0;

/** An error if it is a percentage above 100. */
export function atMostAll(field: string, value: unknown): readonly FieldCause[] {
  const isPercentage = typeof value === 'string' && /^[0-9]+%$/.test(value);
  const isMore = isPercentage && Number.parseInt(value, 10) > 100;
  return when(isMore, fieldCauses.invalid(field, value, 'must not be greater than 100%'));
}
