import type { ApiError } from '../kubernetes/cluster.ts';
import type { Json } from '../objects/json.ts';
import type { StoredObject } from '../objects/objects.ts';
import { authorize } from './api.ts';
import { listObjects, selection, selectorsOf } from './read.ts';
import { refusals } from './refusals.ts';
import { itemText, partial, requireForm, wantsPartial } from './representations.ts';
import type { JsonBody } from './responses.ts';
import { table, wantsTable } from './tables/table.ts';
import { verbs } from './verbs.ts';
import type { Wire, WireRequest } from './wire-request.ts';

/** A response: status code and body. */
export interface VerbResponse extends JsonBody {
  readonly code: number;
}

/** One object, as itself, as a table or as its metadata. */
export function get(wire: Wire, request: WireRequest): VerbResponse {
  requireReadable(request);
  const found = verbs.get(wire.api, request);
  requireNotNewer(wire, request);
  const { accept } = request.headers;
  if (request.subresource === 'scale') return { code: 200, json: () => found };
  const one = found as StoredObject;
  return wantsPartial(accept) || wantsTable(accept)
    ? represented(wire, request, one, 200)
    : { code: 200, json: () => found };
}

/** One object in the form that the request wants: as itself, as a table or as its metadata. */
export function represented(wire: Wire, request: WireRequest, object: StoredObject, code: number): VerbResponse {
  const { accept } = request.headers;
  requireForm(request, false);
  if (wantsPartial(accept)) return { code, json: () => partial(object) };
  if (!wantsTable(accept)) return { code, json: () => object };
  const { resourceVersion } = object.metadata;
  return { ...tableResponse(wire, request, [object], resourceVersion === undefined ? {} : { resourceVersion }), code };
}

/** What only the options of a get refuse. */
function requireReadable(request: WireRequest): void {
  const { query } = request;
  const version = query.get('resourceVersion') ?? '';
  if (query.get('export') === 'true')
    throw refusals.badRequest(request, 'the export parameter, deprecated since v1.14, is no longer supported');
  if (version === '' || /^\d+$/.test(version)) return;
  const quoted = JSON.stringify(version);
  const why = `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: invalid syntax`;
  throw refusals.failure(request, 500, why);
}

function tableResponse(
  wire: Wire,
  request: WireRequest,
  objects: readonly StoredObject[],
  metadata: Json,
): VerbResponse {
  const { served, query } = request;
  const includeObject = query.get('includeObject');
  const shown = table({ served, objects, metadata, nowAt: wire.clock.wallAt(), includeObject });
  return { code: 200, json: () => shown };
}

/** The selected objects, or a page of them. */
export function list(wire: Wire, request: WireRequest): VerbResponse {
  authorize(wire.api, request);
  const { served, namespace, query } = request;
  requireForm(request, true);
  requireVersion(wire, request);
  const selectors = selectorsOf(query);
  const selected = selection(request, selectors);
  const page = wire.pages.page({
    scope: JSON.stringify([served.collection, namespace]),
    // From the cache of the API server, which a client asks for with 0, everything comes at once.
    limit: query.get('resourceVersion') === '0' ? 0 : Number(query.get('limit') ?? 0),
    token: query.get('continue') || undefined,
    list: () => ({ items: listObjects(wire.api, request, selected), revision: wire.api.objects.revision() }),
    everything: () => [...wire.api.objects.list(served.collection, namespace)],
    matches: selected.matches,
  });
  if (page === undefined) throw refusedToken(request, query.get('continue') ?? '');
  const { items, revision, token, remaining } = page;
  // The API server does not count what is left of a list with selectors.
  const isWhole = Object.keys(selectors).length === 0;
  const metadata = {
    resourceVersion: String(revision),
    ...(token !== undefined && { continue: token, ...(isWhole && { remainingItemCount: remaining }) }),
  };
  if (wantsTable(request.headers.accept)) return tableResponse(wire, request, items, metadata);
  if (!wantsPartial(request.headers.accept)) return listResponse(request, items, metadata);
  const shown = {
    kind: 'PartialObjectMetadataList',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    items: items.length === 0 ? null : items.map(partial),
  };
  return { code: 200, json: () => shown };
}

/** Only the present version is stored: an older version is gone, and a newer one is not waited for. */
function requireVersion({ api }: Wire, request: WireRequest): void {
  const { query } = request;
  const { wanted, current } = requireNotNewer({ api }, request);
  if (query.get('resourceVersionMatch') === 'Exact' && wanted < current)
    throw refusals.expired(request, 'The resourceVersion for the provided list is too old.');
}

function requireNotNewer({ api }: Pick<Wire, 'api'>, request: WireRequest) {
  const [wanted, current] = [Number(request.query.get('resourceVersion') ?? 0), api.objects.revision()];
  if (wanted > current) throw refusals.versionTooLarge(request, wanted, current);
  return { wanted, current };
}

/** 400 for a token that nobody can have been given, 410 for one that is no longer known. */
function refusedToken(request: WireRequest, token: string): ApiError {
  const plain = token.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  const [first = ''] = /^[A-Za-z0-9+/]*$/.test(plain) && plain.length % 4 !== 1 ? atob(plain) : '';
  if (first === '' || /\d/.test(first))
    return refusals.expired(
      request,
      'The provided continue parameter is too old to display a consistent list result. You must start a new list without the continue parameter.',
    );
  if (first === '{')
    return refusals.badRequest(
      request,
      'invalid continue token: continue key is not valid: server does not recognize this encoded version ',
    );
  const code = first.charCodeAt(0);
  const shown = code > 126 ? `\\u${code.toString(16).padStart(4, '0')}` : first;
  const why = `continue key is not valid: invalid character '${shown}' looking for beginning of value`;
  return refusals.badRequest(request, `invalid continue token: ${why}`);
}

/**
 * The text of a list is joined from the texts of its items, which are cached. Its value shares them, so that items name
 * their kind there.
 */
export function listResponse({ served }: WireRequest, items: readonly StoredObject[], metadata: Json): VerbResponse {
  const { kind, apiVersion } = served;
  // Of custom resources it is always written.
  const shown = served.custom ? { continue: '', ...metadata } : metadata;
  const head = () => `{"kind":"${kind}List","apiVersion":"${apiVersion}","metadata":${JSON.stringify(shown)},"items":[`;
  return {
    code: 200,
    json: () => ({ kind: `${kind}List`, apiVersion, metadata: shown, items }),
    text: () => `${head()}${items.map((item) => itemText(served, item)).join(',')}]}`,
  };
}
