import { ApiError } from '../../cluster/cluster.ts';
import type { HttpRequest, HttpResponse } from '../../host/host.ts';
import { textOf } from '../objects/json.ts';
import { nonResourceResponse } from './non-resource.ts';
import { failure, jsonResponse, textResponse } from './responses.ts';
import { route } from './route.ts';
import { headerOf, readRequest, type Wire } from './wire-request.ts';
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
  const found = route(pathname, wire.kinds);
  if (found === undefined) {
    const accept = headerOf(http, 'accept');
    return nonResourceResponse({ method: http.method, path: pathname, accept }, wire.kinds.all(), headers);
  }
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
