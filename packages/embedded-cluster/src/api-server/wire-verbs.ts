import { isJson, type Json } from '../objects/json.ts';
import type { StoredObject } from '../objects/objects.ts';
import type { Api } from './api.ts';
import { requireSamePlace } from './create.ts';
import { customTypeOf } from './custom-resources/custom-type.ts';
import { decodedBody, mediaTypeOf } from './decoding/bodies.ts';
import { definitionName } from './decoding/definitions.ts';
import { appliedAs, decodedPatched, requirePatchType, sentApplication, sentPatch } from './decoding/patches.ts';
import { withZeros } from './decoding/zeros.ts';
import { subresourceOf } from './kinds/subresources.ts';
import { requireManager, requireOptions } from './options.ts';
import { refusals } from './refusals.ts';
import { requireAcceptable } from './representations.ts';
import { success } from './responses.ts';
import { bindPod } from './subresources/bind.ts';
import { stream } from './subresources/pod-streams.ts';
import { requestToken } from './subresources/token-request.ts';
import { isCreatedBy } from './update.ts';
import { verbs } from './verbs.ts';
import { deleteCollection, deleteOne, deletionOf, isDryRun } from './wire-delete.ts';
import { get, list, represented, type VerbResponse } from './wire-list.ts';
import type { Wire, WireRequest } from './wire-request.ts';

/** Performs every verb except `watch`. A refusal is an `ApiError`. */
export function perform(wire: Wire, sent: WireRequest): VerbResponse {
  const { api } = wire;
  const request = isTyped(sent) ? { ...sent, ...typesOf(sent) } : sent;
  requireAcceptable(request);
  if (request.missing) throw refusals.notFound(request);
  if (!isServed(request)) throw notServed(request);
  requireOptions(request);
  request.warnings.push(...deprecations(request));
  if (!isKept(request)) return stream(wire, request);
  switch (request.verb) {
    case 'get':
      return get(wire, request);
    case 'list':
      return list(wire, request);
    case 'create':
      return create(wire, request);
    case 'update':
      return update(wire, request);
    case 'patch':
      return patch(wire, request);
    case 'delete':
      return deleteOne(api, request);
    case 'deletecollection':
      return deleteCollection(api, request);
    default:
      throw refusals.methodNotAllowed(request);
  }
}

/** Whether an object is written, whose type has to be asked. */
function isTyped({ verb, subresource }: WireRequest): boolean {
  return subresource !== 'scale' && ['create', 'update', 'patch'].includes(verb);
}

function typesOf({ served, subresource }: WireRequest): Pick<WireRequest, 'customType' | 'typed'> {
  const { apiVersion, kind } = served;
  const name = definitionName(apiVersion, kind);
  if (name === undefined) return { customType: customTypeOf(served) };
  const isPodStatus = served.collection === 'Pod' && subresource === 'status';
  return { typed: (object) => (isPodStatus ? withAddresses(withZeros(object, name)) : withZeros(object, name)) };
}

/** A pod's address is the first of its addresses (kubernetes, pkg/apis/core/v1/conversion.go). */
function withAddresses(object: StoredObject): StoredObject {
  const { podIP, podIPs } = object.status ?? {};
  if (typeof podIP !== 'string' || podIPs !== undefined) return object;
  return { ...object, status: { ...object.status, podIPs: [{ ip: podIP }] } };
}

/** What the API server says of resources that will go (apiserver, pkg/endpoints/deprecation). */
function deprecations({ served }: WireRequest): readonly string[] {
  if (served.collection === 'Endpoints.')
    return ['v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice'];
  if (served.collection === 'ComponentStatus.') return ['v1 ComponentStatus is deprecated in v1.19+'];
  return served.deprecation === undefined ? [] : [served.deprecation];
}

/** Whether the resource or its subresource has the verb. */
/** A review of a namespace is asked for there. */
const isReviewed = ({ group }: WireRequest['served']): boolean => group === 'authorization.k8s.io';

