import { isJson, type Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { objectSelector } from '../../objects/selectors.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { immutable, notNegative } from '../strategies/validation.ts';
import { failurePolicyCauses } from './failure-policy.ts';
import { domainPathCauses, formatCauses, formats, oneOf, requiredCauses, when } from './formats.ts';
import { itemsOf } from './pods/containers.ts';
import { scheduleCauses, timeZoneCauses } from './schedules.ts';
import { isInvalidSelector, selectorCauses, shownSelector } from './selectors.ts';
import { mismatchCauses, podTemplateCauses } from './workload.ts';

/** batch/v1 Job (kubernetes, pkg/apis/batch/validation). */
export function jobCauses(object: StoredObject, before: StoredObject | undefined): readonly FieldCause[] {
  const spec = object.spec ?? {};
  if (spec === before?.spec) return [];
  const labels = labelsOf(spec.template);
  return [
    ...(before === undefined ? generatedCauses(object) : []),
    ...specCauses(spec, 'spec'),
    ...(isJson(spec.selector)
      ? selectorCauses('spec.selector', spec.selector)
      : [fieldCauses.required('spec.selector')]),
    ...(isJson(spec.selector) && isInvalidSelector(spec.selector) ? [] : mismatchCauses(spec.selector, labels)),
    ...(before === undefined ? hostNameCauses(object) : changedCauses(spec, before.spec ?? {})),
  ];
}

function labelsOf(template: unknown): unknown {
  return isJson(template) && isJson(template.metadata) ? template.metadata.labels : undefined;
}

/** A selector of one's own is only for a job that says so. */
function generatedCauses({ spec = {}, metadata }: StoredObject): readonly FieldCause[] {
  if (spec.manualSelector === true || !isJson(spec.selector) || isInvalidSelector(spec.selector)) return [];
  const uid = String(metadata.uid);
  const generated = {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': metadata.name,
    'controller-uid': uid,
    'job-name': metadata.name,
  };
  const matches = objectSelector(spec.selector)(generated);
  const shown = shownSelector(spec.selector);
  return when(!matches, fieldCauses.invalid('spec.selector', shown, '`selector` not auto-generated'));
}

const counts = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
];
const mostParallelIndexed = 100_000;

function specCauses(spec: Json, field: string): readonly FieldCause[] {
  const { template } = spec;
  const policy = isJson(template) && isJson(template.spec) ? template.spec.restartPolicy : undefined;
  return [
    ...counts.flatMap((count) => notNegative(`${field}.${count}`, spec[count])),
    ...oneOf(`${field}.completionMode`, spec.completionMode, ['NonIndexed', 'Indexed']),
    ...(spec.completionMode === 'Indexed' ? indexedCauses(spec, field) : unindexedCauses(spec, field)),
    ...failurePolicyCauses(spec, field),
    ...managerCauses(spec.managedBy, `${field}.managedBy`),
    ...oneOf(`${field}.podReplacementPolicy`, spec.podReplacementPolicy, ['Failed', 'TerminatingOrFailed']),
    ...podTemplateCauses(template, `${field}.template`),
    ...restartCauses(policy, isJson(spec.podFailurePolicy), `${field}.template.spec.restartPolicy`),
  ];
}

/** The controller that manages the Job instead of the built-in one. */
function managerCauses(manager: unknown, field: string): readonly FieldCause[] {
  if (typeof manager !== 'string') return [];
  const long = fieldCauses.tooLong(field, longestManager);
  return [...domainPathCauses(field, manager), ...when(manager.length > longestManager, long)];
}
const longestManager = 63;

function indexedCauses({ completions, parallelism }: Json, field: string): readonly FieldCause[] {
  const many = `must be less than or equal to ${mostParallelIndexed} when completion mode is Indexed`;
  return [
    ...when(completions === undefined, fieldCauses.required(`${field}.completions`, 'when completion mode is Indexed')),
    ...when(Number(parallelism) > mostParallelIndexed, fieldCauses.invalid(`${field}.parallelism`, parallelism, many)),
  ];
}

