import { frozen, isJson, type Json } from '../objects/json.ts';
import type { StoredMetadata, StoredObject } from '../objects/objects.ts';
import type { Api, ApiRequest } from './api.ts';
import { checked, decoded } from './create.ts';
import { hasContent } from './delete.ts';
import { withUpdate } from './managed-fields/managed-fields.ts';
import { getObject } from './read.ts';
import { type FieldCause, fieldCauses, refusals } from './refusals.ts';
import { immutable } from './strategies/validation.ts';

/** PUT: the whole object anew. */
export function replaceObject(api: Api, request: ApiRequest, body: unknown): StoredObject {
  const sent = decoded(request, body);
  const current = getObject(api, request);
  const { uid, resourceVersion } = sent.metadata;
  if (uid !== undefined && uid !== current.metadata.uid)
    throw refusals.conflict(
      request,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current.metadata.uid}`,
    );
  if (request.served.custom && resourceVersion === undefined)
    throw refusals.invalid(request, [
      fieldCauses.invalid('metadata.resourceVersion', 0, 'must be specified for an update'),
    ]);
  return changeObject(api, request, current, sent);
}

/**
 * Makes the proposed object the next version: resource version checked, what the server keeps is kept, status or all the rest
 * by subresource. Equal to the current one, nothing is written and the current one is given back.
 */
export function changeObject(
  api: Api,
  request: ApiRequest,
  current: StoredObject,
  proposed: StoredObject,
): StoredObject {
  const next = proposedVersion(api, request, current, proposed);
  if (next === current) return current;
  return store(api, request, withUpdate(request, api.now(), current, next));
}

/** The next version of an object, before any ownership of fields is written down. */
export function proposedVersion(
  api: Api,
  request: ApiRequest,
  current: StoredObject,
  proposed: StoredObject,
): StoredObject {
  const { resourceVersion } = proposed.metadata;
  if (resourceVersion !== undefined && resourceVersion !== '' && resourceVersion !== current.metadata.resourceVersion)
    throw refusals.modified(request);
  const causes = metadataCauses(proposed.metadata, current.metadata);
  if (causes.length > 0) throw refusals.invalid(request, causes);
  const restricted = frozen(withinSubresource(request, current, proposed), current);
  const next = checked(api, request, restricted, current);
  return specChanged(current, next) ? nextGeneration(next) : next;
}

/** Stores the version, or lets the object go when it was only waiting for its last finalizer. */
export function store(api: Api, { dryRun }: ApiRequest, object: StoredObject): StoredObject {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata;
  if (dryRun) return frozen(object);
  const released = deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0 && finalizers.length === 0;
  return released && !hasContent(object) ? api.objects.remove(object) : api.objects.put(object);
}

function withinSubresource(
  { served, subresource }: ApiRequest,
  current: StoredObject,
  proposed: StoredObject,
): StoredObject {
  const { status, ...rest } = proposed;
  if (subresource === 'status') return { ...current, ...(isJson(status) && { status }) };
  const metadata =
    proposed.metadata === current.metadata ? current.metadata : serverKept(current.metadata, proposed.metadata);
  if (!served.subresources.includes('status')) return { ...proposed, metadata };
  return { ...rest, ...(current.status !== undefined && { status: current.status }), metadata } as StoredObject;
}

const kept = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
];

function serverKept(current: Json, proposed: Json): StoredMetadata {
  const metadata: Record<string, unknown> = { ...proposed };
  for (const key of kept) metadata[key] = current[key];
  return metadata as StoredMetadata;
}

function metadataCauses(proposed: StoredMetadata, current: StoredMetadata): readonly FieldCause[] {
  if (proposed === current) return [];
  const same = (key: 'name' | 'uid') =>
    proposed[key] === undefined ? [] : immutable(`metadata.${key}`, proposed[key], current[key]);
  return [...same('name'), ...same('uid'), ...finalizerCauses(proposed, current)];
}

function finalizerCauses(proposed: StoredMetadata, current: StoredMetadata): readonly FieldCause[] {
  const added = (proposed.finalizers ?? []).filter((one) => !current.finalizers?.includes(one));
  if (current.deletionTimestamp === undefined || added.length === 0) return [];
  const why = 'no new finalizers can be added if the object is being deleted, found new finalizers';
  return [fieldCauses.forbidden('metadata.finalizers', `${why} ${JSON.stringify(added)}`)];
}

/** Everything but metadata and status counts: a kind without a `spec` has its own fields there. */
function specChanged(current: StoredObject, next: StoredObject): boolean {
  const counts = (field: string) => field !== 'metadata' && field !== 'status' && current[field] !== next[field];
  return Object.keys(next).some(counts) || Object.keys(current).some(counts);
}

function nextGeneration(object: StoredObject): StoredObject {
  const { generation } = object.metadata;
  if (generation === undefined) return object;
  return { ...object, metadata: { ...object.metadata, generation: generation + 1 } };
}
