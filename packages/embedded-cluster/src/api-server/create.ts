import { frozen, isJson, type Json } from '../objects/json.ts';
import type { StoredMetadata, StoredObject } from '../objects/objects.ts';
import { podSecurityWarnings, requirePodSecurity, securedKinds } from './admission/pod-security.ts';
import type { Api, ApiRequest } from './api.ts';
import { type Version, withUpdate } from './managed-fields/managed-fields.ts';
import { type FieldCause, refusals } from './refusals.ts';
import { ungated } from './strategies/gated-fields.ts';
import { withoutRepeatedOwners } from './strategies/owner-references.ts';
import { strategyOf } from './strategies/strategies.ts';
import { finalizerWarnings, metadataCauses } from './strategies/validation.ts';

/** Completes, validates and stores a new object; returns it as stored. */
export function createObject(api: Api, request: ApiRequest, body: unknown): StoredObject {
  const { object: sent, warnings } = withoutRepeatedOwners(decodedObject(request, body));
  request.warnings?.push(...warnings);
  const { resourceVersion = '' } = sent.metadata;
  if (request.warnings !== undefined && !request.dryRun && resourceVersion !== '' && resourceVersion !== '0')
    throw refusals.failure(request, 500, 'resourceVersion should not be set on objects to be created');
  const version = newObject(api, request, sent);
  const { namespace, name } = version.object.metadata;
  if (api.objects.get(request.served.collection, namespace, name) !== undefined)
    throw sent.metadata.generateName
      ? refusals.notGenerated({ ...request, name })
      : refusals.alreadyExists({ ...request, name });
  const withOwnership = withUpdate(request, api.now(), undefined, version);
  if (request.dryRun) return frozen(withOwnership);
  const stored = api.objects.put(withOwnership);
  settle(api, request, stored);
  return stored;
}

/** What the API server's own controllers do with the new object before anybody can ask for it. */
export function settle(api: Api, request: ApiRequest, created: StoredObject): void {
  const settled = strategyOf(request.served).settled?.(created, api);
  if (settled === undefined) return;
  const own = { ...request, subresource: 'status', user: 'kube-apiserver', fieldManager: 'kube-apiserver' };
  const object = frozen(settled, created);
  api.objects.put(withUpdate(own, api.now(), created, { object, owned: object }));
}

/** The object as it would be stored. */
export function newObject(api: Api, request: ApiRequest, sent: StoredObject): Version {
  const name = sent.metadata.name || generatedName(api, sent.metadata);
  requireNamespace(api, { ...request, name });
  const metadata: StoredMetadata = {
    ...sent.metadata,
    name,
    uid: api.identities.uid(),
    creationTimestamp: api.now(),
    ...setByServer,
    // Kinds without a generation keep what was sent.
    ...(request.served.generation && { generation: 1 }),
  };
  return completedAndValidated(api, { ...request, name }, withFirstStatus(request, { ...sent, metadata }), undefined);
}

/** Metadata that only the server sets: removed from an object that was read before and is created again. */
const setByServer = {
  deletionGracePeriodSeconds: undefined,
  deletionTimestamp: undefined,
  managedFields: undefined,
  selfLink: undefined,
} as unknown as Json;

/**
 * The object, completed by the strategy of its kind; a 422 with every cause if it is invalid. Returns `before` if
 * nothing differs.
 */
export function completedAndValidated(
  api: Api,
  at: ApiRequest,
  object: StoredObject,
  before: StoredObject | undefined,
): Version {
  const { admit, permit, validate, warnings } = strategyOf(at.served);
  const owned = completed(api, at, object, before);
  if (owned === before) return { object: before, owned };
  // Controllers in process never send such fields.
  const sent = at.typed === undefined ? owned : ungated(at.served.collection, owned, before);
  const admitted = admit?.(sent, before, api, at) ?? sent;
  const whole = admitted === owned ? owned : frozen(admitted, before);
  if (whole === before) return { object: before, owned };
  const causes = [
    ...ofMetadata(at, whole, before),
    ...((at.customType?.causes ?? validate)?.(whole, before, at) ?? []),
  ];
  if (causes.length > 0) throw refusals.invalid(at, causes);
  at.warnings?.push(...((at.served.custom ? finalizerWarnings : warnings)?.(whole, before) ?? []));
  permit?.(whole, before, api, at);
  secure(whole, before, api, at);
  return { object: whole, owned };
}

/** The pod security that the namespace demands. Writes of a status or a Scale create no pods. */
function secure(object: StoredObject, before: StoredObject | undefined, api: Api, at: ApiRequest): void {
  const { kind, custom } = at.served;
  if (custom || !securedKinds.has(kind) || at.subresource !== undefined) return;
  if (kind === 'Pod' && object.spec === before?.spec) return;
  if (kind === 'Pod') requirePodSecurity(object, api, at);
  at.warnings?.push(...podSecurityWarnings(object, api));
}

