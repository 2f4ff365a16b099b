import { isJson, type Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { withDefaultTolerations } from '../admission/default-toleration-seconds.ts';
import { requirePodWithinLimits, withContainerDefaults, withLimitNotes } from '../admission/limit-ranger.ts';
import { withPriority } from '../admission/priority.ts';
import { withOverhead } from '../admission/runtime-class.ts';
import { withServiceAccount } from '../admission/service-account.ts';
import type { Api, ApiRequest } from '../api.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { when } from '../validation/formats.ts';
import { changedPodCauses } from '../validation/pods/changed-pod.ts';
import { imageSpaceCauses, itemsOf } from '../validation/pods/containers.ts';
import { deletionCostCauses } from '../validation/pods/pod-annotations.ts';
import { podSpecCauses } from '../validation/pods/pod-spec.ts';
import { podStatusCauses } from '../validation/pods/pod-status.ts';
import { completeOwnSpec, completePodSpec } from './pod-spec.ts';
import { at, defaultsOf, type Strategy, withDefaults } from './strategy.ts';
import { podWarnings } from './warnings.ts';

/** core/v1 Pod, with the admission plugins that complete one, in their order. */
export const pod: Strategy = {
  firstStatus: (object) => ({ phase: 'Pending', ...gatedStatus(object), qosClass: qualityOfService(object.spec) }),
  complete: (sent, before) => {
    const object = withProbeTimes(sent, before);
    if (object.spec === undefined || object.spec === before?.spec) return object;
    const spec = withoutNegativeGrace(
      withDefaults(completeOwnSpec(completePodSpec(object.spec)), { enableServiceLinks: true }),
    );
    return spec === object.spec ? object : { ...object, spec };
  },
  admit: (object, before, api, request) => {
    if (object.spec === undefined || object.spec === before?.spec) return object;
    const spec = withDefaultTolerations(before === undefined ? admittedSpec(object.spec, api, request) : object.spec);
    const whole = spec === object.spec ? object : withLimitNotes({ ...object, spec }, object.spec);
    if (before === undefined) return withQuality(whole);
    return before.spec?.nodeName === undefined ? withPodScheduled(whole, api) : whole;
  },
  validate: (object, before, at) =>
    before === undefined
      ? [...deletionCostCauses(object.metadata.annotations, 'metadata.annotations'), ...newSpecCauses(object.spec)]
      : [
          ...changedSpecCauses(object, before, at),
          ...(at.typed === undefined ? [] : podStatusCauses(object.status, before.status)),
        ],
  warnings: podWarnings,
  permit: (object, before, api, at) => {
    if (before === undefined) requirePodWithinLimits(object, api, at);
  },
};

/** The class by the resources that admission has filled in. */
function withQuality(object: StoredObject): StoredObject {
  const qosClass = qualityOfService(object.spec);
  return object.status?.qosClass === qosClass ? object : { ...object, status: { ...object.status, qosClass } };
}

/**
 * A pod behind a gate says at once why it is not scheduled (kubernetes, pkg/registry/core/pod/strategy.go,
 * applySchedulingGatedCondition).
 */
function gatedStatus({ spec, metadata }: StoredObject): Json {
  if (itemsOf(spec?.schedulingGates).length === 0) return {};
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: metadata.creationTimestamp,
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  };
  return { conditions: [condition] };
}

/** core/v1 PodCondition: `lastProbeTime` is always written, as null if nobody sent one. */
function withProbeTimes(object: StoredObject, before: StoredObject | undefined): StoredObject {
  return object.status === before?.status
    ? object
    : at(object, 'status.conditions.*', defaultsOf({ lastProbeTime: null }));
}

/** What only a new pod is given. */
function admittedSpec(spec: Json, api: Api, request: ApiRequest): Json {
  return withContainerDefaults(
    withPriority(withServiceAccount(withOverhead(spec, api, request), api, request), api, request),
    api,
    request,
  );
}

/** A negative grace period is one of a second (kubernetes, pkg/apis/core/v1/defaults.go). */
function withoutNegativeGrace(spec: Json): Json {
  return Number(spec.terminationGracePeriodSeconds) < 0 ? { ...spec, terminationGracePeriodSeconds: 1 } : spec;
}

function newSpecCauses(spec: Json | undefined): readonly FieldCause[] {
  const debugging = fieldCauses.forbidden('spec.ephemeralContainers', 'cannot be set on create');
  return [
    ...podSpecCauses(spec, 'spec'),
    ...when(spec?.ephemeralContainers !== undefined, debugging),
    ...imageSpaceCauses(spec?.initContainers, 'spec.initContainers'),
    ...imageSpaceCauses(spec?.containers, 'spec.containers'),
  ];
}

