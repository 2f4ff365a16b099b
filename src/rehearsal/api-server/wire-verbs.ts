import { isJson, type Json, textOf } from '../objects/json.ts';
import type { StoredObject } from '../objects/objects.ts';
import { type Api, authorize } from './api.ts';
import { decodedBody, mediaTypeOf } from './decoding/bodies.ts';
import { deleteOptions } from './decoding/delete-options.ts';
import { decodedPatched, sentApplication, sentPatch } from './decoding/patches.ts';
import type { Deletion } from './delete.ts';
import { subresourceOf } from './kinds/subresources.ts';
import { listObjects, selection, selectorsOf } from './read.ts';
import { fieldCauses, refusals } from './refusals.ts';
import { type JsonBody, success } from './responses.ts';
import { table, wantsTable } from './tables.ts';
import { verbs } from './verbs.ts';
import type { Wire, WireRequest } from './wire-request.ts';

/** A response: status code and body. */
export interface VerbResponse extends JsonBody {
  readonly code: number;
}

/** Performs every verb except `watch`. A refusal is an `ApiError`. */
export function perform(wire: Wire, request: WireRequest): VerbResponse {
  const { api } = wire;
  const { dryRun } = request;
  if (request.query.has('dryRun') && !dryRun) throw refusals.badRequest(request, 'dryRun must be All');
  if (!isServed(request)) throw refusals.methodNotAllowed(request);
  if (!isKept(request)) return notKept(wire, request);
  switch (request.verb) {
    case 'get':
      return get(wire, request);
    case 'list':
      return list(wire, request);
    case 'create':
      return create(api, request);
    case 'update':
      return objectResponse(200, verbs.update(api, request, decodedBody(request)));
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

/** Whether the resource or its subresource has the verb. */
function isServed({ served, name, verb, subresource }: WireRequest): boolean {
  if (subresource !== undefined) return subresourceOf(served, subresource).verbs.includes(verb);
  const needsName = ['update', 'patch'].includes(verb);
  return served.verbs.includes(verb) && (name !== undefined || !needsName) && (name === undefined || verb !== 'create');
}

/** Subresources that are a view of the stored object, or a verb on it; the others reach into a running container. */
function isKept({ subresource }: WireRequest): boolean {
  return subresource === undefined || !['attach', 'exec', 'log', 'portforward', 'proxy', 'token'].includes(subresource);
}

function notKept({ api }: Wire, request: WireRequest): never {
  verbs.get(api, { ...request, subresource: undefined });
  throw refusals.failure(request, 501, `the embedded cluster has no ${request.served.plural}/${request.subresource}`);
}

function get(wire: Wire, request: WireRequest): VerbResponse {
  const found = verbs.get(wire.api, request);
  if (request.subresource === 'scale' || !wantsTable(request.headers.accept)) return objectResponse(200, found);
  const one = found as StoredObject;
  return tableResponse(wire, request, [one], { resourceVersion: one.metadata.resourceVersion });
}

function tableResponse(
  wire: Wire,
  request: WireRequest,
  objects: readonly StoredObject[],
  metadata: Json,
): VerbResponse {
  return objectResponse(200, table({ kind: request.served.collection, objects, metadata, nowAt: wire.clock.wallAt() }));
}

function objectResponse(code: number, value: object): VerbResponse {
  return { code, json: () => value };
}

function list(wire: Wire, request: WireRequest): VerbResponse {
  authorize(wire.api, request);
  const { served, namespace, query } = request;
  const selectors = selectorsOf(query);
  const selected = selection(request, selectors);
  const page = wire.pages.page({
    scope: JSON.stringify([served.kind, namespace, selectors]),
    limit: Number(query.get('limit') ?? 0),
    token: query.get('continue') ?? undefined,
    list: () => ({ items: listObjects(wire.api, request, selected), revision: wire.api.objects.revision() }),
  });
  if (page === undefined)
    throw refusals.expired(
      request,
      'The provided continue parameter is too old to display a consistent list result. You must start a new list without the continue parameter.',
    );
  const { items, revision, token, remaining } = page;
  const metadata = {
    resourceVersion: String(revision),
    ...(token !== undefined && { continue: token, remainingItemCount: remaining }),
  };
  if (wantsTable(request.headers.accept)) return tableResponse(wire, request, items, metadata);
  return listResponse(request, items, metadata);
}

/** The text of a list is joined from the texts of its items, which are cached. */
function listResponse({ served }: WireRequest, items: readonly StoredObject[], metadata: Json): VerbResponse {
  const { kind, apiVersion } = served;
  const head = () =>
    `{"kind":"${kind}List","apiVersion":"${apiVersion}","metadata":${JSON.stringify(metadata)},"items":[`;
  return {
    code: 200,
    json: () => ({ kind: `${kind}List`, apiVersion, metadata, items }),
    text: () => `${head()}${items.map(textOf).join(',')}]}`,
  };
}

function create(api: Api, request: WireRequest): VerbResponse {
  if (request.subresource === 'eviction') return evict(api, request);
  return objectResponse(201, verbs.create(api, request, decodedBody(request)));
}

function evict(api: Api, request: WireRequest): VerbResponse {
  const { metadata, deleteOptions } = decodedBody(request);
  if (!isJson(metadata) || metadata.name !== request.name)
    throw refusals.badRequest(request, 'name in URL does not match name in Eviction object');
  const options = isJson(deleteOptions) ? deleteOptions : {};
  verbs.evict(api, { ...request, dryRun: request.dryRun || isDryRun(options) }, deletionOf(options, request.query));
  return objectResponse(201, success());
}

const applyType = 'application/apply-patch+yaml';

function patch(api: Api, request: WireRequest): VerbResponse {
  if (mediaTypeOf(request) === applyType) return apply(api, request);
  const sent = sentPatch(request);
  return objectResponse(200, verbs.patch(api, { ...request, decoded: decodedPatched(request, sent) }, sent));
}

function apply(api: Api, request: WireRequest): VerbResponse {
  if (!request.query.get('fieldManager'))
    throw refusals.invalid(request, [fieldCauses.required('fieldManager', 'is required for apply patch')]);
  const { served, namespace, name = '' } = request;
  const exists = api.objects.get(served.collection, namespace, name) !== undefined;
  const force = request.query.get('force') === 'true';
  return objectResponse(exists ? 200 : 201, verbs.apply(api, request, sentApplication(request), force));
}

/** Kinds whose deletion is answered with the object (apiserver, ReturnDeletedObject); for others with a Status. */
const returnsDeletedObject = new Set(['Namespace', 'Pod', 'Service']);

function deleteOne(api: Api, request: WireRequest): VerbResponse {
  const options = deleteOptions(request);
  const { served, name } = request;
  const deleteRequest = { ...request, dryRun: request.dryRun || isDryRun(options) };
  const deleted = verbs.delete(api, deleteRequest, deletionOf(options, request.query));
  if (!deleted.gone || returnsDeletedObject.has(served.kind)) return objectResponse(200, deleted.object);
  const { uid } = deleted.object.metadata;
  return objectResponse(
    200,
    success({
      ...(name !== undefined && { name }),
      ...(served.group !== '' && { group: served.group }),
      kind: served.plural,
      ...(uid !== undefined && { uid }),
    }),
  );
}

/** Deletes each selected object as if alone; the response lists them. */
function deleteCollection(api: Api, request: WireRequest): VerbResponse {
  authorize(api, request);
  const options = deleteOptions(request);
  const deletion = deletionOf(options, request.query);
  const dryRun = request.dryRun || isDryRun(options);
  const selected = listObjects(api, request, selection(request, selectorsOf(request.query)));
  const deleted = selected.map(({ metadata: { name, namespace } }) => {
    const one = { ...request, verb: 'delete', name, namespace, dryRun };
    return verbs.delete(api, one, deletion).object;
  });
  return listResponse(request, deleted, { resourceVersion: String(api.objects.revision()) });
}

/** The DeleteOptions of the body, completed by the query. */
function deletionOf(options: Json, query: URLSearchParams): Deletion {
  const grace = options.gracePeriodSeconds ?? query.get('gracePeriodSeconds') ?? undefined;
  const policy = options.propagationPolicy ?? query.get('propagationPolicy') ?? undefined;
  return {
    ...(grace !== undefined && { gracePeriodSeconds: Number(grace) }),
    ...(policy !== undefined && { propagationPolicy: policy as Deletion['propagationPolicy'] }),
    ...(isJson(options.preconditions) && { preconditions: options.preconditions as Deletion['preconditions'] }),
  };
}

function isDryRun(options: Json): boolean {
  return Array.isArray(options.dryRun) && options.dryRun.includes('All');
}
