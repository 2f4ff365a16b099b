import { frozen, isJson, type Json, sameJson } from '../objects/json.ts';
import { collectionOf, type StoredMetadata, type StoredObject } from '../objects/objects.ts';
import { defaultGraceSeconds } from '../objects/pods.ts';
import { timestamp } from '../objects/timestamps.ts';
import type { Api, ApiRequest } from './api.ts';
import { getObject } from './read.ts';
import { refusals } from './refusals.ts';

/** meta/v1 DeleteOptions. */
export interface Deletion {
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' | undefined;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } | undefined;
}
export interface Deleted {
  readonly object: StoredObject;
  /** False: the object still exists and waits for its grace period or its finalizers. */
  readonly gone: boolean;
}

/**
 * Deletes at once, or marks for deletion an object with finalizers or a pod with a grace period (apiserver,
 * registry/rest/delete.go).
 */
export function deleteObject(api: Api, request: ApiRequest, deletion: Deletion): Deleted {
  const current = getObject(api, request);
  requirePreconditions(request, current, deletion);
  requireDeletable(request, current);
  const finalizers = finalizersFor(current, deletion);
  const grace = gracePeriod(current, deletion);
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = current.metadata;
  const waits = grace > 0 || finalizers.length > 0 || hasContent(current);
  if (!waits) {
    const last = lastVersion(api, current);
    return { object: request.dryRun ? last : removed(api, last), gone: true };
  }
  const isMarked = deletionTimestamp !== undefined && grace >= deletionGracePeriodSeconds;
  if (isMarked && sameJson(finalizers, current.metadata.finalizers ?? [])) return { object: current, gone: false };
  const marked = markedForDeletion(api, current, grace, finalizers);
  return { object: request.dryRun ? marked : api.objects.put(marked), gone: false };
}

function removed(api: Api, last: StoredObject): StoredObject {
  if (last.kind === 'CustomResourceDefinition') removeInstances(api, last);
  return api.objects.remove(last);
}

/** The API server marks a pod and a definition before it removes them. */
function lastVersion(api: Api, object: StoredObject): StoredObject {
  if (object.kind === 'CustomResourceDefinition') return frozen(terminatingDefinition(api, object));
  return object.kind === 'Pod' ? frozen(markedForDeletion(api, object, 0, [])) : object;
}

