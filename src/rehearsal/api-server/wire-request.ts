import type { Clock, HttpRequest } from '../../host/host.ts';
import type { Api, ApiRequest } from './api.ts';
import type { Pages } from './pages.ts';
import type { Route } from './route.ts';

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

/** The request of an API path that `route` found. */
export function readRequest(
  found: Route,
  { method, headers: sent = {}, body }: HttpRequest,
  query: URLSearchParams,
): WireRequest {
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
