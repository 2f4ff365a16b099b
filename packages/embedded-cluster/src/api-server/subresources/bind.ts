import { frozen, isJson, type Json } from '../../objects/json.ts';
import type { StoredMetadata, StoredObject } from '../../objects/objects.ts';
import { type Api, type ApiRequest, authorize } from '../api.ts';
import { completedAndValidated } from '../create.ts';
import { getObject } from '../read.ts';
import { refusals } from '../refusals.ts';
import { served } from '../served.ts';

/**
 * The binding subresource: assigns a pod to a node, as a scheduler does (kubernetes, pkg/registry/core/pod/storage,
 * BindingREST). The older `POST …/bindings` names the pod in the body alone. A refusal is an `ApiError`.
 */
export function bindPod(api: Api, sent: ApiRequest, binding: Json): void {
  const metadata: Json = isJson(binding.metadata) ? binding.metadata : {};
  const name = sent.name ?? metadata.name;
  if (typeof name !== 'string' || name === '') throw refusals.badRequest(sent, 'Name parameter required.');
  // The types of the body are a Binding's.
  const request: ApiRequest = { ...sent, served: served.Pod, subresource: 'binding', name, typed: undefined };
  authorize(api, request);
  if (metadata.name !== name) throw refusals.badRequest(request, 'name in URL does not match name in Binding object');
  const nodeName = targetOf(request, binding);
  const pod = getObject(api, request);
  requireSameVersion(request, pod, metadata);
  requireUnassigned(request, pod);
  const annotations = { ...pod.metadata.annotations, ...(isJson(metadata.annotations) ? metadata.annotations : {}) };
  const assigned = {
    ...pod,
    metadata: { ...pod.metadata, ...(Object.keys(annotations).length > 0 && { annotations }) } as StoredMetadata,
    spec: { ...pod.spec, nodeName },
  };
  const { object } = completedAndValidated(api, request, frozen(assigned, pod), pod);
  if (!request.dryRun) api.objects.put(object);
}

/** The name of the node; what is wrong with the target is a 500 of the real server too. */
function targetOf(request: ApiRequest, { target }: Json): string {
  const { kind = '', name = '' } = isJson(target) ? target : {};
  if (kind !== '' && kind !== 'Node') {
    const why = `Unsupported value: ${JSON.stringify(kind)}: supported values: "Node", "<empty>"`;
    throw refusals.failure(request, 500, `target.kind: ${why}`);
  }
  if (typeof name !== 'string' || name === '') throw refusals.failure(request, 500, 'target.name: Required value');
  return name;
}

function requireSameVersion(request: ApiRequest, { metadata }: StoredObject, wanted: Json): void {
  const differs = (['uid', 'resourceVersion'] as const).find(
    (key) => typeof wanted[key] === 'string' && wanted[key] !== '' && wanted[key] !== metadata[key],
  );
  if (differs === undefined) return;
  const what = differs === 'uid' ? 'UID' : 'ResourceVersion';
  const why = `Precondition failed: ${what} in precondition: ${wanted[differs]}, ${what} in object meta: ${metadata[differs]}`;
  const key = `/registry/pods/${metadata.namespace}/${metadata.name}`;
  throw refusals.conflict(
    request,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
  );
}

function requireUnassigned(request: ApiRequest, { metadata, spec = {} }: StoredObject): void {
  const { name } = metadata;
  const { nodeName, schedulingGates = [] } = spec;
  const refused = (why: string) =>
    refusals.conflict({ ...request, served: { ...request.served, plural: 'pods/binding' } }, why);
  if (metadata.deletionTimestamp !== undefined)
    throw refused(`pod ${name} is being deleted, cannot be assigned to a host`);
  if (nodeName !== undefined && nodeName !== '') throw refused(`pod ${name} is already assigned to node "${nodeName}"`);
  if ((schedulingGates as readonly Json[]).length > 0) throw refused(`pod ${name} has non-empty .spec.schedulingGates`);
}