/** A 409 if the uid or the resource version is not the one in the preconditions. */
export function requirePreconditions(
  request: ApiRequest,
  { metadata }: StoredObject,
  { preconditions = {} }: Deletion,
): void {
  const { uid, resourceVersion } = preconditions;
  const preconditionRows = [
    ['UID', uid, metadata.uid, 'The object might have been deleted and then recreated'],
    ['ResourceVersion', resourceVersion, metadata.resourceVersion, 'The object might have been modified'],
  ] as const;
  if (request.served.kind === 'Namespace' && uid !== undefined && uid !== metadata.uid)
    throw refusals.conflict(
      request,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`,
    );
  for (const [what, expected, found, why] of preconditionRows)
    if (expected !== undefined && expected !== found)
      throw refusals.conflict(
        { ...request, served: { ...request.served, plural: request.served.kind } },
        `the ${what} in the precondition (${expected}) does not match the ${what} in record (${found}). ${why}`,
      );
}

const protectedNamespaces = new Set(['default', 'kube-system', 'kube-public']);

/** The admission plugin NamespaceLifecycle: some namespaces cannot be deleted. */
function requireDeletable(request: ApiRequest, { kind, metadata }: StoredObject): void {
  if (kind === 'Namespace' && protectedNamespaces.has(metadata.name))
    throw refusals.forbidden(request, 'this namespace may not be deleted');
}

/** Whether the namespace controller still has to empty this namespace: then `spec.finalizers` is not empty. */
export function hasContent({ kind, spec }: StoredObject): boolean {
  return kind === 'Namespace' && Array.isArray(spec?.finalizers) && spec.finalizers.length > 0;
}

/**
 * Kinds that the garbage collector does not watch: it would never remove the finalizers `orphan` and
 * `foregroundDeletion`.
 */
const uncollected = new Set(['Event', 'HorizontalPodAutoscaler', 'Lease', 'Namespace', 'PodMetrics']);

function finalizersFor({ kind, metadata }: StoredObject, { propagationPolicy }: Deletion): readonly string[] {
  const others = (metadata.finalizers ?? []).filter((one) => one !== 'orphan' && one !== 'foregroundDeletion');
  const policy = propagationPolicy ?? (orphansByDefault.has(kind) ? 'Orphan' : undefined);
  if (policy === undefined) return metadata.finalizers ?? [];
  if (policy === 'Background' || uncollected.has(kind)) return others;
  return [...others, policy === 'Orphan' ? 'orphan' : 'foregroundDeletion'];
}

/**
 * Kinds that leave what they own, if the request says nothing else (registry strategies,
 * DefaultGarbageCollectionPolicy).
 */
export const orphansByDefault: ReadonlySet<string> = new Set(['Job', 'ReplicationController']);

/**
 * In seconds; 0 for all but pods, and for a pod without a node or one that has ended (kubernetes,
 * pkg/registry/core/pod/strategy.go).
 */
function gracePeriod({ kind, spec, status, metadata }: StoredObject, { gracePeriodSeconds }: Deletion): number {
  if (kind !== 'Pod') return 0;
  const own = Number(spec?.terminationGracePeriodSeconds ?? defaultGraceSeconds);
  const period = gracePeriodSeconds ?? metadata.deletionGracePeriodSeconds ?? own;
  const ended = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  if (spec?.nodeName === undefined || ended) return 0;
  return period < 0 ? 1 : period;
}

function markedForDeletion(api: Api, object: StoredObject, grace: number, finalizers: readonly string[]): StoredObject {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, generation } = object.metadata;
  const from =
    deletionTimestamp === undefined
      ? Date.parse(api.now())
      : Date.parse(deletionTimestamp) - 1000 * deletionGracePeriodSeconds;
  const changes: Json = {
    deletionTimestamp: timestamp(from + 1000 * grace),
    ...(object.kind !== 'Namespace' && { deletionGracePeriodSeconds: grace }),
    ...((finalizers.length > 0 || object.metadata.finalizers !== undefined) && { finalizers }),
    ...(deletionTimestamp === undefined && generation !== undefined && { generation: generation + 1 }),
  };
  const marked = { ...object, metadata: { ...object.metadata, ...changes } as StoredMetadata };
  return hasContent(object) ? { ...marked, status: { ...object.status, phase: 'Terminating' } } : marked;
}

const finalizer = 'customresourcecleanup.apiextensions.k8s.io';

/**
 * A CustomResourceDefinition as the answer to its deletion shows it: marked, and kept by the finalizer until its
 * objects are deleted (apiextensions-apiserver, pkg/registry/customresourcedefinition/etcd.go). This happens within
 * milliseconds; here at once.
 */
function terminatingDefinition(api: Api, object: StoredObject): StoredObject {
  const { status = {}, metadata } = object;
  const conditions = Array.isArray(status.conditions) ? status.conditions : [];
  const terminating = {
    type: 'Terminating',
    status: 'True',
    lastTransitionTime: api.now(),
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  };
  const marked = { ...metadata, deletionTimestamp: api.now(), finalizers: [...(metadata.finalizers ?? []), finalizer] };
  return {
    ...object,
    metadata: marked as StoredMetadata,
    status: { ...status, conditions: [...conditions, terminating] },
  };
}

/** Removes every object of the definition. */
function removeInstances(api: Api, { spec = {} }: StoredObject): void {
  const names: Json = isJson(spec.names) ? spec.names : {};
  const collection = collectionOf({ apiVersion: `${spec.group}/`, kind: String(names.kind) });
  for (const object of [...api.objects.list(collection)]) api.objects.remove(object);
}
