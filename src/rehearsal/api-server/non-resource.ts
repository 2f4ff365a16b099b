import type { HttpResponse } from '../../host/host.ts';
import { textOf } from '../objects/json.ts';
import { aggregatedDiscovery, aggregatedType, wantsAggregated } from './aggregated-discovery.ts';
import { discovery, groupNames } from './discovery.ts';
import { openapi } from './openapi.ts';
import { type Status, textResponse } from './responses.ts';
import type { Served } from './served.ts';

type Headers = Readonly<Record<string, string>>;

/** A request for a path that names no resource. */
export interface NonResourceRequest {
  readonly method: string;
  readonly path: string;
  readonly accept: string | undefined;
}

/** Answers health, discovery and OpenAPI; else a 404. */
export function nonResourceResponse(
  { method, path, accept }: NonResourceRequest,
  kinds: readonly Served[],
  headers: Headers,
): HttpResponse {
  if (['/healthz', '/livez', '/readyz'].includes(path)) return textResponse(200, () => 'ok', plain(headers));
  const aggregated = wantsAggregated(accept) ? aggregatedDiscovery(path, kinds) : undefined;
  const document = aggregated ?? discovery(path, kinds) ?? openapi(path, kinds) ?? index(path, kinds);
  if (document === undefined) return unknownPath(path, kinds, headers);
  if (!['GET', 'HEAD'].includes(method)) return textResponse(405, () => textOf(methodNotAllowed), headers);
  const type = aggregated === undefined ? {} : { 'content-type': aggregatedType };
  return textResponse(200, () => textOf(document), { ...headers, ...type });
}

const plain = (headers: Headers): Headers => ({ ...headers, 'content-type': 'text/plain; charset=utf-8' });

/** A Status below `/api` and in a group that exists, and plain text elsewhere. */
function unknownPath(path: string, kinds: readonly Served[], headers: Headers): HttpResponse {
  const [, root, group = ''] = path.split('/');
  const isOfServer = root === 'api' || (root === 'apis' && groupNames(kinds).includes(group));
  if (isOfServer) return textResponse(404, () => textOf(notFound), headers);
  return textResponse(404, () => '404 page not found\n', plain(headers));
}

const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', details: {} } as const;

const notFound: Status = {
  ...status,
  message: 'the server could not find the requested resource',
  reason: 'NotFound',
  code: 404,
};

const methodNotAllowed: Status = {
  ...status,
  message: 'the server does not allow this method on the requested resource',
  reason: 'MethodNotAllowed',
  code: 405,
};

/** The paths that this server has, at `/`. */
function index(path: string, kinds: readonly Served[]) {
  if (path !== '/') return undefined;
  const groups = groupNames(kinds).map((group) => `/apis/${group}`);
  const versions = kinds.filter(({ group }) => group !== '').map(({ apiVersion }) => `/apis/${apiVersion}`);
  const others = ['/api', '/api/v1', '/apis', '/apis/', '/healthz', '/livez', '/openapi/v3', '/readyz', '/version'];
  return { paths: [...new Set([...others, ...groups, ...versions])].toSorted() };
}
