import { isJson, type Json } from '../objects/json.ts';
import { parseYamlText } from './decoding/parse.ts';
import { served } from './served.ts';
import type { WireRequest } from './wire-request.ts';

/**
 * The fields of an Event of events.k8s.io/v1 that the core group calls otherwise (kubernetes,
 * pkg/apis/events/v1/conversion.go).
 */
const coreNames: Readonly<Record<string, string>> = {
  deprecatedCount: 'count',
  deprecatedFirstTimestamp: 'firstTimestamp',
  deprecatedLastTimestamp: 'lastTimestamp',
  deprecatedSource: 'source',
  note: 'message',
  regarding: 'involvedObject',
  reportingController: 'reportingComponent',
};
const newNames = Object.fromEntries(Object.entries(coreNames).map(([name, core]) => [core, name]));
const newVersion = 'events.k8s.io/v1';

/**
 * Both groups have the same Events, which are stored as the core group's: a request to events.k8s.io becomes one to the
 * core group. Every other request stays as it is.
 */
export function eventAtStoredVersion(request: WireRequest): WireRequest {
  if (request.served.apiVersion !== newVersion) return request;
  const body = request.body === undefined || request.body === '' ? request.body : coreBody(request, request.body);
  const query = withCoreFields(request.query);
  return {
    ...request,
    query,
    served: served.Event,
    body,
    ownedAs: { served: request.served, of: asNew },
    shown: asNew,
  };
}

/** A field selector with the names of the core group. */
function withCoreFields(query: URLSearchParams): URLSearchParams {
  const selector = query.get('fieldSelector');
  if (selector === null) return query;
  const core = new URLSearchParams(query);
  const renamedField = (part: string) => part.replace(/^\w+/, (name) => coreNames[name] ?? name);
  core.set('fieldSelector', selector.split(',').map(renamedField).join(','));
  return core;
}

/** A body with the names of the core group, as JSON; what cannot be read stays, and is refused later. */
function coreBody(request: WireRequest, body: string): string {
  if (request.verb === 'delete' || request.verb === 'deletecollection') return body;
  const parsed = parseYamlText(body);
  if ('error' in parsed) return body;
  const { value } = parsed;
  if (Array.isArray(value)) return JSON.stringify(value.map(coreOperation));
  if (!isJson(value)) return body;
  const core = renamed(value, coreNames);
  return JSON.stringify(core.apiVersion === newVersion ? { ...core, apiVersion: 'v1' } : core);
}

/** An operation of a JSON Patch. */
function coreOperation(operation: unknown): unknown {
  if (!isJson(operation)) return operation;
  const moved = (path: unknown) =>
    typeof path === 'string' ? path.replace(/^\/([^/]+)/, (_, name: string) => `/${coreNames[name] ?? name}`) : path;
  return Object.fromEntries(
    Object.entries(operation).map(([key, value]) => [key, key === 'path' || key === 'from' ? moved(value) : value]),
  );
}

/** An Event, a list of them or what a watch says of one, as events.k8s.io shows it; anything else as it is. */
function asNew(value: object): object {
  const { kind, apiVersion, items } = value as Json;
  if (apiVersion !== 'v1' || (kind !== 'Event' && kind !== 'EventList')) return value;
  if (!Array.isArray(items)) return { ...renamed(value as Json, newNames), apiVersion: newVersion };
  const shown = items.map((item) => {
    const { kind: _, apiVersion: __, ...event } = renamed(item as Json, newNames);
    return event;
  });
  return { ...value, apiVersion: newVersion, items: shown };
}

function renamed(object: Json, names: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [names[name] ?? name, value]));
}
