import type { Clock } from '../outside/clock.ts';
import type { HttpRequest } from '../outside/http.ts';
import type { Api, ApiRequest } from './api.ts';
import type { ServedKinds } from './custom-kinds.ts';
import type { Pages } from './pages.ts';
import type { Route } from './route.ts';

/** What the HTTP side of the server needs: the API, unfinished lists and time. */
export interface Wire {
  readonly api: Api;
  readonly kinds: ServedKinds;
  readonly pages: Pages;
  readonly clock: Pick<Clock, 'wallAt' | 'sleep'>;
  /** Numbers in [0, 1) for the length of watches without `timeoutSeconds`. */
  readonly random: () => number;
}
/** An HTTP request to the API, parsed. */
export interface WireRequest extends ApiRequest {
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** What the answer warns of (RFC 7234, warn-code 299). */
  readonly warnings: string[];
  /** Whether the kind has no subresource of that name. */
  readonly missing?: true;
  /** The object of an answer in the version that was asked for, if it is stored in another one. */
  readonly shown?: (object: object) => object;
}

/** The user of every HTTP request: the embedded cluster has one kubeconfig. */
const wireUser = 'kubernetes-admin';
/** The user of a request without credentials. */
export const anonymous = 'system:anonymous';
/** The header in which an authenticating proxy names the user; only `anonymous` is accepted here. */
export const userHeader = 'x-remote-user';

/** The header of that name, in lower case, however the client wrote it. */
export function headerOf({ headers = {} }: HttpRequest, name: string): string | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}

/** The request of an API path that `route` found. */
export function readRequest(found: Route, http: HttpRequest, query: URLSearchParams): WireRequest {
  const { watch, name, ...collection } = found;
  if (!watch || name === undefined) return requestAt(found, http, query);
  const ofName = new URLSearchParams([...query, ['fieldSelector', `metadata.name=${name}`]]);
  return requestAt({ ...collection, watch }, http, ofName);
}

function requestAt(
  found: Route,
  { method, headers: sent = {}, body }: HttpRequest,
  query: URLSearchParams,
): WireRequest {
  const headers = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    ...found,
    verb: verbOf(method, found, query),
    user: headers[userHeader] === anonymous ? anonymous : wireUser,
    fieldManager: query.get('fieldManager') || ((headers['user-agent'] ?? 'unknown').split('/')[0] ?? ''),
    dryRun: query.get('dryRun') === 'All',
    query,
    headers,
    body,
    warnings: [],
  };
}

const verbOfMethod = { HEAD: 'head', POST: 'create', PUT: 'update', PATCH: 'patch' } as const;

function verbOf(method: HttpRequest['method'], { name, watch }: Route, query: URLSearchParams): string {
  if (watch && method === 'GET') return 'watch';
  if (method === 'DELETE') return name === undefined ? 'deletecollection' : 'delete';
  if (method !== 'GET') return verbOfMethod[method];
  if (name !== undefined) return 'get';
  return ['0', 'false'].includes((query.get('watch') ?? 'false').toLowerCase()) ? 'list' : 'watch';
}
