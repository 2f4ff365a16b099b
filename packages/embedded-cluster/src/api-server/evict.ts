import { isJson, type Json } from '../objects/json.ts';
import type { StoredObject } from '../objects/objects.ts';
import { objectSelector } from '../objects/selectors.ts';
import type { Api, ApiRequest } from './api.ts';
import { requireNamespace } from './create.ts';
import { type Deletion, deleteObject, requirePreconditions } from './delete.ts';
import { getObject } from './read.ts';
import { refusals } from './refusals.ts';
import { served } from './served.ts';

/**
 * The eviction subresource (policy/v1; kubernetes, pkg/registry/core/pod/storage/eviction.go). A refusal is an
 * `ApiError`.
 */
export function evictPod(api: Api, request: ApiRequest, deletion: Deletion): void {
  requireNamespace(api, request);
  const pod = getObject(api, request);
  if (!ignoresBudgets(pod)) takeFromBudget(api, request, pod);
  requirePreconditions(request, pod, deletion);
  if (!request.dryRun) api.objects.put(withDisruptionTarget(pod, api.now()));
  const { resourceVersion: _, ...preconditions } = deletion.preconditions ?? {};
  deleteObject(api, request, { ...deletion, preconditions });
}

/** The pod with the condition DisruptionTarget (eviction.go, addConditionAndDeletePod). */
function withDisruptionTarget(pod: StoredObject, now: string): StoredObject {
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

/** Pods that have ended, are pending or are terminating take nothing from a budget (eviction.go, canIgnorePDB). */
function ignoresBudgets({ status, metadata }: StoredObject): boolean {
  return metadata.deletionTimestamp !== undefined || ['Succeeded', 'Failed', 'Pending'].includes(String(status?.phase));
}

function takeFromBudget(api: Api, request: ApiRequest, pod: StoredObject): void {
  const [budget, second] = budgetsOf(api, pod);
  if (second !== undefined)
    throw refusals.failure(
      request,
      500,
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  if (budget === undefined || (!isReady(pod) && allowsUnhealthyEviction(budget))) return;
  requireDisruptionAllowed(request, budget);
  if (!request.dryRun) api.objects.put(statusAfterDisruption(budget, pod, api.now()));
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

function allowsUnhealthyEviction({ spec, status }: StoredObject): boolean {
  const desired = Number(status?.desiredHealthy ?? 0);
  const healthy = Number(status?.currentHealthy ?? 0);
  return spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow' || (healthy >= desired && desired > 0);
}

/**
 * Evictions that the disruption controller has not processed yet; more are refused (eviction.go, MaxDisruptedPodSize).
 */
const unconfirmedEvictionsAllowed = 2000;

function requireDisruptionAllowed(request: ApiRequest, { metadata, status = {} }: StoredObject): void {
  const allowed = Number(status.disruptionsAllowed ?? 0);
  const at = { verb: request.verb, served: served.PodDisruptionBudget, name: metadata.name };
  if (Number(status.observedGeneration ?? 0) < (metadata.generation ?? 0))
    throw violation(request, `The disruption budget ${metadata.name} is still being processed by the server.`, 10);
  if (allowed < 0) throw refusals.forbidden(at, 'pdb disruptions allowed is negative');
  if (Object.keys(status.disruptedPods ?? {}).length > unconfirmedEvictionsAllowed)
    throw refusals.forbidden(at, 'DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  if (allowed === 0) throw violation(request, budgetMessage(metadata.name, status), 0);
}

function budgetMessage(name: string, { conditions = [], desiredHealthy, currentHealthy }: Json): string {
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

/** Stored before the pod is deleted, so that concurrent evictions cannot exceed the budget. */
function statusAfterDisruption(budget: StoredObject, pod: StoredObject, now: string): StoredObject {
  const disruptionsAllowed = Number(budget.status?.disruptionsAllowed) - 1;
  const disruptedPods = { ...(budget.status?.disruptedPods as object), [pod.metadata.name]: now };
  const status = { ...budget.status, disruptionsAllowed, disruptedPods };
  return { ...budget, status: disruptionsAllowed === 0 ? withoutDisruptionsAllowed(status, budget, now) : status };
}

function withoutDisruptionsAllowed(status: Json, { metadata }: StoredObject, now: string): Json {
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
