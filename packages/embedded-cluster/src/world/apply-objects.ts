import { isJson, type Json } from '../objects/json.ts';
import type { HttpRequest, HttpResponse } from '../outside/http.ts';
import { indexedField } from './indexed-field.ts';

/** An object as somebody wrote it. */
export interface Written {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** What the API server said of one object. */
export type Applied =
  /** The object as the server has it, with its defaults, and where it has those of the kind. */
  | { readonly outcome: 'created' | 'configured'; readonly object: Json; readonly place: Place }
  /** No definition of the kind is there. */
  | { readonly outcome: 'unknown-kind' }
  | { readonly outcome: 'refused'; readonly causes: readonly Cause[] };

/** One fault: the field as Kubernetes writes it, empty if the server names none, and its sentence. */
export interface Cause {
  readonly field: string;
  readonly message: string;
  /** The field is of a wrong type or unknown: other faults were not looked for. */
  readonly isDecoding?: true;
  /** The type, in Go's words, that the value is not of. */
  readonly wanted?: string;
}

type Api = (request: HttpRequest) => Promise<HttpResponse>;

/**
 * Creates each object as `kubectl create --validate=strict` does, and one that is there already as `kubectl apply
 * --server-side` does. Namespaces and definitions come first, whatever their place; a namespace that nobody made is
 * made. The answers are in the order of the objects.
 */
export async function applyObjects(
  api: Api,
  objects: readonly Written[],
  namespace: string,
): Promise<readonly Applied[]> {
  const places = placesOf(api);
  const made = new Set(objects.filter(({ kind }) => kind === 'Namespace').map(({ metadata }) => metadata.name));
  const apply = async (object: Written): Promise<Applied> => {
    const place = await places(object);
    if (place === undefined) return { outcome: 'unknown-kind' };
    const within = place.namespaced ? (object.metadata.namespace ?? namespace) : undefined;
    if (within !== undefined && !made.has(within)) await makeNamespace(api, within);
    if (within !== undefined) made.add(within);
    return applied(api, place, object, within);
  };
  const answers = new Map<Written, Applied>();
  for (const object of objects.toSorted((a, b) => rankOf(a) - rankOf(b))) answers.set(object, await apply(object));
  return objects.map((object) => answers.get(object) ?? { outcome: 'unknown-kind' });
}

/** Where the objects of a kind are; each kind is looked up once. */
function placesOf(api: Api): (object: Written) => Promise<Place | undefined> {
  const known = new Map<string, Promise<Place | undefined>>();
  return ({ apiVersion, kind }) => {
    const place = known.get(`${apiVersion} ${kind}`) ?? discovered(api, apiVersion, kind);
    known.set(`${apiVersion} ${kind}`, place);
    return place;
  };
}

const first = ['Namespace', 'CustomResourceDefinition', 'PriorityClass', 'ServiceAccount'];

function rankOf({ kind }: Written): number {
  const rank = first.indexOf(kind);
  return rank === -1 ? first.length : rank;
}

export interface Place {
  readonly path: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** The discovery document of the group says where its kinds are. */
async function discovered(api: Api, apiVersion: string, kind: string): Promise<Place | undefined> {
  const path = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const { status, body } = await asked(api, 'GET', path);
  if (status !== 200 || !Array.isArray(body.resources)) return undefined;
  const found = body.resources.filter(isJson).find((one) => one.kind === kind && !String(one.name).includes('/'));
  return found && { path, plural: String(found.name), namespaced: found.namespaced === true };
}

async function makeNamespace(api: Api, name: string): Promise<void> {
  await asked(api, 'POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}

async function applied(api: Api, place: Place, object: Written, namespace: string | undefined): Promise<Applied> {
  const folder = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  const path = `${place.path}${folder}/${place.plural}`;
  const options = 'fieldManager=kubectl-create&fieldValidation=Strict';
  const created = await asked(api, 'POST', `${path}?${options}`, object);
  if (created.status < 300) return { outcome: 'created', object: created.body, place };
  if (created.status !== 409) return { outcome: 'refused', causes: causesOf(created.body, object) };
  const target = `${path}/${encodeURIComponent(object.metadata.name)}?fieldManager=kubectl&force=true`;
  const changed = await asked(api, 'PATCH', target, object);
  return changed.status < 300
    ? { outcome: 'configured', object: changed.body, place }
    : { outcome: 'refused', causes: causesOf(changed.body, object) };
}

interface Answer {
  readonly status: number;
  readonly body: Json;
}

async function asked(api: Api, method: HttpRequest['method'], path: string, object?: object): Promise<Answer> {
  const contentType = method === 'PATCH' ? 'application/apply-patch+yaml' : 'application/json';
  const { status, text } = await api({
    method,
    url: `https://kubernetes.default.svc${path}`,
    headers: { accept: 'application/json', 'content-type': contentType },
    ...(object === undefined ? {} : { body: JSON.stringify(object) }),
  });
  return { status, body: jsonIn(await text()) };
}

/** The answer for a kind that is not served is a page of text. */
function jsonIn(text: string): Json {
  if (!text.startsWith('{')) return {};
  const body: unknown = JSON.parse(text);
  return isJson(body) ? body : {};
}

/** A 422 has its causes; a 400 names the fields in its text: those that nobody knows, or the one of the wrong type. */
function causesOf({ code, message, details }: Json, object: object): readonly Cause[] {
  const causes = isJson(details) && Array.isArray(details.causes) ? details.causes.filter(isJson) : [];
  if (causes.length > 0)
    return causes.map((cause) => ({ field: String(cause.field ?? ''), message: String(cause.message ?? '') }));
  const text = String(message ?? '');
  const strict = [...text.matchAll(/(unknown|duplicate) field "([^"]+)"/g)];
  if (strict.length > 0)
    return strict.map(([, which = '', field = '']) => ({ field, message: `${which} field`, isDecoding: true }));
  const typed = /cannot unmarshal (.+?) into Go (?:struct field \w*\.(\S+)|value) of type (\S+)/.exec(text);
  if (typed === null) return [{ field: '', message: text, ...(code === 400 && { isDecoding: true }) }];
  const [, seen = '', field = '', type = ''] = typed;
  const place = indexedField(object, field, seen.split(' ', 1)[0] ?? '');
  return [{ field: place, message: `${seen} is not of the type ${type}`, isDecoding: true, wanted: type }];
}
