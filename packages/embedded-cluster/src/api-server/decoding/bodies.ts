import { isJson, type Json } from '../../objects/json.ts';
import { pruned } from '../custom-resources/prune.ts';
import { fieldCauses, refusals } from '../refusals.ts';
import type { WireRequest } from '../wire-request.ts';
import { type Decoded, decode } from './decode.ts';
import { definitionName, type Schema } from './definitions.ts';
import { duplicateFields } from './duplicate-fields.ts';
import { type Parsed, parseJson, parseYamlText } from './parse.ts';
import { customSchemaOf } from './schemas.ts';
import { type TypeName, typedObject, typeOf } from './type-names.ts';

/**
 * The body of a create or an update as an object of the kind that the path names, without unknown fields; a 400 if it
 * is not JSON or YAML, of another kind, or of the wrong types, and with `fieldValidation=Strict` for a field that is
 * unknown or there twice.
 */
export function decodedBody(request: WireRequest): Json {
  const text = request.body ?? '';
  const expected = typeOf(request);
  const parsed = parsedBody(request, text);
  const typed = 'error' in parsed ? parsed : typedObject(parsed.value);
  if ('error' in typed) {
    const why = `couldn't get version/kind; json parse error: ${typed.error} (${summary(text)})`;
    throw refusals.badRequest(
      request,
      `the object provided is unrecognized (must be of type ${expected.kind}): ${why}`,
    );
  }
  if (request.served.custom) requireOwnType(request, typed.value, expected, text);
  const sent = typeOfValue(typed.value, expected);
  const refuse = (why: string) => {
    const version = sent.apiVersion.split('/').at(-1) ?? '';
    return refusals.badRequest(
      request,
      `${sent.kind} in version "${version}" cannot be handled as a ${expected.kind}: ${why}`,
    );
  };
  const { value, error, strict } = typedValue(request, typed.value, { sent, expected }, isYaml(request) ? '' : text);
  if (error !== undefined) throw refuse(error);
  noteStrict(request, strict, (why) => refuse(why));
  return value;
}

/** A custom resource has to say what it is (apiextensions-apiserver, pkg/apiserver, schemaCoercingDecoder). */
function requireOwnType(
  request: WireRequest,
  { apiVersion = '', kind = '', metadata }: Json,
  expected: TypeName,
  text: string,
): void {
  if ((kind ?? '') === '') {
    const why = `Object 'Kind' is missing in '${text}'`;
    throw refusals.badRequest(
      request,
      `the object provided is unrecognized (must be of type ${expected.kind}): ${why}`,
    );
  }
  if ((apiVersion ?? '') === '')
    throw refusals.badRequest(
      request,
      `the API version in the data () does not match the expected API version (${expected.apiVersion})`,
    );
  if (kind === expected.kind || apiVersion !== expected.apiVersion || request.subresource !== undefined) return;
  const name = isJson(metadata) ? String(metadata.name ?? '') : '';
  const at = { ...request, name, served: { ...request.served, kind: String(kind) } };
  throw refusals.invalid(at, [fieldCauses.invalid('kind', kind, `must be ${expected.kind}`)]);
}

/** What a value is by its own words; what it does not say is as expected. */
function typeOfValue(value: Json, expected: TypeName): TypeName {
  const { apiVersion, kind } = value;
  const text = (word: unknown, other: string) => (typeof word === 'string' && word !== '' ? word : other);
  return { apiVersion: text(apiVersion, expected.apiVersion), kind: text(kind, expected.kind) };
}

interface Typed {
  readonly value: Json;
  readonly error: string | undefined;
  /** What `fieldValidation=Strict` refuses. */
  readonly strict: readonly string[];
}