function isServed({ served, name, namespace, verb, subresource }: WireRequest): boolean {
  if (subresource !== undefined) return subresourceOf(served, subresource).verbs.includes(verb);
  const needsName = ['update', 'patch'].includes(verb);
  const isEverywhere = served.namespaced && namespace === undefined && name === undefined;
  if (isEverywhere && (verb === 'create' || verb === 'deletecollection') && !isReviewed(served)) return false;
  return served.verbs.includes(verb) && (name !== undefined || !needsName) && (name === undefined || verb !== 'create');
}

/** The creation of a subresource of a custom resource has a message of its own. */
function notServed(request: WireRequest): Error {
  const { served, subresource, verb } = request;
  if (!served.custom || subresource === undefined || verb !== 'create') return refusals.methodNotAllowed(request);
  return refusals.notCreatable({ ...request, name: undefined });
}

/** Subresources that show the stored object or act on it; the others reach into a running container. */
function isKept({ subresource }: WireRequest): boolean {
  return subresource === undefined || !['attach', 'exec', 'log', 'portforward', 'proxy'].includes(subresource);
}

function objectResponse(code: number, value: object): VerbResponse {
  return { code, json: () => value };
}

/** The object that was written, in the form that the request wants. */
function written(wire: Wire, request: WireRequest, code: number, object: object): VerbResponse {
  const isOwn = request.subresource === undefined && Reflect.get(object, 'kind') === request.served.kind;
  return isOwn && 'metadata' in object
    ? represented(wire, request, object as StoredObject, code)
    : objectResponse(code, object);
}

function update(wire: Wire, request: WireRequest): VerbResponse {
  const code = isCreatedBy(wire.api, request) ? 201 : 200;
  return written(wire, request, code, verbs.update(wire.api, request, decodedBody(request)));
}

function create(wire: Wire, request: WireRequest): VerbResponse {
  const { api } = wire;
  const { served, subresource } = request;
  if (subresource === 'eviction') return evict(api, request);
  if (subresource === 'token') return objectResponse(201, requestToken(api, request, decodedBody(request)));
  if (subresource === 'binding' || served.collection === 'Binding.') {
    bindPod(api, request, decodedBody(request));
    return objectResponse(201, { ...success(), code: 201 });
  }
  return written(wire, request, 201, verbs.create(api, request, decodedBody(request)));
}

function evict(api: Api, request: WireRequest): VerbResponse {
  const { metadata, deleteOptions } = decodedBody(request);
  if (!isJson(metadata) || metadata.name !== request.name)
    throw refusals.badRequest(request, 'name in URL does not match name in Eviction object');
  requireSamePlace(request, { metadata });
  const options = isJson(deleteOptions) ? deleteOptions : {};
  verbs.evict(api, { ...request, dryRun: request.dryRun || isDryRun(options) }, deletionOf(options, request.query));
  return objectResponse(201, { ...success(), code: 201 });
}

const applyType = 'application/apply-patch+yaml';

function patch(wire: Wire, request: WireRequest): VerbResponse {
  const { api } = wire;
  if (mediaTypeOf(request) === applyType) return apply(wire, request);
  requirePatchType(request);
  const { served, namespace, name = '' } = request;
  if (api.objects.get(served.collection, namespace, name) === undefined) throw refusals.notFound(request);
  const sent = sentPatch(request);
  return written(wire, request, 200, verbs.patch(api, { ...request, decoded: decodedPatched(request, sent) }, sent));
}

/** What is applied to an object that is there need not say its name. */
function named({ name }: WireRequest, applied: Json, exists: boolean): Json {
  const metadata = isJson(applied.metadata) ? applied.metadata : {};
  return exists && (metadata.name ?? '') === '' ? { ...applied, metadata: { ...metadata, name } } : applied;
}

function apply(wire: Wire, request: WireRequest): VerbResponse {
  const { api } = wire;
  requireManager(request);
  const { served, namespace, name = '' } = request;
  const exists = api.objects.get(served.collection, namespace, name) !== undefined;
  const force = request.query.get('force') === 'true';
  return written(
    wire,
    request,
    exists ? 200 : 201,
    verbs.apply(
      api,
      { ...request, appliedAs: appliedAs(request) },
      named(request, sentApplication(request), exists),
      force,
    ),
  );
}
