import { ApiError } from '../../cluster/cluster.ts';
import type { HttpRequest, HttpResponse } from '../../host/host.ts';
import { textOf } from '../objects/json.ts';
import { discovery } from './discovery.ts';
import { openapi } from './openapi.ts';
import { failure, jsonResponse, type Status, textResponse } from './responses.ts';
import { route } from './route.ts';
import { readRequest, type Wire } from './wire-request.ts';
import { perform } from './wire-verbs.ts';
import { watchResponse } from './wire-watch.ts';

/** Answers one HTTP request. Every refusal becomes a Status. */
export async function answer(wire: Wire, http: HttpRequest, signal?: AbortSignal): Promise<HttpResponse> {
  const { pathname, searchParams: query } = new URL(http.url);
  const headers = {
    'content-type': 'application/json',
    date: new Date(wire.clock.wallAt()).toUTCString(),
    'cache-control': 'no-cache, private',
  };
  const found = route(pathname);
  if (found === undefined) return nonResourceResponse(pathname, headers);
  const request = readRequest(found, http, query);
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

/** For paths that name no resource: health, discovery and OpenAPI; else a 404. */
function nonResourceResponse(path: string, headers: Readonly<Record<string, string>>): HttpResponse {
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
