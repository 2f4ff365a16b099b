import { isJson, type Json, sameJson } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { immutable } from '../strategies/validation.ts';
import { configKeyCauses, isUnset, requiredCauses, when } from './formats.ts';

const mostBytes = 1024 * 1024;
const fixed = 'field is immutable when `immutable` is set';

type Data = StoredObject & { readonly data?: unknown; readonly binaryData?: unknown; readonly immutable?: unknown };

/** core/v1 ConfigMap (kubernetes, pkg/apis/core/validation, ValidateConfigMap). */
export function configMapCauses(object: StoredObject, before: StoredObject | undefined): readonly FieldCause[] {
  const [data, binary] = [membersOf((object as Data).data), membersOf((object as Data).binaryData)];
  const bytes = [...Object.values(data), ...Object.values(binary)].reduce(
    (sum: number, text) => sum + String(text).length,
    0,
  );
  const again = 'duplicate of key present in binaryData';
  return [
    ...fixedCauses(object, before, ['data', 'binaryData']),
    ...Object.keys(data).flatMap((key) => [
      ...configKeyCauses(`data[${key}]`, key),
      ...when(Object.hasOwn(binary, key), fieldCauses.invalid(`data[${key}]`, key, again)),
    ]),
    ...Object.keys(binary).flatMap((key) => configKeyCauses(`binaryData[${key}]`, key)),
    ...when(bytes > mostBytes, fieldCauses.tooLong('', mostBytes)),
  ];
}

/** core/v1 Secret (ValidateSecret). */
export function secretCauses(object: StoredObject, before: StoredObject | undefined): readonly FieldCause[] {
  const data = membersOf((object as Data).data);
  const { type } = object as { readonly type?: unknown };
  const bytes = Object.values(data).reduce((sum: number, text) => sum + (String(text).length * 3) / 4, 0);
  const old = before as { readonly type?: unknown } | undefined;
  return [
    ...(old === undefined ? [] : immutable('type', type, old.type)),
    ...fixedCauses(object, before, ['data']),
    ...Object.keys(data).flatMap((key) => configKeyCauses(`data[${key}]`, key)),
    ...when(bytes > mostBytes, fieldCauses.tooLong('data', mostBytes)),
    ...(contents.get(String(type))?.(data, object) ?? []),
  ];
}

function fixedCauses(
  object: Data,
  before: Data | undefined,
  keys: readonly ('data' | 'binaryData')[],
): readonly FieldCause[] {
  if (before?.immutable !== true) return [];
  return [
    ...when(object.immutable !== true, fieldCauses.forbidden('immutable', fixed)),
    ...keys.flatMap((key) => when(!sameJson(object[key], before[key]), fieldCauses.forbidden(key, fixed))),
  ];
}

type Content = (data: Json, object: StoredObject) => readonly FieldCause[];

/** What a Secret of a type has to contain. A Map, because anybody may name a type `constructor`. */
const contents: ReadonlyMap<string, Content> = new Map(
  Object.entries<Content>({
    'kubernetes.io/service-account-token': (_, { metadata }) => {
      const key = 'kubernetes.io/service-account.name';
      return requiredCauses(`metadata.annotations[${key}]`, metadata.annotations?.[key]);
    },
    'kubernetes.io/dockercfg': (data) => jsonCauses(data, '.dockercfg'),
    'kubernetes.io/dockerconfigjson': (data) => jsonCauses(data, '.dockerconfigjson'),
    'kubernetes.io/basic-auth': (data) =>
      data.username === undefined && data.password === undefined
        ? [...missing(data, 'username'), ...missing(data, 'password')]
        : [],
    'kubernetes.io/ssh-auth': (data) =>
      when(isUnset(data['ssh-privatekey']), fieldCauses.required('data[ssh-privatekey]')),
    'kubernetes.io/tls': (data) => [...missing(data, 'tls.crt'), ...missing(data, 'tls.key')],
  }),
);

const missing = (data: Json, key: string): readonly FieldCause[] =>
  when(data[key] === undefined, fieldCauses.required(`data[${key}]`));

function jsonCauses(data: Json, key: string): readonly FieldCause[] {
  if (data[key] === undefined) return missing(data, key);
  const fault = jsonFault(atob(String(data[key])));
  return fault === undefined ? [] : [fieldCauses.invalid(`data[${key}]`, '<secret contents redacted>', fault)];
}

const membersOf = (value: unknown): Json => (isJson(value) ? value : {});

const literals = ['null', 'true', 'false'];

/** Why the text is no JSON object, in the words of Go's encoding/json; undefined if it is one. */
function jsonFault(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) || value === null
      ? undefined
      : `json: cannot unmarshal ${goKind(value)} into Go value of type map[string]interface {}`;
  } catch {
    return syntaxFault(text.trimStart());
  }
}

function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function syntaxFault(text: string): string {
  if (text === '') return 'unexpected end of JSON input';
  const literal = literals.find((one) => one[0] === text[0]);
  if (literal === undefined) return `invalid character '${text[0]}' looking for beginning of value`;
  const at = [...literal].findIndex((letter, index) => text[index] !== letter);
  if (text[at] === undefined) return 'unexpected end of JSON input';
  return `invalid character '${text[at]}' in literal ${literal} (expecting '${literal[at]}')`;
}
