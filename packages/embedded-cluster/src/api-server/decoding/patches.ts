import type { JsonPatchOperation, Patch } from '../../kubernetes/cluster.ts';
import { isJson, type Json } from '../../objects/json.ts';
import { requireNamed } from '../create.ts';
import { refusals } from '../refusals.ts';
import type { WireRequest } from '../wire-request.ts';
import { mediaTypeOf, noteStrict, typedValue } from './bodies.ts';
import { decode } from './decode.ts';
import { definitionName } from './definitions.ts';
import { goText, wordFor } from './go-values.ts';
import { parseJson, parseYamlText } from './parse.ts';
import { schemaOf } from './schemas.ts';
import { typedObject, typeOf } from './type-names.ts';
import { typedPatchFault } from './typed-patch.ts';

const types: Readonly<Record<string, Patch['type']>> = {
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/json-patch+json': 'json',
};

/** The form of the patch by its media type; a 415 for another. */
export function requirePatchType(request: WireRequest): Patch['type'] {
  const type = types[mediaTypeOf(request)];
  if (type === undefined) throw refusals.unsupportedMediaType(request, '415: Unsupported Media Type', {});
  return type;
}

/**
 * The patch that the body of a request is: a 415 for another media type, a 400 if it is not of the form of its type.
 */
export function sentPatch(request: WireRequest): Patch {
  const type = requirePatchType(request);
  const before = type === 'strategic' ? '' : 'error decoding patch: ';
  const parsed = parseJson(request.body ?? '');
  if ('error' in parsed) throw refusals.badRequest(request, before + parsed.error);
  return type === 'json'
    ? operations(request, parsed.value ?? [])
    : members(request, type, parsed.value ?? (type === 'merge' ? null : {}), before);
}

function operations(request: WireRequest, value: unknown): Patch {
  if (!Array.isArray(value) || !value.every(isJson))
    throw wrongForm(request, 'error decoding patch: ', value, '[]handlers.jsonPatchOp');
  const [name, wrong] = value.flatMap(mistypedMembers)[0] ?? [];
  if (name !== undefined)
    throw wrongForm(request, 'error decoding patch: ', wrong, 'string', `struct field jsonPatchOp.${name}`);
  return { type: 'json', value: value as unknown as readonly JsonPatchOperation[] };
}

function mistypedMembers(operation: Json): readonly (readonly [string, unknown])[] {
  return ['op', 'path', 'from'].flatMap((name) => {
    const value = operation[name] ?? '';
    return typeof value === 'string' ? [] : [[name, value] as const];
  });
}

function members(request: WireRequest, type: 'merge' | 'strategic', value: unknown, before: string): Patch {
  if (value === null && type === 'merge') throw refusals.badRequest(request, 'Invalid JSON Patch');
  if (!isJson(value)) throw wrongForm(request, before, value, 'map[string]interface {}');
  return { type, value };
}

function wrongForm(request: WireRequest, before: string, value: unknown, type: string, into = 'value'): Error {
  return refusals.badRequest(
    request,
    `${before}json: cannot unmarshal ${wordFor(value)} into Go ${into} of type ${type}`,
  );
}

/**
 * A check for `verbs.patch`: the object after the patch without unknown fields; a 422 if the patch made something else
 * of it.
 */
export function decodedPatched(request: WireRequest, patch: Patch): (patched: Json) => Json {
  return (patched) => {
    const expected = typeOf(request);
    const shown = () => (patch.type === 'strategic' ? goText(patch.value) : JSON.stringify(patched));
    const refuse = (why: string) => refusals.invalidPatch(request, shown(), why);
    const typed = typedObject(patched);
    if ('error' in typed) throw refuse(`couldn't get version/kind; json parse error: ${typed.error}`);
    const { apiVersion = '', kind = '' } = typed.value;
    requireVersion(request, apiVersion);
    const sent = { apiVersion: String(apiVersion), kind: String(kind) };
    const { value, error, strict } = typedValue(request, typed.value, { sent, expected }, '');
    if (error !== undefined) throw refuse(patch.type === 'strategic' ? restoringError(error) : error);
    noteStrict(request, strict, refuse);
    // A patch may take the metadata away: the object then has the empty one of Go's struct.
    return value.metadata === undefined ? { ...value, metadata: {} } : value;
  };
}