/** The value as the types of the API make it. */
export function typedValue(
  request: WireRequest,
  value: Json,
  { sent, expected }: { readonly sent: TypeName; readonly expected: TypeName },
  text: string,
): Typed {
  const error = conversionError(request, sent, expected);
  const decoded = error === undefined ? decodedValue(request, value, expected) : undefined;
  if (decoded === undefined) return { value, error, strict: [] };
  const repeated = wantsStrict(request) && text !== '' ? duplicateFields(text, value) : [];
  const strict = [
    ...repeated.map((field) => `duplicate field ${JSON.stringify(field)}`),
    ...decoded.unknown.map((field) => `unknown field ${JSON.stringify(field)}`),
  ];
  return { value: decoded.value as Json, error: decoded.error, strict };
}

/** The value by its definition, or by the schema of a custom resource; undefined if nothing is known of its type. */
function decodedValue({ served, subresource }: WireRequest, value: Json, expected: TypeName): Decoded | undefined {
  const name = definitionName(expected.apiVersion, expected.kind);
  if (name !== undefined) return decode(value, name);
  const schema = served.custom && subresource !== 'scale' ? customSchemaOf(served) : undefined;
  return schema && prunedWithMetadata(value, schema);
}

const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** The metadata of a custom resource has the types of every object's. */
function prunedWithMetadata(value: Json, schema: Schema): Decoded {
  const rest = pruned(value, schema);
  if (value.metadata === undefined) return { ...rest, error: undefined };
  const metadata = decode(value.metadata, objectMeta);
  const unknown = [...metadata.unknown.map((field) => `metadata.${field}`), ...rest.unknown];
  return { value: { ...(rest.value as Json), metadata: metadata.value }, error: metadata.error, unknown };
}

/** Why an object of one kind cannot be taken as one of another; undefined if it is of the expected kind. */
function conversionError({ served }: WireRequest, sent: TypeName, expected: TypeName): string | undefined {
  if (sent.kind === expected.kind && versionsOf(expected).includes(sent.apiVersion)) return undefined;
  if (served.custom && typeName(served) === typeName(expected))
    return `converting (${typeName(sent)}) to (${typeName(expected)}): unknown conversion`;
  if (definitionName(sent.apiVersion, sent.kind) === undefined)
    return `no kind "${sent.kind}" is registered for version "${sent.apiVersion}" in scheme "pkg/runtime/scheme.go:110"`;
  const [group = ''] = expected.apiVersion.includes('/') ? expected.apiVersion.split(/[./]/) : ['core'];
  return `converting (${typeName(sent)}) to (${group}.${expected.kind}): unknown conversion`;
}

/** Evictions are taken in their old version too. */
const versionsOf = ({ apiVersion, kind }: TypeName): readonly string[] =>
  kind === 'Eviction' ? [apiVersion, 'policy/v1beta1'] : [apiVersion];

const typeName = ({ apiVersion, kind }: TypeName): string => `${apiVersion.split('/').at(-1)}.${kind}`;

export function parsedBody(request: WireRequest, text: string): Parsed {
  const type = mediaTypeOf(request);
  if (type !== '' && !/^application\/(json|yaml)$/.test(type))
    throw refusals.unsupportedMediaType(
      request,
      'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    );
  return isYaml(request) ? parseYamlText(text) : parseJson(text);
}

/** The media type of the body, without its parameters. */
export function mediaTypeOf({ headers }: WireRequest): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

const isYaml = (request: WireRequest): boolean => mediaTypeOf(request) === 'application/yaml';

/** A body as an error shows it (apiserver, summarizeData). */
function summary(text: string): string {
  if (text === '') return '<empty>';
  const bytes = Buffer.from(text);
  const shown = bytes.subarray(0, 30);
  const more = bytes.length > 30 ? ' ...' : '';
  return (text.startsWith('{') ? shown.toString('utf8') : shown.toString('hex')) + more;
}

const wantsStrict = ({ query }: WireRequest): boolean => query.get('fieldValidation') !== 'Ignore';

/** What the types do not know: with Strict a refusal, with Warn, which is the default, a warning each. */
export function noteStrict(request: WireRequest, strict: readonly string[], refuse: (why: string) => Error): void {
  if (strict.length === 0 || !wantsStrict(request)) return;
  if (request.query.get('fieldValidation') === 'Strict') throw refuse(`strict decoding error: ${strict.join(', ')}`);
  request.warnings.push(...strict);
}
