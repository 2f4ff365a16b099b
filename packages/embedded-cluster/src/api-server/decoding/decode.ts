import table from '../../objects/go-messages.json' with { type: 'json' };
import { isJson, type Json } from '../../objects/json.ts';
import { definitionOf, type Schema } from './definitions.ts';
import { quantityError, timeError, wordFor } from './go-values.ts';
import { canonicalQuantity } from './quantities.ts';

/** A value as the API server decodes it into its types. */
export interface Decoded {
  /** Without unknown fields and nulls; the value itself if nothing had to be left out. */
  readonly value: unknown;
  /** Why it does not fit its type, in the words of Go's encoding/json: of the first place. */
  readonly error: string | undefined;
  /** The unknown fields, such as `spec.containers[0].nope`. */
  readonly unknown: readonly string[];
}

/** Where the decoder is. */
interface Place {
  /** Such as `spec.containers[0].image`. */
  readonly field: string;
  /**
   * The definition of the innermost struct; an error names it, and the path without indices, such as
   * `Container.spec.containers.image`.
   */
  readonly struct: string;
  readonly names: readonly string[];
}

interface Decoding {
  error: string | undefined;
  readonly unknown: string[];
}

/** Decodes by the definition of that name, as Go's encoding/json with the types of Kubernetes. */
export function decode(value: unknown, definition: string): Decoded {
  const decoding: Decoding = { error: undefined, unknown: [] };
  const place = { field: '', struct: '', names: [] };
  return { value: decoded(decoding, value, { $ref: definition }, place), ...decoding };
}

const maximumOf: Readonly<Record<string, number | undefined>> = { int32: 2 ** 31, int64: 2 ** 63 };

function decoded(decoding: Decoding, value: unknown, schema: Schema, place: Place): unknown {
  const definition = schema.$ref === undefined ? schema : definitionOf(schema.$ref);
  if (value === null) return zeroOf(definition, schema.$ref);
  const special = specials[schema.$ref ?? ''];
  if (special !== undefined) return special(decoding, value);
  if (definition.properties !== undefined) {
    if (!isJson(value)) return mismatch(decoding, value, schema, place);
    return struct(decoding, value, definition, { ...place, struct: schema.$ref ?? '' });
  }
  if (definition.type === 'array') return list(decoding, value, schema, place);
  if (definition.type === 'object') return map(decoding, value, schema, place);
  return simple(decoding, value, definition, place);
}

function struct(decoding: Decoding, value: Json, { properties = {} }: Schema, place: Place): Json {
  return members(value, (key, member) => {
    const field = place.field === '' ? key : `${place.field}.${key}`;
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (schema === undefined) {
      decoding.unknown.push(field);
      return undefined;
    }
    if (member === null || isOmitted(place.struct, key, member, schema)) return undefined;
    return withoutEmpty(decoded(decoding, member, schema, { ...place, field, names: [...place.names, key] }), schema);
  });
}

/** An empty list or map is stored as none. */
function withoutEmpty(value: unknown, schema: Schema): unknown {
  if (schema.type === 'array') return Array.isArray(value) && value.length === 0 ? undefined : value;
  return schema.type === 'object' && isJson(value) && Object.keys(value).length === 0 ? undefined : value;
}

function list(decoding: Decoding, value: unknown, schema: Schema, place: Place): unknown {
  if (!Array.isArray(value)) return mismatch(decoding, value, schema, place);
  const items = value.map((item, index) =>
    decoded(decoding, item, schema.items ?? {}, { ...place, field: `${place.field}[${index}]` }),
  );
  return items.every((item, index) => item === value[index]) ? value : items;
}

function map(decoding: Decoding, value: unknown, schema: Schema, place: Place): unknown {
  if (!isJson(value)) return mismatch(decoding, value, schema, place);
  const { additionalProperties } = schema;
  if (typeof additionalProperties !== 'object') return value;
  return members(value, (key, member) =>
    decoded(decoding, member, additionalProperties, { ...place, field: `${place.field}.${key}` }),
  );
}

/** The object with each member changed; the same object if none changes. */
function members(value: Json, change: (key: string, member: unknown) => unknown): Json {
  let changed = false;
  const entries: [string, unknown][] = [];
  for (const [key, member] of Object.entries(value)) {
    const next = change(key, member);
    changed ||= next !== member;
    if (next !== undefined) entries.push([key, next]);
  }
  return changed ? Object.fromEntries(entries) : value;
}

function simple(decoding: Decoding, value: unknown, schema: Schema, place: Place): unknown {
  const { type, format } = schema;
  if (type === undefined) return value;
  if (!fits(value, schema)) {
    const isNumber = typeof value === 'number' && type === 'integer';
    return mismatch(decoding, value, schema, place, isNumber ? `number ${JSON.stringify(value)}` : undefined);
  }
  if (format === 'byte') decoding.error ??= base64Error(String(value));
  return value;
}

function fits(value: unknown, { type, format = '' }: Schema): boolean {
  if (type === 'boolean' || type === 'string' || type === 'number') return typeof value === type;
  const limit = maximumOf[format] ?? 2 ** 63;
  return Number.isInteger(value) && Number(value) < limit && Number(value) >= -limit;
}

