/** The type of a field: text, a number, a map of text, or another message; in brackets if it is repeated. */
type FieldType = Single | 'map' | readonly [Single];
type Single = 'text' | 'number' | Message;
interface Message {
  readonly [number: number]: readonly [name: string, type: FieldType];
}

const metadata: Message = {
  1: ['name', 'text'],
  2: ['generateName', 'text'],
  3: ['namespace', 'text'],
  11: ['labels', 'map'],
  12: ['annotations', 'map'],
};
const resourceAttributes: Message = {
  1: ['namespace', 'text'],
  2: ['verb', 'text'],
  3: ['group', 'text'],
  4: ['version', 'text'],
  5: ['resource', 'text'],
  6: ['subresource', 'text'],
  7: ['name', 'text'],
};
const accessReview: Message = {
  1: ['resourceAttributes', resourceAttributes],
  2: ['nonResourceAttributes', { 1: ['path', 'text'], 2: ['verb', 'text'] }],
};
const container: Message = {
  1: ['name', 'text'],
  2: ['image', 'text'],
  3: ['command', ['text']],
  4: ['args', ['text']],
  6: ['ports', [{ 1: ['name', 'text'], 3: ['containerPort', 'number'], 4: ['protocol', 'text'] }]],
};
const deployment: Message = {
  1: ['replicas', 'number'],
  2: ['selector', { 1: ['matchLabels', 'map'] }],
  3: ['template', { 1: ['metadata', metadata], 2: ['spec', { 2: ['containers', [container]] }] }],
};

/** The `spec` of each kind that `kubectl create` and `kubectl auth can-i` send (generated.proto of Kubernetes 1.34). */
const specs: Readonly<Record<string, Message>> = {
  'v1 Namespace': {},
  'apps/v1 Deployment': deployment,
  'authorization.k8s.io/v1 SelfSubjectAccessReview': accessReview,
};

/**
 * Converts an object in Kubernetes' protobuf format (`application/vnd.kubernetes.protobuf`: four bytes and a `runtime.Unknown`) to
 * JSON. Undefined for a kind or a field that is not known here, so that nothing is lost.
 */
export function jsonOfProtobuf(bytes: Uint8Array): string | undefined {
  try {
    if (Buffer.from(bytes.subarray(0, magic.length)).compare(magic) !== 0) return undefined;
    const envelope = fieldsOf(bytes.subarray(magic.length));
    const [typeMeta, raw] = [envelope.find(({ number }) => number === 1), envelope.find(({ number }) => number === 2)];
    const { apiVersion, kind } = read(bytesOf(typeMeta), { 1: ['apiVersion', 'text'], 2: ['kind', 'text'] });
    const spec = specs[`${apiVersion} ${kind}`];
    if (spec === undefined) return undefined;
    return JSON.stringify({
      apiVersion,
      kind,
      ...read(bytesOf(raw), { 1: ['metadata', metadata], 2: ['spec', spec] }),
    });
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

const magic = Buffer.from('k8s\0');

/** The bytes cannot be converted; the API server then refuses them with 415. */
class Unreadable extends Error {}

interface Field {
  readonly number: number;
  readonly value: number | Uint8Array;
}

/** The wire format (protobuf.dev, "Encoding"): varints and length-delimited fields; Kubernetes' objects use no others. */
function fieldsOf(bytes: Uint8Array): readonly Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++];
      if (byte === undefined || factor > Number.MAX_SAFE_INTEGER / 256) throw new Unreadable();
      value += (byte & 0x7f) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const number = Math.floor(tag / 8);
    if (tag % 8 === 0) fields.push({ number, value: varint() });
    else if (tag % 8 === 2) {
      const end = varint() + at;
      if (end > bytes.length) throw new Unreadable();
      fields.push({ number, value: bytes.subarray(at, end) });
      at = end;
    } else throw new Unreadable();
  }
  return fields;
}

/** Empty fields are ignored: clients in Go write every unset string as an empty field. */
function read(bytes: Uint8Array, message: Message): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const field of fieldsOf(bytes)) {
    const known = message[field.number];
    if (known !== undefined) setField(object, known, field);
    else if (!isUnset(field)) throw new Unreadable();
  }
  return object;
}

const isEmpty = ({ value }: Field): boolean => value instanceof Uint8Array && value.length === 0;

/** Whether the field has its default value, or is a message of such fields only. */
function isUnset(field: Field): boolean {
  const { value } = field;
  return value === 0 || isEmpty(field) || (value instanceof Uint8Array && fieldsOf(value).every(isUnset));
}

function setField(object: Record<string, unknown>, [name, type]: Message[number], field: Field): void {
  if (isEmpty(field) && !isRepeated(type)) return;
  if (type === 'map') {
    const { key, value = '' } = read(bytesOf(field), { 1: ['key', 'text'], 2: ['value', 'text'] });
    object[name] = { ...(object[name] as object), [String(key)]: value };
  } else if (isRepeated(type)) object[name] = [...((object[name] ?? []) as readonly unknown[]), single(type[0], field)];
  else object[name] = single(type, field);
}

const isRepeated = (type: FieldType): type is readonly [Single] => Array.isArray(type);

function single(type: Single, field: Field): unknown {
  if (type === 'number' && typeof field.value === 'number') return field.value;
  return type === 'text' ? Buffer.from(bytesOf(field)).toString('utf8') : read(bytesOf(field), messageOf(type));
}

function messageOf(type: Single): Message {
  if (typeof type === 'object') return type;
  throw new Unreadable();
}

function bytesOf(field: Field | undefined): Uint8Array {
  if (field?.value instanceof Uint8Array) return field.value;
  throw new Unreadable();
}
