import { ApiError } from '../kubernetes/cluster.ts';
import { textOf } from '../objects/json.ts';
import type { HttpRequest, HttpResponse } from '../outside/http.ts';
import { authorize } from './api.ts';
import { autoscalerAtStoredVersion } from './autoscaler-versions.ts';
import { yamlText } from './decoding/yaml-text.ts';
import { eventAtStoredVersion } from './event-versions.ts';
import { nonResourceResponse } from './non-resource.ts';
import { refusals } from './refusals.ts';
import { wantsYaml } from './representations.ts';
import { failure, type JsonBody, jsonResponse, textResponse } from './responses.ts';
import { route } from './route.ts';
import type { VerbResponse } from './wire-list.ts';
import { anonymous, headerOf, readRequest, userHeader, type Wire, type WireRequest } from './wire-request.ts';
import { perform } from './wire-verbs.ts';
import { watchResponse } from './wire-watch.ts';

/** The log of a pod without a node. */
const noContent = 204;

/** Answers one HTTP request. Every refusal becomes a Status. */
export async function answer(wire: Wire, http: HttpRequest, signal?: AbortSignal): Promise<HttpResponse> {
  const headers = {
    'content-type': 'application/json',
    date: new Date(wire.clock.wallAt()).toUTCString(),
    'cache-control': 'no-cache, private',
  };
  const at = placeOf(http.url);
  if (at === undefined) return textResponse(400, () => '400 Bad Request', { ...headers, 'content-type': 'text/plain' });
  const found = route(at.path, wire.kinds);
  if (found === undefined) {
    const [accept, user] = [headerOf(http, 'accept'), headerOf(http, userHeader)];
    return nonResourceResponse({ ...at, method: http.method, accept, user }, wire.kinds.all(), headers);
  }
  const request = autoscalerAtStoredVersion(eventAtStoredVersion(readRequest(found, http, at.query)));
  try {
    if (request.user === anonymous) authorize(wire.api, request);
    if (request.verb === 'watch') return watchResponse(wire, request, headers, signal);
    return answered(request, perform(wire, request), headers);
  } catch (error) {
    return refused(request, error instanceof ApiError ? error : unforeseen(request, error), headers);
  }
}

function answered(request: WireRequest, { code, ...body }: VerbResponse, headers: Headers): HttpResponse {
  if (code === noContent) return textResponse(code, () => '', { date: headers.date ?? '' });
  if (request.subresource === 'log' && body.text !== undefined)
    return textResponse(code, body.text, { ...headers, 'content-type': 'text/plain' });
  const shown = shownBody(request, body);
  const more = warningOf(request);
  if (!wantsYaml(request.headers.accept)) return jsonResponse(code, shown, { ...headers, ...more });
  return textResponse(code, () => yamlText(shown.json()), { ...headers, ...yamlType, ...more });
}

function refused(request: WireRequest, refusal: ApiError, headers: Headers): HttpResponse {
  const seconds = refusal.details?.retryAfterSeconds;
  const isYaml = wantsYaml(request.headers.accept);
  const text = () => (isYaml ? yamlText(failure(refusal)) : textOf(failure(refusal)));
  return textResponse(refusal.status, text, {
    ...headers,
    ...(isYaml && yamlType),
    ...warningOf(request),
    ...(seconds !== undefined && { 'retry-after': String(seconds) }),
  });
}

type Headers = Readonly<Record<string, string>>;
const yamlType = { 'content-type': 'application/yaml' };

function shownBody({ shown }: WireRequest, body: JsonBody): JsonBody {
  return shown === undefined ? body : { json: () => shown(body.json()) };
}

interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Undefined if it is no address or has a wrong escape. */
function placeOf(address: string): Place | undefined {
  try {
    const { pathname, searchParams } = new URL(address);
    decodeURIComponent(pathname);
    return { path: pathname, query: searchParams };
  } catch {
    return undefined;
  }
}

/** A fault of this server: the request fails, and the cluster lives on. */
function unforeseen(request: WireRequest, error: unknown): ApiError {
  return refusals.internal(request, error instanceof Error ? error.message : String(error));
}

/**
 * Beyond this many characters all warnings of an answer are shortened, and at most this many characters are sent
 * (apiserver, pkg/endpoints/filters/warning.go).
 */
const longestWarnings = 4096;
const shortenedWarning = 256;

/** Warnings as a header. One with control characters cannot stand there (apimachinery, pkg/util/net). */
function warningOf({ warnings }: WireRequest): Readonly<Record<string, string>> {
  const fit = warnings.filter((text) => !/\p{Cc}/u.test(text) && text.isWellFormed());
  const isLong = fit.reduce((sum, text) => sum + text.length, 0) > longestWarnings;
  const told = isLong
    ? fit.slice(0, longestWarnings / shortenedWarning).map((text) => text.slice(0, shortenedWarning).toWellFormed())
    : fit;
  if (told.length === 0) return {};
  return { warning: told.map((text) => `299 - ${JSON.stringify(text)}`).join(', ') };
}
