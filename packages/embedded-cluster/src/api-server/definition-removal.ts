import { isJson, type Json } from '../objects/json.ts';
import { collectionOf, type StoredMetadata, type StoredObject } from '../objects/objects.ts';
import type { Api } from './api.ts';

const finalizer = 'customresourcecleanup.apiextensions.k8s.io';

/**
 * A CustomResourceDefinition as the answer to its deletion shows it: marked, and kept by the finalizer until its objects are deleted
 * (apiextensions-apiserver, pkg/registry/customresourcedefinition/etcd.go). This happens within milliseconds; here at once.
 */
export function terminatingDefinition(api: Api, object: StoredObject): StoredObject {
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
export function removeInstances(api: Api, { spec = {} }: StoredObject): void {
  const names: Json = isJson(spec.names) ? spec.names : {};
  const collection = collectionOf({ apiVersion: `${spec.group}/`, kind: String(names.kind) });
  for (const object of [...api.objects.list(collection)]) api.objects.remove(object);
}