/** A binding also sets the condition PodScheduled (kubernetes, pkg/registry/core/pod/storage, assignPod). */
function withPodScheduled(object: StoredObject, api: Api): StoredObject {
  if (object.spec?.nodeName === undefined) return object;
  const others = ((object.status?.conditions ?? []) as readonly Json[]).filter(({ type }) => type !== 'PodScheduled');
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: api.now() };
  return { ...object, status: { ...object.status, conditions: [...others, scheduled] } };
}

/**
 * Only images, additional tolerations and the like may change. The node is set once, by a binding; the embedded
 * scheduler, which works in process, sets it with a patch.
 */
function changedSpecCauses(object: StoredObject, before: StoredObject, at: ApiRequest): readonly FieldCause[] {
  const [spec, old] = [object.spec ?? {}, before.spec ?? {}];
  if (spec === old) return [];
  const ofSubresource = subresourceCauses[at.subresource ?? ''];
  if (ofSubresource !== undefined) return ofSubresource(object, before);
  const { nodeName } = spec;
  // A controller in process that binds a pod changes nothing else.
  if (at.typed === undefined && !isMoved(spec, old, at) && isSameBut(spec, old, 'nodeName')) return [];
  return changedPodCauses(spec, isMoved(spec, old, at) ? old : { ...old, ...(nodeName !== undefined && { nodeName }) });
}

const isSameBut = (spec: Json, old: Json, free: string): boolean =>
  [...Object.keys(spec), ...Object.keys(old)].every((key) => key === free || spec[key] === old[key]);

/** Whether the pod is given another node than by its first binding. */
function isMoved(spec: Json, old: Json, at: ApiRequest): boolean {
  const isBinding = old.nodeName === undefined && (at.subresource === 'binding' || at.typed === undefined);
  return !isBinding && spec.nodeName !== old.nodeName;
}

/** Through two subresources other things may change. */
const subresourceCauses: Readonly<
  Record<string, ((object: StoredObject, before: StoredObject) => readonly FieldCause[]) | undefined>
> = {
  ephemeralcontainers: ({ spec = {} }, before) => debuggingCauses(spec, before.spec ?? {}),
  resize: resizeCauses,
};

/** The containers for debugging may become more only. */
function debuggingCauses(spec: Json, old: Json): readonly FieldCause[] {
  const all = itemsOf(spec.ephemeralContainers);
  const before = itemsOf(old.ephemeralContainers);
  const removed = before.filter(({ name }) => !all.some((one) => one.name === name));
  return [
    ...podSpecCauses(spec, 'spec').filter(({ field }) => field.startsWith('spec.ephemeralContainers')),
    ...removed.map(({ name }) =>
      fieldCauses.forbidden(
        'spec.ephemeralContainers',
        `existing ephemeral containers ${JSON.stringify(name)} may not be removed\n`,
      ),
    ),
  ];
}

/**
 * Other resources may not make another class of a pod
 * (https://kubernetes.io/docs/tasks/configure-pod-container/resize-container-resources/).
 */
function resizeCauses({ spec = {} }: StoredObject, before: StoredObject): readonly FieldCause[] {
  const was = qualityOfService(before.spec);
  const why = 'Pod QOS Class may not change as a result of resizing';
  const onNode = fieldCauses.forbidden('spec', 'Pod running on node without support for resize');
  return [
    ...when(qualityOfService(spec) !== was, fieldCauses.invalid('spec', was, why)),
    ...when(spec.nodeName !== undefined, onNode),
  ];
}

/**
 * core/v1 PodQOSClass: Guaranteed if the limits of every container equal its requests, BestEffort if there are neither.
 * Only CPU and memory count, and where a pod has resources as a whole, only those.
 */
function qualityOfService(spec: Json | undefined): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const containers = ((spec?.containers ?? []) as readonly Json[]).map((container) => container.resources);
  const first = itemsOf(spec?.initContainers).map((container) => container.resources);
  const resources = isJson(spec?.resources) ? [spec.resources] : [...containers, ...first];
  const counts = (amounts: unknown) =>
    isJson(amounts) && ['cpu', 'memory'].some((name) => amounts[name] !== undefined && amounts[name] !== '0');
  const constrained = resources.filter((one) => isJson(one) && (counts(one.requests) || counts(one.limits)));
  if (constrained.length === 0) return 'BestEffort';
  const guaranteed = resources.every((one) => isJson(one) && limitsAreRequests(one));
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

function limitsAreRequests({ limits, requests }: Json): boolean {
  if (!isJson(limits) || !isJson(requests)) return false;
  return ['cpu', 'memory'].every((name) => limits[name] !== undefined && limits[name] === requests[name]);
}
