import type { JsonPatchOperation, Patch } from '../../cluster/cluster.ts';
import { isJson, type Json, textOf } from '../objects/json.ts';
import type { StoredObject } from '../objects/objects.ts';
import { type Api, authorize } from './api.ts';
import type { Deletion } from './delete.ts';
import { listObjects, selection, selectorsOf } from './read.ts';
import { fieldCauses, refusals } from './refusals.ts';
import { type JsonBody, success } from './responses.ts';
import { table, wantsTable } from './tables.ts';
import { verbs } from './verbs.ts';
import type { Wire, WireRequest } from './wire-request.ts';

/** A status code and the answer. */
export interface Answer extends JsonBody {
  readonly code: number;
}

/** Does what a request asks for, watches apart. */
export function perform(wire: Wire, request: WireRequest): Answer {
  const { api } = wire;
  const { dryRun } = request;
  if (request.query.has('dryRun') && !dryRun) throw refusals.badRequest(request, 'dryRun must be All');
  if (request.name === undefined && ['update', 'patch'].includes(request.verb))
    throw refusals.methodNotAllowed(request);
  switch (request.verb) {
    case 'get':
      return get(wire, request);
    case 'list':
      return list(wire, request);
    case 'create':
      return create(api, request);
    case 'update':
      return object(200, verbs.update(api, request, json(request)));
    case 'patch':
      return patch(api, request);
    case 'delete':
      return remove(api, request);
    case 'deletecollection':
      return removeAll(api, request);
    default:
      throw refusals.methodNotAllowed(request);
  }
}

function get(wire: Wire, request: WireRequest): Answer {
  const found = verbs.get(wire.api, request);
  if (request.subresource === 'scale' || !wantsTable(request.headers.accept)) return object(200, found);
  const one = found as StoredObject;
  return shown(wire, request, [one], { resourceVersion: one.metadata.resourceVersion });
}

function shown(wire: Wire, request: WireRequest, objects: readonly StoredObject[], metadata: Json): Answer {
  return object(200, table({ kind: request.served.kind, objects, metadata, nowAt: wire.clock.wallAt() }));
}

function object(code: number, value: object): Answer {
  return { code, json: () => value };
}

function json(request: WireRequest): unknown {
  const type = request.headers['content-type'] ?? 'application/json';
  if (!/[/+](json|yaml)/.test(type))
    throw refusals.unsupportedMediaType(
      request,
      'the body of the request was in an unknown format - accepted media types include: application/json',
    );
  try {
    return JSON.parse(request.body ?? '');
  } catch {
    throw refusals.badRequest(request, 'the body of the request is not JSON');
  }
}

function optionalJson(request: WireRequest): Json {
  const body = request.body === undefined || request.body === '' ? {} : json(request);
  return isJson(body) ? body : {};
}

