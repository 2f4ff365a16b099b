import { isJson, type Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import type { Api } from '../api.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { completePodSpec } from './pod-spec.ts';
import type { Strategy } from './strategy.ts';
import { withDefaults } from './strategy.ts';
import { containerCauses } from './validation.ts';

/** core/v1 Pod, with the admission plugin DefaultTolerationSeconds. */
export const pod: Strategy = {
  firstStatus: (object) => ({ phase: 'Pending', qosClass: qualityOfService(object.spec) }),
  complete: (object, before, api) => {
    if (object.spec === undefined || object.spec === before?.spec) return object;
    const spec = tolerant(withDefaults(completePodSpec(object.spec), { enableServiceLinks: true }));
    const whole = spec === object.spec ? object : { ...object, spec };
    return before !== undefined && before.spec?.nodeName === undefined ? bound(whole, api) : whole;
  },
  validate: (object, before) =>
    before === undefined ? containerCauses(object.spec, 'spec') : changedSpecCauses(object, before),
};

/** Five minutes on a node that is not ready or not reachable, where the pod itself says nothing about these taints. */
function tolerant(spec: Json): Json {
  const said = (spec.tolerations ?? []) as readonly Json[];
  const missing = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].filter(
    (key) => !said.some((toleration) => tolerates(toleration, key)),
  );
  if (missing.length === 0) return spec;
  const added = missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }));
  return { ...spec, tolerations: [...said, ...added] };
}

function tolerates(toleration: Json, key: string): boolean {
  const { key: said, effect } = toleration;
  return (said === key || said === undefined || said === '') && (effect === 'NoExecute' || effect === undefined);
}

/** What a binding does besides naming the node: the condition PodScheduled (pkg/registry/core/pod/storage, assignPod). */
function bound(object: StoredObject, api: Api): StoredObject {
  if (object.spec?.nodeName === undefined) return object;
  const others = ((object.status?.conditions ?? []) as readonly Json[]).filter(({ type }) => type !== 'PodScheduled');
  const scheduled = { type: 'PodScheduled', status: 'True', lastTransitionTime: api.now() };
  return { ...object, status: { ...object.status, conditions: [...others, scheduled] } };
}

const changeable = new Set([
  'activeDeadlineSeconds',
  'containers',
  'initContainers',
  'nodeName',
  'schedulingGates',
  'tolerations',
]);

/** Of a pod's spec little may change: images, more tolerations, and the node once. */
function changedSpecCauses(object: StoredObject, before: StoredObject): readonly FieldCause[] {
  const [spec, old] = [object.spec ?? {}, before.spec ?? {}];
  if (spec === old) return [];
  const fixed = [...new Set([...Object.keys(spec), ...Object.keys(old)])].some(
    (key) => !changeable.has(key) && spec[key] !== old[key],
  );
  const moved = old.nodeName !== undefined && spec.nodeName !== old.nodeName;
  if (!fixed && !moved && sameButImages(spec.containers, old.containers)) return [];
  return [
    fieldCauses.forbidden(
      'spec',
      'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
    ),
  ];
}

function sameButImages(containers: unknown, old: unknown): boolean {
  if (containers === old) return true;
  const fixed = (list: unknown) => JSON.stringify((list as readonly Json[]).map((one) => ({ ...one, image: '' })));
  return fixed(containers) === fixed(old);
}

/** core/v1: Guaranteed when every container's limits are its requests, BestEffort when nobody says anything. */
function qualityOfService(spec: Json | undefined): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const resources = ((spec?.containers ?? []) as readonly Json[]).map((container) => container.resources);
  const said = resources.filter((one) => isJson(one) && (isJson(one.requests) || isJson(one.limits)));
  if (said.length === 0) return 'BestEffort';
  const guaranteed = resources.every((one) => isJson(one) && limitsAreRequests(one));
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

function limitsAreRequests({ limits, requests }: Json): boolean {
  if (!isJson(limits) || !isJson(requests)) return false;
  return ['cpu', 'memory'].every((name) => limits[name] !== undefined && limits[name] === requests[name]);
}
