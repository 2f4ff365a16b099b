import { isJson, type Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import type { Api } from '../api.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { imageSpaceCauses } from '../validation/containers.ts';
import { podSpecCauses } from '../validation/pod-spec.ts';
import { completePodSpec } from './pod-spec.ts';
import type { Strategy } from './strategy.ts';
import { withDefaults } from './strategy.ts';

/** core/v1 Pod, with the admission plugin DefaultTolerationSeconds. */
export const pod: Strategy = {
  firstStatus: (object) => ({ phase: 'Pending', qosClass: qualityOfService(object.spec) }),
  complete: (object, before) => {
    if (object.spec === undefined || object.spec === before?.spec) return object;
    const spec = withDefaults(completePodSpec(object.spec), { enableServiceLinks: true });
    return spec === object.spec ? object : { ...object, spec };
  },
  admit: (object, before, api) => {
    if (object.spec === undefined || object.spec === before?.spec) return object;
    const spec = withDefaultTolerations(object.spec);
    const whole = spec === object.spec ? object : { ...object, spec };
    return before !== undefined && before.spec?.nodeName === undefined ? withPodScheduled(whole, api) : whole;
  },
  validate: (object, before) => (before === undefined ? newSpecCauses(object.spec) : changedSpecCauses(object, before)),
};

function newSpecCauses(spec: Json | undefined): readonly FieldCause[] {
  return [
    ...podSpecCauses(spec, 'spec'),
    ...imageSpaceCauses(spec?.initContainers, 'spec.initContainers'),
    ...imageSpaceCauses(spec?.containers, 'spec.containers'),
  ];
}

/** DefaultTolerationSeconds: a pod without tolerations of these two taints tolerates each for five minutes. */
function withDefaultTolerations(spec: Json): Json {
  const own = (spec.tolerations ?? []) as readonly Json[];
  const missing = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].filter(
    (key) => !own.some((toleration) => tolerates(toleration, key)),
  );
  if (missing.length === 0) return spec;
  const added = missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }));
  return { ...spec, tolerations: [...own, ...added] };
}

function tolerates(toleration: Json, key: string): boolean {
  const { key: tolerated, effect } = toleration;
  return (
    (tolerated === key || tolerated === undefined || tolerated === '') &&
    (effect === 'NoExecute' || effect === undefined)
  );
}

/** A binding also sets the condition PodScheduled (kubernetes, pkg/registry/core/pod/storage, assignPod). */
function withPodScheduled(object: StoredObject, api: Api): StoredObject {
  if (object.spec?.nodeName === undefined) return object;
  const others = ((object.status?.conditions ?? []) as readonly Json[]).filter(({ type }) => type !== 'PodScheduled');
  const scheduled = { type: 'PodScheduled', status: 'True', lastTransitionTime: api.now() };
  return { ...object, status: { ...object.status, conditions: [...others, scheduled] } };
}

const mutableFields = new Set([
  'activeDeadlineSeconds',
  'containers',
  'initContainers',
  'nodeName',
  'schedulingGates',
  'tolerations',
]);

/** Only images, additional tolerations and, once, the node of a pod's spec may change. */
function changedSpecCauses(object: StoredObject, before: StoredObject): readonly FieldCause[] {
  const [spec, old] = [object.spec ?? {}, before.spec ?? {}];
  if (spec === old) return [];
  const changesImmutable = [...new Set([...Object.keys(spec), ...Object.keys(old)])].some(
    (key) => !mutableFields.has(key) && spec[key] !== old[key],
  );
  const moved = old.nodeName !== undefined && spec.nodeName !== old.nodeName;
  if (!changesImmutable && !moved && sameButImages(spec.containers, old.containers)) return [];
  return [
    fieldCauses.forbidden(
      'spec',
      'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
    ),
  ];
}

function sameButImages(containers: unknown, old: unknown): boolean {
  if (containers === old) return true;
  const withoutImages = (list: unknown) =>
    JSON.stringify((list as readonly Json[]).map((one) => ({ ...one, image: '' })));
  return withoutImages(containers) === withoutImages(old);
}

/** core/v1 PodQOSClass: Guaranteed if the limits of every container equal its requests, BestEffort if there are neither. */
function qualityOfService(spec: Json | undefined): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const resources = ((spec?.containers ?? []) as readonly Json[]).map((container) => container.resources);
  const constrained = resources.filter((one) => isJson(one) && (isJson(one.requests) || isJson(one.limits)));
  if (constrained.length === 0) return 'BestEffort';
  const guaranteed = resources.every((one) => isJson(one) && limitsAreRequests(one));
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

function limitsAreRequests({ limits, requests }: Json): boolean {
  if (!isJson(limits) || !isJson(requests)) return false;
  return ['cpu', 'memory'].every((name) => limits[name] !== undefined && limits[name] === requests[name]);
}
