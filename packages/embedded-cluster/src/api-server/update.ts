import { frozen, isJson, type Json, sameJson } from '../objects/json.ts';
import type { StoredMetadata, StoredObject } from '../objects/objects.ts';
import type { Api, ApiRequest } from './api.ts';
import { completedAndValidated, createObject, decodedObject } from './create.ts';
import { hasContent } from './delete.ts';
import { type Version, withUpdate } from './managed-fields/managed-fields.ts';
import { getObject } from './read.ts';
import { type FieldCause, fieldCauses, refusals } from './refusals.ts';
import { metadataOfStatus, writesMetadata } from './status-metadata.ts';
import { strategyOf } from './strategies/strategies.ts';
import { immutable } from './strategies/validation.ts';

/** PUT: replaces the whole object. */
export function replaceObject(api: Api, request: ApiRequest, body: unknown): StoredObject {
  if (isCreatedBy(api, request)) return createObject(api, request, body);
  const sent = decodedObject(request, body);
  const current = getObject(api, request);
  const { uid, resourceVersion } = sent.metadata;
  if (uid !== undefined && uid !== current.metadata.uid)
    throw refusals.conflict(
      request,
      `StorageError: invalid object, Code: 4, Key: ${storageKey(request)}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current.metadata.uid}`,
    );
  if (resourceVersion === undefined) requireUnconditional(request);
  return changeObject(api, request, current, sent);
}

/** Kinds of which a PUT creates the object that is not there (registry strategies, AllowCreateOnUpdate). */
const createdByUpdate = new Set([
  'ClusterRole',
  'ClusterRoleBinding',
  'Endpoints',
  'Event',
  'Lease',
  'LimitRange',
  'Role',
  'RoleBinding',
  'RuntimeClass',
  'Service',
]);

/** Whether the PUT creates its object. */
export function isCreatedBy(api: Api, { served, subresource, namespace, name = '' }: ApiRequest): boolean {
  const mayCreate = createdByUpdate.has(served.kind) && subresource === undefined && !served.custom;
  return mayCreate && api.objects.get(served.collection, namespace, name) === undefined;
}

/** Kinds that are only replaced with their resource version (registry strategies, AllowUnconditionalUpdate). */
const conditional = new Set([
  'CSIDriver',
  'CSINode',
  'CSIStorageCapacity',
  'Lease',
  'MutatingWebhookConfiguration',
  'PodDisruptionBudget',
  'RuntimeClass',
  'ValidatingWebhookConfiguration',
  'VolumeAttachment',
]);

function requireUnconditional(request: ApiRequest): void {
  const { served } = request;
  const missing = fieldCauses.invalid('metadata.resourceVersion', 0, 'must be specified for an update');
  // The refusal names the resource in place of the kind.
  const named = { ...request, served: { ...served, kind: served.plural } };
  if (served.custom || conditional.has(served.kind)) throw refusals.invalid(named, [missing]);
}

/** Where etcd has it; a few kinds have a place of their own. */
function storageKey({ served, namespace, name }: ApiRequest): string {
  const folder = served.custom
    ? `${served.group}/${served.plural}`
    : (storageFolders[served.collection] ?? served.plural);
  return ['/registry', folder, namespace, name].filter((part) => part !== undefined).join('/');
}

const storageFolders: Readonly<Record<string, string>> = {
  'Endpoints.': 'services/endpoints',
  Ingress: 'ingress',
  Node: 'minions',
  Service: 'services/specs',
};

/**
 * Stores the proposed object as the next version: the resource version is checked, fields of the server are kept, and
 * only what the subresource may write is written. If nothing differs, nothing is stored and the current version is
 * returned.
 */
export function changeObject(
  api: Api,
  request: ApiRequest,
  current: StoredObject,
  proposed: StoredObject,
): StoredObject {
  const version = proposedVersion(api, request, current, proposed);
  if (version.object === current && version.owned === current) return current;
  const owned = withUpdate(request, api.now(), current, version);
  return owned === current ? current : store(api, request, owned);
}

/** The next version of an object. */
export function proposedVersion(api: Api, request: ApiRequest, current: StoredObject, proposed: StoredObject): Version {
  const { resourceVersion } = proposed.metadata;
  if (!['', '0', current.metadata.resourceVersion].includes(resourceVersion ?? '')) throw refusals.modified(request);
  const causes = metadataCauses(proposed.metadata, current.metadata);
  if (causes.length > 0) throw refusals.invalid(request, causes);
  const restricted = frozen(withinSubresource(request, current, proposed), current);
  const { object, owned } = completedAndValidated(api, request, restricted, current);
  const isNext = raisesGeneration(request, current, object);
  return { object: isNext ? nextGeneration(object) : object, owned };
}

/** Stores the version, or removes the object if it was waiting for its last finalizer only. */
export function store(api: Api, { dryRun }: ApiRequest, object: StoredObject): StoredObject {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata;
  if (dryRun) return frozen(object);
  const isReleased = deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0 && finalizers.length === 0;
  return isReleased && !hasContent(object) ? api.objects.remove(object) : api.objects.put(object);
}

function withinSubresource(request: ApiRequest, current: StoredObject, proposed: StoredObject): StoredObject {
  const { served, subresource } = request;
  if (subresource === 'status') return withStatusOf(request, current, proposed);
  if (subresource === 'ephemeralcontainers' || subresource === 'resize')
    return { ...current, spec: ofSubresource(subresource, current.spec ?? {}, proposed.spec ?? {}) };
  const metadata =
    proposed.metadata === current.metadata ? current.metadata : withServerFields(current.metadata, proposed.metadata);
  // Only of a Namespace; a body without a spec takes every finalizer away.
  if (subresource === 'finalize') return { ...current, metadata, spec: proposed.spec ?? {} };
  if (!served.subresources.includes('status')) return { ...proposed, metadata };
  const { status: _, ...rest } = proposed;
  return { ...rest, ...(current.status !== undefined && { status: current.status }), metadata } as StoredObject;
}

