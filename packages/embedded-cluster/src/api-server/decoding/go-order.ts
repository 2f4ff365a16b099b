import type { Patch } from '../../kubernetes/cluster.ts';
import table from '../../objects/go-messages.json' with { type: 'json' };
import { isJson, type Json } from '../../objects/json.ts';

/**
 * An object after a merge or JSON patch, with its members as a kube-apiserver writes them: where the patch has been,
 * and in maps and custom resources, by name; elsewhere in the order of Go's struct (apiserver,
 * pkg/endpoints/handlers/patch.go patches the encoded object).
 */
export function inGoOrder(patched: Json, { apiVersion, kind }: Typed, patch: Patch): Json {
  const message = (table.kinds as Readonly<Record<string, string>>)[`${apiVersion} ${kind}`];
  return written(patched, message ?? anything, touchedBy(patch)) as Json;
}

interface Typed {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * The type of values that no table describes: their members are written in the order of their names, at every level.
 */
const anything = '{}any';
/** The table's letter for a set of managed fields, which structured-merge-diff writes sorted. */
const fieldSet = 'f';

/** The objects that the patch changed, as nested objects; the object itself is always one of them. */
function touchedBy({ type, value }: Patch): Json {
  if (type !== 'json') return isJson(value) ? value : {};
  const touched: Json = {};
  for (const { path } of value) {
    let at: Json = touched;
    for (const part of path.split('/').slice(1, -1)) {
      const inside: Json = isJson(at[part]) ? (at[part] as Json) : {};
      (at as Record<string, unknown>)[part] = inside;
      at = inside;
    }
  }
  return touched;
}

function written(value: unknown, type: string, touched: unknown): unknown {
  if (type === fieldSet) return written(value, anything, undefined);
  const inside = isJson(touched) ? touched : undefined;
  if (Array.isArray(value)) return value.map((item, index) => written(item, itemType(type), inside?.[index]));
  if (!isJson(value)) return value;
  if (type.startsWith('{}')) return byName(value, (name) => written(value[name], valueType(type), inside?.[name]));
  if (!type.includes('.')) return value;
  const members = membersOf(type);
  const member = (name: string) => written(value[name], members.get(name) ?? anything, inside?.[name]);
  if (inside !== undefined) return byName(value, member);
  return Object.fromEntries(inOrder(value, members).map((name) => [name, member(name)]));
}

const byName = (value: Json, member: (name: string) => unknown): object =>
  Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((name) => [name, member(name)]),
  );

const itemType = (type: string): string => (type.startsWith('[]') ? type.slice(2) : type);

/** The values of a map of anything may be anything. */
const valueType = (type: string): string => (type === anything ? anything : type.slice(2));

/** Members that the table does not have, such as one that the patch has made, come last. */
function inOrder(value: Json, members: ReadonlyMap<string, string>): readonly string[] {
  const names = [...members.keys()].filter((name) => Object.hasOwn(value, name));
  return [...names, ...Object.keys(value).filter((name) => !members.has(name))];
}

/**
 * The types of the members of a message by name, in the order of the struct; those of a part of the message itself in
 * its place.
 */
function membersOf(message: string): ReadonlyMap<string, string> {
  const rows = (table.messages as Readonly<Record<string, string>>)[message]?.split('; ') ?? [];
  return new Map(
    rows.filter(Boolean).flatMap((row) => {
      const [, name = '', type = ''] = row.split(' ');
      return name.startsWith('.') ? [...membersOf(type)] : [[name.replace('?', ''), type] as const];
    }),
  );
}
