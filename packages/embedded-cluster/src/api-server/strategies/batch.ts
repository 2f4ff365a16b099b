import { isJson, type Json, sameJson } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { cronJobCauses, jobCauses } from '../validation/jobs.ts';
import { completeTemplate } from './pod-spec.ts';
import { at, defaultsOf, type Strategy } from './strategy.ts';
import { templateWarnings, warningsOfTemplate } from './warnings.ts';

/** batch/v1 Job (kubernetes, pkg/apis/batch/v1/defaults.go and pkg/registry/batch/job). */
export const job: Strategy = {
  warnings: (object, before) => [...jobWarnings(object, before), ...templateWarnings(object, before)],
  firstStatus: () => ({}),
  complete: completeJob,
  admit: (object, before) => (before === undefined ? withSelector(object) : object),
  validate: jobCauses,
};

/** batch/v1 CronJob (kubernetes, pkg/apis/batch/v1/defaults.go). */
export const cronJob: Strategy = {
  warnings: ({ spec = {} }, before) => {
    const { spec: ofJob }: Json = isJson(spec.jobTemplate) ? spec.jobTemplate : {};
    const { template }: Json = isJson(ofJob) ? ofJob : {};
    if (!isJson(template) || spec.jobTemplate === before?.spec?.jobTemplate) return [];
    return warningsOfTemplate(template, 'spec.jobTemplate.spec.template');
  },
  firstStatus: () => ({}),
  complete: (object) => {
    const defaults = {
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    };
    const whole = at(object, 'spec', defaultsOf(defaults));
    const named = at(whole, 'spec.jobTemplate', defaultsOf({ metadata: {} }));
    const template = (value: unknown) => completeTemplate(defaultsOf({ metadata: {} })(value));
    const failing = at(named, `spec.jobTemplate.spec.${failureConditions}`, ofCondition);
    return at(failing, 'spec.jobTemplate.spec.template', template);
  },
  validate: cronJobCauses,
};

/** kubernetes, pkg/api/job/warnings.go and pkg/registry/batch/job/strategy.go. */
function jobWarnings({ metadata, spec = {} }: StoredObject, before: StoredObject | undefined): readonly string[] {
  const dotted =
    'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]';
  const many =
    'spec: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';
  const isMany = Number(spec.completions) > 100_000 && Number(spec.parallelism) > 10_000;
  return [
    ...(before === undefined && metadata.name.includes('.') ? [dotted] : []),
    ...(spec.completionMode === 'Indexed' && isMany ? [many] : []),
  ];
}

const failureConditions = 'podFailurePolicy.rules.*.onPodConditions.*';
const ofCondition = defaultsOf({ status: 'True' });

function completeJob(object: StoredObject): StoredObject {
  const counts = object.spec?.completions === undefined && object.spec?.parallelism === undefined;
  const defaults = {
    parallelism: 1,
    ...(counts && { completions: 1 }),
    backoffLimit: object.spec?.backoffLimitPerIndex === undefined ? 6 : 2_147_483_647,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: object.spec?.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed',
    manualSelector: false,
  };
  const whole = at(at(labelled(object), 'spec', defaultsOf(defaults)), 'spec.template', completeTemplate);
  return at(whole, `spec.${failureConditions}`, ofCondition);
}

/** A job without labels gets those of its template. */
function labelled(object: StoredObject): StoredObject {
  const template = isJson(object.spec?.template) ? object.spec.template : {};
  const { labels } = isJson(template.metadata) ? template.metadata : {};
  return isJson(labels) ? at(object, 'metadata', defaultsOf({ labels })) : object;
}

/** A job without a selector of its own selects its pods by its uid. */
function withSelector(object: StoredObject): StoredObject {
  const { spec, metadata } = object;
  if (spec === undefined || spec.manualSelector === true) return object;
  const template = isJson(spec.template) ? spec.template : {};
  const ofTemplate = isJson(template.metadata) ? template.metadata : {};
  const uid = String(metadata.uid);
  const own = isJson(spec.selector) ? spec.selector : {};
  const wanted = isJson(own.matchLabels) ? own.matchLabels : {};
  const labels: Json = {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': metadata.name,
    'controller-uid': uid,
    'job-name': metadata.name,
  };
  const isShared = metadata.labels === undefined || sameJson(metadata.labels, ofTemplate.labels);
  const podLabels = { ...(ofTemplate.labels as object), ...labels };
  return {
    ...object,
    // The labels that it has from its template are one with them.
    metadata: isShared ? { ...metadata, labels: podLabels as Readonly<Record<string, string>> } : metadata,
    spec: {
      ...spec,
      selector: { ...own, matchLabels: { ...wanted, 'batch.kubernetes.io/controller-uid': uid } },
      template: { ...template, metadata: { ...ofTemplate, labels: podLabels } },
    },
  };
}
