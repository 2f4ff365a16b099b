import { textOf } from '../objects/json.ts';
import type { HttpResponse } from '../outside/http.ts';
import { aggregatedDiscovery, aggregatedType, wantsAggregated } from './aggregated-discovery.ts';
import { discovery, groupNames } from './discovery.ts';
import { health, healthPaths } from './health.ts';
import { openapi, openapiV2 } from './openapi.ts';
import { type Status, textResponse } from './responses.ts';
import type { Served } from './served.ts';
import { anonymous } from './wire-request.ts';

type Headers = Readonly<Record<string, string>>;

/** A request for a path that names no resource. */
export interface NonResourceRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly accept: string | undefined;
  readonly user: string | undefined;
}

/** The paths that need no credentials (the role system:public-info-viewer). */
const publicPaths = ['/healthz', '/livez', '/readyz', '/version', '/version/'];

/** Answers health, discovery and OpenAPI; else a 404. */
export function nonResourceResponse(
  { method, path, query, accept, user }: NonResourceRequest,
  kinds: readonly Served[],
  headers: Headers,
): HttpResponse {
  if (user === anonymous && !publicPaths.includes(path)) return forbidden(method, path, headers);
  const told = health(path, query);
  if (told !== undefined) return textResponse(200, () => told, plain(headers));
  if (path === '/openapi/v2' && method === 'GET') {
    const { type, text } = openapiV2(accept);
    return textResponse(200, () => text, { ...headers, 'content-type': type });
  }
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
  const own = kinds.filter(({ custom }) => !custom);
  const isOfServer = root === 'api' || (root === 'apis' && groupNames(own).includes(group));
  if (isOfServer) return textResponse(404, () => textOf(notFound), headers);
  if (path.startsWith('/openapi/v3/')) return textResponse(404, () => '', { date: headers.date ?? '' });
  return textResponse(404, () => '404 page not found\n', plain(headers));
}

const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', details: {} } as const;

const notFound: Status = {
  ...status,
  message: 'the server could not find the requested resource',
  reason: 'NotFound',
  code: 404,
};

function forbidden(method: string, path: string, headers: Headers): HttpResponse {
  const verb = method === 'HEAD' || method === 'GET' ? 'get' : method.toLowerCase();
  const message = `forbidden: User "${anonymous}" cannot ${verb} path "${path}"`;
  return textResponse(403, () => textOf({ ...status, message, reason: 'Forbidden', code: 403 }), headers);
}

const methodNotAllowed: Status = {
  ...status,
  message: 'the server does not allow this method on the requested resource',
  reason: 'MethodNotAllowed',
  code: 405,
};

const otherPaths = [
  '/.well-known/openid-configuration',
  '/api',
  '/api/v1',
  '/apis',
  '/apis/',
  '/metrics',
  '/metrics/slis',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/',
  '/openid/v1/jwks',
  '/version',
];

/** The paths that an API server has, at `/`; a few of them the embedded one only names. */
function index(path: string, kinds: readonly Served[]) {
  if (path !== '/') return undefined;
  const groups = groupNames(kinds).map((group) => `/apis/${group}`);
  const versions = kinds.filter(({ group }) => group !== '').map(({ apiVersion }) => `/apis/${apiVersion}`);
  return { paths: [...new Set([...otherPaths, ...healthPaths, ...groups, ...versions])].toSorted() };
}
