import { isJson, type Json } from '../objects/json.ts';
import type { StoredObject } from '../objects/objects.ts';
import { objectSelector } from '../objects/selectors.ts';
import type { Api, ApiRequest } from './api.ts';
import { requireNamespace } from './create.ts';
import { type Deletion, deleteObject, requirePreconditions } from './delete.ts';
import { getObject } from './read.ts';
import { refusals } from './refusals.ts';
import { served } from './served.ts';

/** The Eviction subresource, policy/v1, by the rules of pkg/registry/core/pod/storage/eviction.go. */
export function evictPod(api: Api, request: ApiRequest, deletion: Deletion): void {
  requireNamespace(api, request);
  const pod = getObject(api, request);
  if (!needsNoBudget(pod)) spend(api, request, pod);
  requirePreconditions(request, pod, deletion);
  if (!request.dryRun) api.objects.put(targeted(pod, api.now()));
  const { resourceVersion: _, ...preconditions } = deletion.preconditions ?? {};
  deleteObject(api, request, { ...deletion, preconditions });
}

/** The condition that says why it goes (addConditionAndDeletePod). */
function targeted(pod: StoredObject, now: string): StoredObject {
  const conditions = (pod.status?.conditions ?? []) as readonly Json[];
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    lastTransitionTime: now,
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  const others = conditions.filter(({ type }) => type !== condition.type);
  return { ...pod, status: { ...pod.status, conditions: [...others, condition] } };
}

/** A pod that has ended, has not begun or is going already takes nothing from a budget. */
function needsNoBudget({ status, metadata }: StoredObject): boolean {
  return metadata.deletionTimestamp !== undefined || ['Succeeded', 'Failed', 'Pending'].includes(String(status?.phase));
}

function spend(api: Api, request: ApiRequest, pod: StoredObject): void {
  const [budget, second] = budgetsOf(api, pod);
  if (second !== undefined)
    throw refusals.failure(
      request,
      500,
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  if (budget === undefined || (!isReady(pod) && letsUnhealthyGo(budget))) return;
  requireRoom(request, budget);
  if (!request.dryRun) api.objects.put(afterOneMore(budget, pod, api.now()));
}

/** A budget with no selector, or an empty one, selects nothing here. */
function budgetsOf(api: Api, { metadata }: StoredObject): readonly StoredObject[] {
  return api.objects.list('PodDisruptionBudget', metadata.namespace).filter(({ spec }) => {
    const selector = spec?.selector;
    const says = isJson(selector) && Object.values(selector).some((part) => Object.keys(part as object).length > 0);
    return says && objectSelector(selector)(metadata.labels ?? {});
  });
}

function isReady({ status }: StoredObject): boolean {
  return ((status?.conditions ?? []) as readonly Json[]).some((one) => one.type === 'Ready' && one.status === 'True');
}

function letsUnhealthyGo({ spec, status }: StoredObject): boolean {
  const desired = Number(status?.desiredHealthy ?? 0);
  const healthy = Number(status?.currentHealthy ?? 0);
  return spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow' || (healthy >= desired && desired > 0);
}

/** More evictions than this that the budget's controller has not seen are refused (MaxDisruptedPodSize). */
const unseenEvictions = 2000;

function requireRoom(request: ApiRequest, { metadata, status = {} }: StoredObject): void {
  const allowed = Number(status.disruptionsAllowed ?? 0);
  const at = { verb: request.verb, served: served.PodDisruptionBudget, name: metadata.name };
  if (Number(status.observedGeneration ?? 0) < (metadata.generation ?? 0))
    throw violation(request, `The disruption budget ${metadata.name} is still being processed by the server.`, 10);
  if (allowed < 0) throw refusals.forbidden(at, 'pdb disruptions allowed is negative');
  if (Object.keys(status.disruptedPods ?? {}).length > unseenEvictions)
    throw refusals.forbidden(at, 'DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  if (allowed === 0) throw violation(request, whyNone(metadata.name, status), 0);
}

function whyNone(name: string, { conditions = [], desiredHealthy, currentHealthy }: Json): string {
  const failed = (conditions as readonly Json[]).find(
    (one) => one.type === 'DisruptionAllowed' && one.reason === 'SyncFailed',
  );
  if (failed === undefined)
    return `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  return `The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${failed.message}`;
}

function violation(request: ApiRequest, message: string, retryAfterSeconds: number) {
  return refusals.tooManyRequests(
    request,
    "Cannot evict pod as it would violate the pod's disruption budget.",
    { reason: 'DisruptionBudget', message },
    retryAfterSeconds,
  );
}

/** Written before the pod is deleted, so that of two evictions in one instant only as many pass as the budget allows. */
function afterOneMore(budget: StoredObject, pod: StoredObject, now: string): StoredObject {
  const disruptionsAllowed = Number(budget.status?.disruptionsAllowed) - 1;
  const disruptedPods = { ...(budget.status?.disruptedPods as object), [pod.metadata.name]: now };
  const status = { ...budget.status, disruptionsAllowed, disruptedPods };
  return { ...budget, status: disruptionsAllowed === 0 ? exhausted(status, budget, now) : status };
}

function exhausted(status: Json, { metadata }: StoredObject, now: string): Json {
  const conditions = (status.conditions ?? []) as readonly Json[];
  const old = conditions.find(({ type }) => type === 'DisruptionAllowed');
  const condition = {
    type: 'DisruptionAllowed',
    status: 'False',
    observedGeneration: metadata.generation,
    lastTransitionTime: old?.status === 'False' ? old.lastTransitionTime : now,
    reason: 'InsufficientPods',
    message: '',
  };
  return { ...status, conditions: [...conditions.filter((one) => one !== old), condition] };
}
