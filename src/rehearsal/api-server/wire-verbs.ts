import { isJson } from '../objects/json.ts';
import type { StoredObject } from '../objects/objects.ts';
import type { Api } from './api.ts';
import { customTypeOf } from './custom-resources/custom-type.ts';
import { decodedBody, mediaTypeOf } from './decoding/bodies.ts';
import { definitionName } from './decoding/definitions.ts';
import { appliedAs, decodedPatched, sentApplication, sentPatch } from './decoding/patches.ts';
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
import { get, list, type VerbResponse } from './wire-list.ts';
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
      return create(api, request);
    case 'update':
      return objectResponse(isCreatedBy(api, request) ? 201 : 200, verbs.update(api, request, decodedBody(request)));
    case 'patch':
      return patch(api, request);
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
function isServed({ served, name, verb, subresource }: WireRequest): boolean {
  if (subresource !== undefined) return subresourceOf(served, subresource).verbs.includes(verb);
  const needsName = ['update', 'patch'].includes(verb);
  return served.verbs.includes(verb) && (name !== undefined || !needsName) && (name === undefined || verb !== 'create');
}

/** Who creates a subresource of a custom resource is told so in other words. */
function notServed(request: WireRequest): Error {
  const { served, subresource, verb } = request;
  if (!served.custom || subresource === undefined || verb !== 'create') return refusals.methodNotAllowed(request);
  return refusals.notCreatable({ ...request, name: undefined });
}

/** Subresources that are a view of the stored object, or a verb on it; the others reach into a running container. */
function isKept({ subresource }: WireRequest): boolean {
  return subresource === undefined || !['attach', 'exec', 'log', 'portforward', 'proxy'].includes(subresource);
}

function objectResponse(code: number, value: object): VerbResponse {
  return { code, json: () => value };
}

function create(api: Api, request: WireRequest): VerbResponse {
  const { served, subresource } = request;
  if (subresource === 'eviction') return evict(api, request);
  if (subresource === 'token') return objectResponse(201, requestToken(api, request, decodedBody(request)));
  if (subresource === 'binding' || served.collection === 'Binding.') {
    bindPod(api, request, decodedBody(request));
    return objectResponse(201, { ...success(), code: 201 });
  }
  return objectResponse(201, verbs.create(api, request, decodedBody(request)));
}

function evict(api: Api, request: WireRequest): VerbResponse {
  const { metadata, deleteOptions } = decodedBody(request);
  if (!isJson(metadata) || metadata.name !== request.name)
    throw refusals.badRequest(request, 'name in URL does not match name in Eviction object');
  const options = isJson(deleteOptions) ? deleteOptions : {};
  verbs.evict(api, { ...request, dryRun: request.dryRun || isDryRun(options) }, deletionOf(options, request.query));
  return objectResponse(201, { ...success(), code: 201 });
}

const applyType = 'application/apply-patch+yaml';

function patch(api: Api, request: WireRequest): VerbResponse {
  if (mediaTypeOf(request) === applyType) return apply(api, request);
  const sent = sentPatch(request);
  return objectResponse(200, verbs.patch(api, { ...request, decoded: decodedPatched(request, sent) }, sent));
}

function apply(api: Api, request: WireRequest): VerbResponse {
  requireManager(request);
  const { served, namespace, name = '' } = request;
  const exists = api.objects.get(served.collection, namespace, name) !== undefined;
  const force = request.query.get('force') === 'true';
  return objectResponse(
    exists ? 200 : 201,
    verbs.apply(api, { ...request, appliedAs: appliedAs(request) }, sentApplication(request), force),
  );
}
