import { frozen, isJson, type Json } from '../objects/json.ts';
import type { StoredMetadata, StoredObject } from '../objects/objects.ts';
import type { Api, ApiRequest } from './api.ts';
import { withUpdate } from './managed-fields/managed-fields.ts';
import { refusals, type Target } from './refusals.ts';
import { strategies } from './strategies/strategies.ts';
import { metadataCauses } from './strategies/validation.ts';

/** Stores a new object, completed and checked, and gives it back as it is stored. */
export function createObject(api: Api, request: ApiRequest, body: unknown): StoredObject {
  const object = newObject(api, request, decoded(request, body));
  const { namespace, name } = object.metadata;
  if (api.objects.get(object.kind, namespace, name) !== undefined) throw refusals.alreadyExists({ ...request, name });
  const owned = withUpdate(request, api.now(), undefined, object);
  return request.dryRun ? frozen(owned) : api.objects.put(owned);
}

/** The object as it would be stored, before any ownership of fields is written down. */
export function newObject(api: Api, request: ApiRequest, sent: StoredObject): StoredObject {
  requireNamespace(api, request);
  const name = sent.metadata.name || generatedName(api, sent.metadata);
  const metadata: StoredMetadata = {
    ...sent.metadata,
    name,
    uid: api.identities.uid(),
    creationTimestamp: api.now(),
    ...notSent,
    ...(request.served.generation && { generation: 1 }),
  };
  return checked(api, { ...request, name }, fresh(request, { ...sent, metadata }), undefined);
}

/** What nobody can bring along: an object that was read before and is made again begins anew. */
const notSent = {
  deletionGracePeriodSeconds: undefined,
  deletionTimestamp: undefined,
  generation: undefined,
  managedFields: undefined,
} as unknown as Json;

/** Completed by the kind's strategy; a 422 with every cause when something is wrong with it. */
export function checked(api: Api, at: Target, object: StoredObject, before: StoredObject | undefined): StoredObject {
  const { complete, validate } = strategies[object.kind];
  const completed = complete?.(object, before, api) ?? object;
  const whole = completed === object && Object.isFrozen(object) ? object : frozen(completed, before);
  if (whole === before) return before;
  const ofMetadata = namedAlike(whole, before) ? [] : metadataCauses(at.served, whole);
  const causes = [...ofMetadata, ...(validate?.(whole, before) ?? [])];
  if (causes.length > 0) throw refusals.invalid(at, causes);
  return whole;
}

/** What was checked with the version before need not be checked again. */
function namedAlike({ metadata }: StoredObject, before: StoredObject | undefined): boolean {
  return metadata.name === before?.metadata.name && metadata.labels === before.metadata.labels;
}

/** The body as an object of the kind and the namespace that the path says; a 400 when it is another. */
export function decoded(request: ApiRequest, body: unknown): StoredObject {
  const { served, namespace, name } = request;
  if (!isJson(body)) throw refusals.badRequest(request, 'the body of the request was not an object');
  const { apiVersion = served.apiVersion, kind = served.kind, metadata: _, ...rest } = withoutNulls(body);
  if (apiVersion !== served.apiVersion || kind !== served.kind)
    throw refusals.badRequest(
      request,
      `the API version in the data (${apiVersion}) does not match the expected API version (${served.apiVersion}), or the kind (${kind}) is not ${served.kind}`,
    );
  const metadata: Json = isJson(body.metadata) ? body.metadata : {};
  const place = { name: metadata.name ?? name ?? '', namespace: metadata.namespace ?? namespace };
  if (name !== undefined && place.name !== name)
    throw refusals.badRequest(
      request,
      `the name of the object (${place.name}) does not match the name on the URL (${name})`,
    );
  if (place.namespace !== namespace)
    throw refusals.badRequest(
      request,
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  return {
    apiVersion: served.apiVersion,
    kind: served.kind,
    metadata: { ...metadata, ...place } as StoredMetadata,
    ...rest,
  };
}

/** A field that is null is a field that is not there. What is frozen has none. */
export function withoutNulls<T>(value: T): T {
  if (Object.isFrozen(value)) return value;
  if (Array.isArray(value)) return value.map(withoutNulls) as T;
  if (!isJson(value)) return value;
  const said = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(said.map(([key, member]) => [key, withoutNulls(member)])) as T;
}

/** The admission plugin NamespaceLifecycle: a namespace that is going takes nothing new. */
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

function generatedName(api: Api, metadata: Json): string {
  const { generateName } = metadata;
  return typeof generateName === 'string' && generateName !== '' ? `${generateName}${api.identities.suffix()}` : '';
}

/** A new object's status is the kind's own first one, where its strategy says so. */
function fresh(request: ApiRequest, object: StoredObject): StoredObject {
  const { firstStatus } = strategies[request.served.kind];
  return firstStatus === undefined ? object : { ...object, status: firstStatus(object) };
}