function list(wire: Wire, request: WireRequest): Answer {
  authorize(wire.api, request);
  const { served, namespace, query } = request;
  const where = selectorsOf(query);
  const selected = selection(request, where);
  const page = wire.pages.page({
    of: JSON.stringify([served.kind, namespace, where]),
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
  const more = token !== undefined && { continue: token, remainingItemCount: remaining };
  const metadata = { resourceVersion: String(revision), ...more };
  if (wantsTable(request.headers.accept)) return shown(wire, request, items, metadata);
  return listOf(request, items, metadata);
}

/** Its text is made of the items' own texts, which are made once a version. */
function listOf({ served }: WireRequest, items: readonly StoredObject[], metadata: Json): Answer {
  const { kind, apiVersion } = served;
  const head = () =>
    `{"kind":"${kind}List","apiVersion":"${apiVersion}","metadata":${JSON.stringify(metadata)},"items":[`;
  return {
    code: 200,
    json: () => ({ kind: `${kind}List`, apiVersion, metadata, items }),
    text: () => `${head()}${items.map(textOf).join(',')}]}`,
  };
}

function create(api: Api, request: WireRequest): Answer {
  if (request.subresource === 'eviction') return evict(api, request);
  if (request.name !== undefined) throw refusals.methodNotAllowed(request);
  return object(201, verbs.create(api, request, json(request)));
}

function evict(api: Api, request: WireRequest): Answer {
  const eviction = json(request);
  const { metadata, deleteOptions } = isJson(eviction) ? eviction : {};
  if (isJson(metadata) && metadata.name !== undefined && metadata.name !== request.name)
    throw refusals.badRequest(request, 'name in URL does not match name in Eviction object');
  const options = isJson(deleteOptions) ? deleteOptions : {};
  verbs.evict(api, { ...request, dryRun: request.dryRun || isDry(options) }, deletion(options, request.query));
  return object(201, success());
}

const patchTypes: Readonly<Record<string, Patch['type']>> = {
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/json-patch+json': 'json',
};

function patch(api: Api, request: WireRequest): Answer {
  const contentType = (request.headers['content-type'] ?? '').split(';')[0]?.trim() ?? '';
  if (contentType === 'application/apply-patch+yaml') return apply(api, request);
  const type = patchTypes[contentType];
  if (type === undefined)
    throw refusals.unsupportedMediaType(
      request,
      `the body of the request was in an unknown format - accepted media types include: ${Object.keys(patchTypes).join(', ')}, application/apply-patch+yaml`,
    );
  const value = json(request);
  if (Array.isArray(value) !== (type === 'json')) throw refusals.badRequest(request, 'the patch has the wrong type');
  const how: Patch = type === 'json' ? { type, value: value as JsonPatchOperation[] } : { type, value };
  return object(200, verbs.patch(api, request, how));
}

function apply(api: Api, request: WireRequest): Answer {
  if (!request.query.get('fieldManager'))
    throw refusals.invalid(request, [fieldCauses.required('fieldManager', 'is required for apply patch')]);
  const { served, namespace, name = '' } = request;
  const exists = api.objects.get(served.kind, namespace, name) !== undefined;
  return object(exists ? 200 : 201, verbs.apply(api, request, json(request), request.query.get('force') === 'true'));
}

/** Kinds whose deletion answers with the object (ReturnDeletedObject); others answer with a Status. */
const answeredWhole = new Set(['Namespace', 'Pod', 'Service']);

function remove(api: Api, request: WireRequest): Answer {
  const options = optionalJson(request);
  const { served, name } = request;
  const asked = { ...request, dryRun: request.dryRun || isDry(options) };
  const deleted = verbs.delete(api, asked, deletion(options, request.query));
  if (!deleted.gone || answeredWhole.has(served.kind)) return object(200, deleted.object);
  const { uid } = deleted.object.metadata;
  const group = served.group !== '' && { group: served.group };
  return object(
    200,
    success({ ...(name !== undefined && { name }), ...group, kind: served.plural, ...(uid !== undefined && { uid }) }),
  );
}

/** Each of those that the selectors select, as if it were deleted alone; they are the answer. */
function removeAll(api: Api, request: WireRequest): Answer {
  authorize(api, request);
  const options = optionalJson(request);
  const how = deletion(options, request.query);
  const dryRun = request.dryRun || isDry(options);
  const chosen = listObjects(api, request, selection(request, selectorsOf(request.query)));
  const deleted = chosen.map(({ metadata: { name, namespace } }) => {
    const one = { ...request, verb: 'delete', name, namespace, dryRun };
    return verbs.delete(api, one, how).object;
  });
  return listOf(request, deleted, { resourceVersion: String(api.objects.revision()) });
}

/** DeleteOptions of the body; the query fills in what it does not say. */
function deletion(options: Json, query: URLSearchParams): Deletion {
  const grace = options.gracePeriodSeconds ?? query.get('gracePeriodSeconds') ?? undefined;
  const policy = options.propagationPolicy ?? query.get('propagationPolicy') ?? undefined;
  return {
    ...(grace !== undefined && { gracePeriodSeconds: Number(grace) }),
    ...(policy !== undefined && { propagationPolicy: policy as Deletion['propagationPolicy'] }),
    ...(isJson(options.preconditions) && { preconditions: options.preconditions as Deletion['preconditions'] }),
  };
}

function isDry(options: Json): boolean {
  return Array.isArray(options.dryRun) && options.dryRun.includes('All');
}
