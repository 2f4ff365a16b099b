import { ApiError } from '../../cluster/cluster.ts';
import type { Clock, HttpRequest, HttpResponse } from '../../host/host.ts';
import { textOf } from '../objects/json.ts';
import type { Api, ApiRequest } from './api.ts';
import { discovery } from './discovery.ts';
import { openapi } from './openapi.ts';
import type { Pages } from './pages.ts';
import { failure, jsonResponse, type Status, textResponse } from './responses.ts';
import { type Route, route } from './route.ts';
import { perform } from './wire-verbs.ts';
import { watchResponse } from './wire-watch.ts';

/** The server's outer side: text in, text out. */
export interface Wire {
  readonly api: Api;
  readonly pages: Pages;
  readonly clock: Pick<Clock, 'wallAt' | 'sleep'>;
  /** How long a watch lasts that does not say. */
  readonly random: () => number;
}
/** A request of the wire, read. */
export interface WireRequest extends ApiRequest {
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Whoever comes over the wire is this user: the embedded cluster has one kubeconfig. */
const wireUser = 'kubernetes-admin';

/** One request of the API as HTTP; every refusal is a Status. */
export async function answer(wire: Wire, http: HttpRequest, signal?: AbortSignal): Promise<HttpResponse> {
  const { pathname, searchParams: query } = new URL(http.url);
  const headers = {
    'content-type': 'application/json',
    date: new Date(wire.clock.wallAt()).toUTCString(),
    'cache-control': 'no-cache, private',
  };
  const found = route(pathname);
  if (found === undefined) return undirected(pathname, headers);
  const request = asked(found, http, query);
  try {
    if (request.verb === 'watch') return watchResponse(wire, request, headers, signal);
    const { code, ...body } = perform(wire, request);
    return jsonResponse(code, body, headers);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const seconds = error.details?.retryAfterSeconds;
    const more = seconds === undefined ? {} : { 'retry-after': String(seconds) };
    return textResponse(error.status, () => textOf(failure(error)), { ...headers, ...more });
  }
}

/** Paths that name no resource: discovery, health, or nothing. */
function undirected(path: string, headers: Readonly<Record<string, string>>): HttpResponse {
  if (['/healthz', '/livez', '/readyz'].includes(path))
    return textResponse(200, () => 'ok', { ...headers, 'content-type': 'text/plain' });
  const document = discovery(path) ?? openapi(path);
  if (document !== undefined) return textResponse(200, () => textOf(document), headers);
  return textResponse(404, () => textOf(unknownPath), headers);
}

const unknownPath: Status = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'the server could not find the requested resource',
  reason: 'NotFound',
  details: {},
  code: 404,
};

function asked(found: Route, { method, headers: sent = {}, body }: HttpRequest, query: URLSearchParams): WireRequest {
  const headers = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    ...found,
    verb: verbOf(method, found, query),
    user: wireUser,
    fieldManager: query.get('fieldManager') ?? (headers['user-agent'] ?? 'unknown').split('/')[0] ?? '',
    dryRun: query.get('dryRun') === 'All',
    query,
    headers,
    body,
  };
}

const verbsOfMethods = { HEAD: 'get', POST: 'create', PUT: 'update', PATCH: 'patch' } as const;

function verbOf(method: HttpRequest['method'], { name }: Route, query: URLSearchParams): string {
  if (method === 'DELETE') return name === undefined ? 'deletecollection' : 'delete';
  if (method !== 'GET') return verbsOfMethods[method];
  if (name !== undefined) return 'get';
  return ['1', 'true'].includes(query.get('watch') ?? '') ? 'watch' : 'list';
}
