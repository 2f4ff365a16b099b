import table from '../objects/go-messages.json' with { type: 'json' };
import { converted } from './protobuf-scalars.ts';
import { bytesOf, type Field, fieldOf, fieldsOf, textOf, Unreadable } from './protobuf-wire.ts';

/**
 * Converts an object in Kubernetes' protobuf format (`application/vnd.kubernetes.protobuf`: four bytes and a
 * `runtime.Unknown`) to JSON. Undefined for a kind or a field that is not in the table, so that nothing is lost. The
 * table has the numbers, names and types of the fields of k8s.io/api 0.34.4, in the order of its structs.
 */
export function jsonOfProtobuf(bytes: Uint8Array): string | undefined {
  try {
    if (Buffer.from(bytes.subarray(0, magic.length)).compare(magic) !== 0) return undefined;
    const envelope = bytes.subarray(magic.length);
    const typeMeta = bytesOf(fieldOf(envelope, 1));
    const [apiVersion, kind] = [1, 2].map((number) => textOf(fieldOf(typeMeta, number) ?? missing()));
    const message = (table.kinds as Readonly<Record<string, string>>)[`${apiVersion} ${kind}`];
    if (message === undefined) return undefined;
    return JSON.stringify({ apiVersion, kind, ...read(bytesOf(fieldOf(envelope, 2)), message) });
  } catch (error) {
    if (error instanceof Unreadable || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const magic = Buffer.from('k8s\0');

function missing(): never {
  throw new Unreadable();
}

/** A field of a message as the table has it: `3 replicas? i`. */
interface Known {
  /** Of a member that is a part of the message itself: `.`. */
  readonly name: string;
  /** Whether JSON leaves out its zero value. */
  readonly omitsZero: boolean;
  /** A scalar, another message, `[]` and the type of the items, or `{}` and that of the values of a map of text. */
  readonly type: string;
}

const knownFields = new Map<string, ReadonlyMap<number, Known>>();

function fieldsKnownOf(message: string): ReadonlyMap<number, Known> {
  const known = knownFields.get(message);
  if (known !== undefined) return known;
  const rows = (table.messages as Readonly<Record<string, string>>)[message]?.split('; ').filter(Boolean) ?? missing();
  const fields = new Map(rows.map(knownOf));
  knownFields.set(message, fields);
  return fields;
}

function knownOf(row: string): readonly [number, Known] {
  const [number, name = '', type = ''] = row.split(' ');
  return [Number(number), { name: name.replace('?', ''), omitsZero: name.endsWith('?'), type }];
}

/** Clients in Go write every field that is no pointer, with its zero value where it is not set. */
function read(bytes: Uint8Array, message: string): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  const known = fieldsKnownOf(message);
  for (const field of fieldsOf(bytes)) {
    const one = known.get(field.number);
    if (one !== undefined) setMember(object, one, field);
    else if (!isUnset(field)) throw new Unreadable();
  }
  return object;
}

function setMember(object: Record<string, unknown>, { name, omitsZero, type }: Known, field: Field): void {
  if (name === '.') Object.assign(object, read(bytesOf(field), type));
  else if (type.startsWith('[]'))
    object[name] = [...((object[name] ?? []) as readonly unknown[]), valueFrom(type.slice(2), field)];
  else if (type.startsWith('{}')) object[name] = { ...(object[name] as object), ...entryOf(type.slice(2), field) };
  else {
    const value = valueFrom(type, field);
    if (value !== undefined && !(omitsZero && isZero(value))) object[name] = value;
  }
}

function entryOf(type: string, field: Field): Readonly<Record<string, unknown>> {
  const [key, value] = [1, 2].map((number) => fieldOf(bytesOf(field), number));
  return { [key === undefined ? '' : textOf(key)]: value === undefined ? '' : valueFrom(type, value) };
}

/** Undefined for a time that is not set. */
function valueFrom(type: string, field: Field): unknown {
  return type.includes('.') ? read(bytesOf(field), type) : converted(type, field);
}

function isZero(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === '' || value === 0 || value === false;
}

/** Whether a field that is not in the table has its zero value, or is a message of such fields only. */
function isUnset(field: Field): boolean {
  const { value } = field;
  return value === 0 || (value instanceof Uint8Array && fieldsOf(value).every(isUnset));
}