function base64Error(text: string): string | undefined {
  const wrong = text.search(/[^A-Za-z0-9+/]/);
  const at = (byte: number) => `illegal base64 data at input byte ${byte}`;
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return at(wrong);
  if (text.length % 4 === 0) return undefined;
  // Of the padding one is missing, or the last four characters are not whole.
  return at(wrong === -1 ? text.length - (text.length % 4) : text.length);
}

function mismatch(decoding: Decoding, value: unknown, schema: Schema, place: Place, word = wordFor(value)): undefined {
  const into =
    place.names.length === 0 ? 'value' : `struct field ${[shortName(place.struct), ...place.names].join('.')}`;
  decoding.error ??= `json: cannot unmarshal ${word} into Go ${into} of type ${goType(schema)}`;
  return undefined;
}

function goType({ $ref, type, format, items, additionalProperties }: Schema): string {
  if ($ref !== undefined) return typeName($ref);
  if (type === 'array') return `[]${goType(items ?? {})}`;
  if (type === 'object')
    return `map[string]${goType(typeof additionalProperties === 'object' ? additionalProperties : {})}`;
  if (type === 'integer') return format ?? 'int64';
  if (type === 'number') return 'float64';
  return type === 'boolean' ? 'bool' : 'string';
}

/** `io.k8s.api.apps.v1.DeploymentSpec` is `v1.DeploymentSpec` in Go. */
const typeName = (definition: string): string => definition.split('.').slice(-2).join('.');
const shortName = (definition: string): string => definition.split('.').at(-1) ?? '';

/** What Go makes of null where a value has to be: in a list or a map. */
function zeroOf({ type, properties, format }: Schema, name: string | undefined): unknown {
  if (name === quantity) return '0';
  if (properties !== undefined) return {};
  if (type === 'string') return format === 'int-or-string' ? 0 : '';
  if (type === 'integer' || type === 'number') return 0;
  return type === 'boolean' ? false : undefined;
}

type Special = (decoding: Decoding, value: unknown) => unknown;

const apimachinery = 'io.k8s.apimachinery.pkg.';
const time =
  (layout: 'time' | 'microTime'): Special =>
  (decoding, value) => {
    if (typeof value === 'string') decoding.error ??= value === '' ? undefined : timeError(value, layout);
    else decoding.error ??= `json: cannot unmarshal ${wordFor(value)} into Go value of type string`;
    return value;
  };

const quantity = `${apimachinery}api.resource.Quantity`;

/** Types that decode themselves. */
const specials: Readonly<Record<string, Special | undefined>> = {
  [quantity]: (decoding, value) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    decoding.error ??= quantityError(text);
    return canonicalQuantity(text);
  },
  [`${apimachinery}apis.meta.v1.Time`]: time('time'),
  [`${apimachinery}apis.meta.v1.MicroTime`]: time('microTime'),
  [`${apimachinery}util.intstr.IntOrString`]: (decoding, value) => {
    if (typeof value !== 'string' && !(typeof value === 'number' && Number.isInteger(value)))
      decoding.error ??= `json: cannot unmarshal ${wordFor(value)} into Go value of type int32`;
    return value;
  },
  [`${apimachinery}apis.meta.v1.FieldsV1`]: (_, value) => value,
  [`${apimachinery}runtime.RawExtension`]: (_, value) => value,
};

const messages: Readonly<Record<string, string | undefined>> = table.messages;
const known = new Map<string, ReadonlySet<string> | undefined>();

/**
 * Whether Go's JSON leaves the member out because it is the zero of a type that is no pointer. The table says of which
 * members it does (`omitempty`); an empty text, 0 or false that is a pointer is another thing than none.
 */
function isOmitted(definition: string, key: string, value: unknown, schema: Schema): boolean {
  if (schema.zero !== undefined || (value !== '' && value !== 0 && value !== false)) return false;
  if (!known.has(definition)) known.set(definition, omittedOf(messageOf(definition)));
  const omitted = known.get(definition);
  // For types that are not in the table this is known only of texts.
  return omitted === undefined ? value === '' && schema.type === 'string' : omitted.has(key);
}

/** `io.k8s.api.core.v1.Container` is `core/v1.Container` in the table. */
function messageOf(definition: string): string {
  return definition
    .replace(/^io\.k8s\.api\.(\w+)\.(\w+)\./, '$1/$2.')
    .replace(/^io\.k8s\.apimachinery\.pkg\.apis\.meta\.(\w+)\./, 'meta/$1.');
}

/** The members of a message, and of its parts, that are left out where they are zero. */
function omittedOf(message: string): ReadonlySet<string> | undefined {
  const rows = messages[message]?.split('; ').filter(Boolean);
  if (rows === undefined) return undefined;
  const names = rows.flatMap((row) => {
    const [, name = '', type = ''] = row.split(' ');
    if (name.startsWith('.')) return [...(omittedOf(type) ?? [])];
    return name.endsWith('?') ? [name.slice(0, -1)] : [];
  });
  return new Set(names);
}