/** Without an apiVersion the object has no name for the API server. */
function requireVersion(request: WireRequest, apiVersion: unknown): void {
  if (apiVersion === '') requireNamed(request, {});
}

const kinds: Readonly<Record<string, string>> = { object: 'map', array: 'slice', number: 'int64' };

/**
 * The object after a strategic patch is not decoded but converted, which says the same in other words (apimachinery,
 * pkg/runtime/converter.go).
 */
function restoringError(error: string): string {
  const [, word = '', type = ''] =
    /^json: cannot unmarshal (\w+).* into Go struct field .* of type (\S+)$/.exec(error) ?? [];
  if (type === '') return error;
  const kind = kinds[word] ?? word;
  if (type.startsWith('[]')) return `cannot restore slice from ${kind}`;
  if (type.startsWith('map[')) return `cannot restore map from ${kind}`;
  return type.includes('.') ? `cannot restore struct from: ${kind}` : `unrecognized type: ${type}`;
}

/**
 * The body of a server-side apply: YAML, of which JSON is a part. A 500 without a reason for an unknown field or a
 * wrong type.
 */
export function sentApplication(request: WireRequest): Json {
  const parsed = parseYamlText(request.body ?? '');
  if ('error' in parsed) throw refusals.badRequest(request, `error decoding YAML: ${parsed.error}`);
  const value = parsed.value ?? {};
  if (!isJson(value))
    throw wrongForm(request, 'error decoding YAML: error unmarshaling JSON: ', value, 'map[string]interface {}');
  const { apiVersion, kind } = typeOf(request);
  if (value.apiVersion !== apiVersion || value.kind !== kind) {
    const sent = { apiVersion: wordOf(value.apiVersion), kind: wordOf(value.kind) };
    throw refusals.badRequest(request, `invalid object type: ${goVersion(sent.apiVersion)}, Kind=${sent.kind}`);
  }
  requireTyped(request, value);
  const name = definitionName(apiVersion, kind);
  if (name === undefined) return value;
  const decoded = decode(value, name);
  if (decoded.error !== undefined) throw notConverted(request, value, decoded.error);
  return withItems(value, decoded.value) as Json;
}

/** What was applied as the types make it, without its nulls and what is empty: managers own what they have sent. */
export function appliedAs({ served, subresource }: WireRequest): ((object: Json) => Json) | undefined {
  const name = subresource === 'scale' ? undefined : definitionName(served.apiVersion, served.kind);
  return name === undefined ? undefined : (object) => decode(object, name).value as Json;
}

function notConverted(request: WireRequest, value: Json, error: string): Error {
  const { namespace, name } = isJson(value.metadata) ? value.metadata : {};
  const type = `${goVersion(wordOf(value.apiVersion))}, Kind=${value.kind}`;
  const what = `(${wordOf(namespace)}/${wordOf(name)}; ${type})`;
  const why = `unable to convert unstructured object to ${type}: ${error}`;
  return refusals.failure(request, 500, `failed to convert new object ${what} to proper version: ${why}`);
}

/** With what decoding makes of a null in a list; a member that is null stays, because whoever sends it owns it. */
function withItems(sent: unknown, decoded: unknown): unknown {
  if (Array.isArray(sent) && Array.isArray(decoded))
    return sent.map((item, index) => (item === null ? decoded[index] : withItems(item, decoded[index])));
  if (!isJson(sent) || !isJson(decoded)) return sent;
  return Object.fromEntries(Object.entries(sent).map(([key, member]) => [key, withItems(member, decoded[key])]));
}

/** A version of the core group as Go prints it. */
const goVersion = (apiVersion: string): string => (apiVersion.includes('/') ? apiVersion : `/${apiVersion}`);

/** A value that is no text counts as missing. */
const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function requireTyped(request: WireRequest, value: Json): void {
  const schema = schemaOf(request);
  const fault = schema && typedPatchFault(value, schema);
  if (fault === undefined) return;
  const { namespace, name } = isJson(value.metadata) ? value.metadata : {};
  const what = `(${wordOf(namespace)}/${wordOf(name)}; ${goVersion(wordOf(value.apiVersion))}, Kind=${value.kind})`;
  throw refusals.failure(request, 500, `failed to create typed patch object ${what}: ${fault}`);
}