function unindexedCauses(spec: Json, field: string): readonly FieldCause[] {
  if (spec.completionMode !== undefined && spec.completionMode !== 'NonIndexed') return [];
  const why = 'requires indexed completion mode';
  const { maxFailedIndexes: most, backoffLimitPerIndex: limit, successPolicy } = spec;
  const unlimited = fieldCauses.required(`${field}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified');
  return [
    ...when(limit !== undefined, fieldCauses.invalid(`${field}.backoffLimitPerIndex`, limit, why)),
    ...when(most !== undefined && limit === undefined, unlimited),
    ...when(most !== undefined, fieldCauses.invalid(`${field}.maxFailedIndexes`, most, why)),
    ...when(
      successPolicy !== undefined,
      fieldCauses.invalid(`${field}.successPolicy`, heldSuccess(successPolicy), why),
    ),
  ];
}

/** A policy as the API server holds it. */
function heldSuccess(policy: unknown): Json {
  const rules = itemsOf(isJson(policy) ? policy.rules : []);
  const held = rules.map(({ succeededIndexes = null, succeededCount = null }) => ({
    SucceededIndexes: succeededIndexes,
    SucceededCount: succeededCount,
  }));
  return { Rules: held.length === 0 ? null : held };
}

/** A job's pods end: they are not restarted always. */
function restartCauses(policy: unknown, hasFailurePolicy: boolean, field: string): readonly FieldCause[] {
  if (policy === undefined || policy === 'Always')
    return [fieldCauses.required(field, 'valid values: "OnFailure", "Never"')];
  const only = 'only "Never" is supported when podFailurePolicy is specified';
  const isOther = hasFailurePolicy && policy === 'OnFailure';
  return [...oneOf(field, policy, ['OnFailure', 'Never']), ...when(isOther, fieldCauses.invalid(field, policy, only))];
}

/** The last pod of an indexed job has to have a name. */
function hostNameCauses({ metadata, spec = {} }: StoredObject): readonly FieldCause[] {
  const { completionMode, completions } = spec;
  if (completionMode !== 'Indexed' || !(Number(completions) > 0)) return [];
  const last = `${metadata.name}-${Number(completions) - 1}`;
  const isLabel = formatCauses('', last, formats.label).length === 0;
  const why = `will not able to create pod with invalid DNS label: ${last}`;
  return when(!isLabel, fieldCauses.invalid('metadata.name', metadata.name, why));
}

const fixed = ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'];

function changedCauses(spec: Json, old: Json): readonly FieldCause[] {
  const same = (key: string) => immutable(`spec.${key}`, spec[key], old[key]);
  const template = isScheduling(old) ? withDirectivesOf(old.template, spec.template) : old.template;
  const tandem = 'can only be modified in tandem with spec.parallelism';
  const grown = spec.completionMode === 'Indexed' && spec.completions !== old.completions;
  return [
    ...(spec.completionMode === 'Indexed'
      ? when(
          grown && spec.completions !== spec.parallelism,
          fieldCauses.invalid('spec.completions', spec.completions, tandem),
        )
      : same('completions')),
    ...same('selector'),
    ...immutable('spec.template', spec.template, template),
    ...fixed.flatMap(same),
  ];
}

const directives = ['affinity', 'nodeSelector', 'tolerations', 'schedulingGates'];

/** Where its pods go may change while a job is suspended. */
const isScheduling = (old: Json): boolean => old.suspend === true;

function withDirectivesOf(template: unknown, from: unknown): unknown {
  if (!isJson(template) || !isJson(from) || !isJson(template.spec) || !isJson(from.spec)) return template;
  const kept = Object.entries(template.spec).filter(([key]) => !directives.includes(key));
  const free = Object.entries(from.spec).filter(([key]) => directives.includes(key));
  return { ...template, metadata: from.metadata, spec: Object.fromEntries([...kept, ...free]) };
}

const longestName = 52;

/** batch/v1 CronJob. */
export function cronJobCauses(object: StoredObject, before: StoredObject | undefined): readonly FieldCause[] {
  const spec = object.spec ?? {};
  if (spec === before?.spec) return [];
  const template = isJson(spec.jobTemplate) ? spec.jobTemplate : {};
  const job = isJson(template.spec) ? template.spec : {};
  const { name } = object.metadata;
  const long = before === undefined && name.length > longestName;
  const at = 'spec.jobTemplate.spec';
  return [
    ...requiredCauses('spec.schedule', spec.schedule),
    ...scheduleCauses(spec, before?.spec),
    ...notNegative('spec.startingDeadlineSeconds', spec.startingDeadlineSeconds),
    ...(spec.timeZone === before?.spec?.timeZone ? [] : timeZoneCauses(spec.timeZone)),
    ...oneOf('spec.concurrencyPolicy', spec.concurrencyPolicy, ['Allow', 'Forbid', 'Replace']),
    ...specCauses(job, at),
    ...when(
      isJson(job.selector),
      fieldCauses.invalid(`${at}.selector`, shownSelector(job.selector), '`selector` will be auto-generated'),
    ),
    ...when(job.manualSelector === true, fieldCauses.unsupported(`${at}.manualSelector`, true, ['nil', 'false'])),
    ...notNegative('spec.successfulJobsHistoryLimit', spec.successfulJobsHistoryLimit),
    ...notNegative('spec.failedJobsHistoryLimit', spec.failedJobsHistoryLimit),
    ...when(long, fieldCauses.invalid('metadata.name', name, `must be no more than ${longestName} characters`)),
  ];
}