function withStatusOf(
  { served }: ApiRequest,
  current: StoredObject,
  { metadata: sent, status }: StoredObject,
): StoredObject {
  const isOwn = writesMetadata(served) && sent !== current.metadata;
  const metadata = isOwn
    ? withServerFields(current.metadata, metadataOfStatus(served, sent, current.metadata))
    : current.metadata;
  return { ...current, metadata, ...(isJson(status) && { status }) } as StoredObject;
}

/** Of a pod these two change one thing each: the containers for debugging, and the resources. */
function ofSubresource(subresource: 'ephemeralcontainers' | 'resize', current: Json, proposed: Json): Json {
  if (subresource === 'ephemeralcontainers') {
    const { ephemeralContainers } = proposed;
    return { ...current, ...(ephemeralContainers !== undefined && { ephemeralContainers }) };
  }
  const sent = (Array.isArray(proposed.containers) ? proposed.containers : []) as readonly Json[];
  const containers = ((current.containers ?? []) as readonly Json[]).map((container) => {
    const other = sent.find(({ name }) => name === container.name);
    return other === undefined ? container : { ...container, resources: other.resources ?? {} };
  });
  return { ...current, containers };
}

const serverFields = [
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

function withServerFields(current: Json, proposed: Json): StoredMetadata {
  const metadata: Record<string, unknown> = { ...proposed };
  for (const key of serverFields) metadata[key] = current[key];
  if (namesOwners(proposed.managedFields)) metadata.managedFields = proposed.managedFields;
  if (forgetsOwners(proposed.managedFields)) metadata.managedFields = undefined;
  return metadata as StoredMetadata;
}

/**
 * Whether the list has an owner in each entry: only such a list replaces the stored one, as `kubectl apply
 * --server-side` does after a client-side apply (apimachinery, managedfields/internal/fieldmanager.go, Update).
 */
function namesOwners(managedFields: unknown): boolean {
  const isEntry = (entry: unknown) => isJson(entry) && typeof entry.operation === 'string' && isJson(entry.fieldsV1);
  return Array.isArray(managedFields) && managedFields.length > 0 && managedFields.every(isEntry);
}

/** Whether the list is one empty entry, which clears all owners (Kubernetes, "Clearing managedFields"). */
function forgetsOwners(managedFields: unknown): boolean {
  return sameJson(managedFields, [{}]);
}

function metadataCauses(proposed: StoredMetadata, current: StoredMetadata): readonly FieldCause[] {
  if (proposed === current) return [];
  const same = (key: 'name' | 'uid') =>
    proposed[key] === undefined || proposed[key] === ''
      ? []
      : immutable(`metadata.${key}`, proposed[key], current[key]);
  const { deletionTimestamp: deletedAt } = proposed;
  const marked =
    deletedAt === undefined || current.deletionTimestamp !== undefined
      ? []
      : [fieldCauses.invalid('metadata.deletionTimestamp', deletedAt, 'field is immutable')];
  const causes = [...same('name'), ...same('uid'), ...marked, ...finalizerCauses(proposed, current)];
  // The API server checks them for every kind, and once more for this one.
  return [...causes, ...causes];
}

function finalizerCauses(proposed: StoredMetadata, current: StoredMetadata): readonly FieldCause[] {
  const added = (proposed.finalizers ?? []).filter((one) => !current.finalizers?.includes(one));
  if (current.deletionTimestamp === undefined || added.length === 0) return [];
  const why = 'no new finalizers can be added if the object is being deleted, found new finalizers';
  return [
    fieldCauses.forbidden(
      'metadata.finalizers',
      `${why} []string{${added.map((one) => JSON.stringify(one)).join(', ')}}`,
    ),
  ];
}

/** Whether anything but metadata and status differs: kinds without a `spec` have their fields at the top. */
function specChanged({ served }: ApiRequest, current: StoredObject, next: StoredObject): boolean {
  // Of a custom resource without the subresource the status counts as any other field.
  const hasOwnStatus = !served.custom || served.subresources.includes('status');
  const uncounted = hasOwnStatus ? ['metadata', 'status'] : ['metadata'];
  const counts = (field: string) => !uncounted.includes(field) && current[field] !== next[field];
  return Object.keys(next).some(counts) || Object.keys(current).some(counts);
}

function raisesGeneration(request: ApiRequest, current: StoredObject, next: StoredObject): boolean {
  const { countsLabels, keepsGeneration } = strategyOf(request.served);
  if (keepsGeneration) return false;
  const relabelled = countsLabels === true && current.metadata.labels !== next.metadata.labels;
  return specChanged(request, current, next) || relabelled || annotationsCount(request, current, next);
}

function annotationsCount({ served, subresource }: ApiRequest, current: StoredObject, next: StoredObject): boolean {
  if (subresource === 'status' || !strategyOf(served).countsAnnotations) return false;
  return current.metadata.annotations !== next.metadata.annotations;
}

function nextGeneration(object: StoredObject): StoredObject {
  const { generation } = object.metadata;
  if (generation === undefined) return object;
  return { ...object, metadata: { ...object.metadata, generation: generation + 1 } };
}