/** The object with what the server sets, before its admission. */
function completed(api: Api, at: ApiRequest, object: StoredObject, before: StoredObject | undefined): StoredObject {
  const sent = at.customType?.completed(object) ?? object;
  const complete = strategyOf(at.served).complete?.(sent, before, api) ?? sent;
  const whole = at.typed?.(complete) ?? complete;
  return whole === object && Object.isFrozen(object) ? object : frozen(whole, before);
}

/** The errors in the metadata. The API server checks a changed object twice: once in general and once for its kind. */
function ofMetadata(
  { served }: ApiRequest,
  object: StoredObject,
  before: StoredObject | undefined,
): readonly FieldCause[] {
  if (sameMetadata(object, before)) return [];
  const causes = metadataCauses(served, object);
  return before === undefined || served.custom ? causes : [...causes, ...causes];
}

/** Whether the metadata was validated with the version before. */
function sameMetadata({ metadata }: StoredObject, before: StoredObject | undefined): boolean {
  const old = before?.metadata;
  return (['name', 'labels', 'annotations', 'finalizers', 'ownerReferences'] as const).every(
    (key) => metadata[key] === old?.[key],
  );
}

/** The body as an object of the kind and the place in the path; a 400 if it is of another kind, name or namespace. */
export function decodedObject(request: ApiRequest, body: unknown): StoredObject {
  const { served, namespace, name } = request;
  if (!isJson(body)) throw refusals.badRequest(request, 'the body of the request was not an object');
  const { apiVersion = served.apiVersion, kind = served.kind, metadata: _, ...rest } = withoutNulls(body);
  if (apiVersion !== served.apiVersion || kind !== served.kind)
    throw refusals.badRequest(
      request,
      `the API version in the data (${apiVersion}) does not match the expected API version (${served.apiVersion}), or the kind (${kind}) is not ${served.kind}`,
    );
  const metadata: Json = isJson(body.metadata) ? body.metadata : {};
  requireNamed(request, metadata);
  // An object of the cluster has no namespace, whatever it says.
  const place = {
    name: metadata.name ?? name ?? '',
    namespace: served.namespaced ? (metadata.namespace ?? namespace) : namespace,
  };
  requireSamePlace(request, { metadata: place });
  return {
    apiVersion: served.apiVersion,
    kind: served.kind,
    metadata: { ...metadata, ...place } as StoredMetadata,
    ...rest,
  };
}

/** A 400 if a client's object does not say its name, which the path does; controllers in process may leave it out. */
export function requireNamed({ warnings, name, ...request }: ApiRequest, metadata: Json | undefined): void {
  if (warnings === undefined || name === undefined || (metadata?.name ?? '') !== '') return;
  throw refusals.badRequest(
    { ...request, name },
    `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
  );
}

/** A 400 if the object says another name or namespace than the path. */
export function requireSamePlace(
  request: ApiRequest,
  { metadata }: { readonly metadata?: { readonly name?: unknown; readonly namespace?: unknown } },
): void {
  const { name = request.name, namespace } = metadata ?? {};
  if (request.name !== undefined && name !== request.name)
    throw refusals.badRequest(
      request,
      `the name of the object (${name}) does not match the name on the URL (${request.name})`,
    );
  if (namespace !== request.namespace && (namespace !== undefined || request.name === undefined))
    throw refusals.badRequest(
      request,
      'the namespace of the provided object does not match the namespace sent on the request',
    );
}

/** The value without the members that are null. Frozen values have none. */
export function withoutNulls<T>(value: T): T {
  if (Object.isFrozen(value)) return value;
  if (Array.isArray(value)) return value.map(withoutNulls) as T;
  if (!isJson(value)) return value;
  const present = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(present.map(([key, member]) => [key, withoutNulls(member)])) as T;
}

/** The admission plugin NamespaceLifecycle: creates nothing in a namespace that is missing or terminating. */
export function requireNamespace(api: Api, request: ApiRequest): void {
  if (!request.served.namespaced) return;
  const { namespace } = request;
  const found = api.objects.get('Namespace', undefined, namespace ?? '');
  if (found === undefined) {
    const kind = { ...request.served, plural: 'namespaces', group: '' };
    throw refusals.notFound({ verb: request.verb, served: kind, name: namespace });
  }
  if (found.metadata.deletionTimestamp !== undefined)
    throw refusals.forbidden(
      request,
      `unable to create new content in namespace ${namespace} because it is being terminated`,
      [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    );
}

/** With five characters behind it a drawn name is a label (apiserver, pkg/storage/names). */
const longestPrefix = 58;

function generatedName(api: Api, metadata: Json): string {
  const { generateName } = metadata;
  if (typeof generateName !== 'string' || generateName === '') return '';
  return `${generateName.slice(0, longestPrefix)}${api.identities.suffix()}`;
}

/**
 * Sets the status of a new object if the strategy of its kind does. The sent status is then dropped; that of custom
 * resources always is.
 */
function withFirstStatus(request: ApiRequest, object: StoredObject): StoredObject {
  const { served } = request;
  const { firstStatus } = strategyOf(served);
  if (firstStatus !== undefined) return { ...object, status: firstStatus(object) };
  if (!served.custom || !served.subresources.includes('status')) return object;
  const { status: _, ...rest } = object;
  return rest as StoredObject;
}
