/** How a field of a message is read: a word, a number, words by name, another message; in brackets where there may be several. */
type Reading = One | 'map' | readonly [One];
type One = 'text' | 'number' | Message;
interface Message {
  readonly [number: number]: readonly [name: string, reading: Reading];
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

/** Of each kind that kubectl's own `create` and `auth can-i` send: its `spec` (the API's generated.proto of Kubernetes 1.34). */
const specs: Readonly<Record<string, Message>> = {
  'v1 Namespace': {},
  'apps/v1 Deployment': deployment,
  'authorization.k8s.io/v1 SelfSubjectAccessReview': accessReview,
};

/**
 * Pure. An object as the API's clients write it in protobuf (`application/vnd.kubernetes.protobuf`: four bytes and a `runtime.Unknown`), as
 * the same object in JSON; undefined for what is not known here, so that no word of it is lost.
 */
export function jsonOfProtobuf(bytes: Uint8Array): string | undefined {
  try {
    if (Buffer.from(bytes.subarray(0, magic.length)).compare(magic) !== 0) return undefined;
    const envelope = fieldsOf(bytes.subarray(magic.length));
    const [type, raw] = [envelope.find(({ number }) => number === 1), envelope.find(({ number }) => number === 2)];
    const { apiVersion, kind } = read(partOf(type), { 1: ['apiVersion', 'text'], 2: ['kind', 'text'] });
    const spec = specs[`${apiVersion} ${kind}`];
    if (spec === undefined) return undefined;
    return JSON.stringify({ apiVersion, kind, ...read(partOf(raw), { 1: ['metadata', metadata], 2: ['spec', spec] }) });
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

const magic = Buffer.from('k8s\0');

/** Not a mistake of this program: the caller answers 415. */
class Unreadable extends Error {}

interface Field {
  readonly number: number;
  readonly value: number | Uint8Array;
}

/** The wire format (protobuf.dev, "Encoding"): varints and what has a length, which is all that Kubernetes' objects use. */
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

/** What is empty says nothing: Go's clients write every word that is not set so. */
function read(bytes: Uint8Array, message: Message): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const field of fieldsOf(bytes)) {
    const known = message[field.number];
    if (known !== undefined) put(object, known, field);
    else if (!saysNothing(field)) throw new Unreadable();
  }
  return object;
}

const isEmpty = ({ value }: Field): boolean => value instanceof Uint8Array && value.length === 0;

/** Also a message of nothing but such parts. */
function saysNothing(field: Field): boolean {
  const { value } = field;
  return value === 0 || isEmpty(field) || (value instanceof Uint8Array && fieldsOf(value).every(saysNothing));
}

function put(object: Record<string, unknown>, [name, reading]: Message[number], field: Field): void {
  if (isEmpty(field) && !isSeveral(reading)) return;
  if (reading === 'map') {
    const { key, value = '' } = read(partOf(field), { 1: ['key', 'text'], 2: ['value', 'text'] });
    object[name] = { ...(object[name] as object), [String(key)]: value };
  } else if (isSeveral(reading))
    object[name] = [...((object[name] ?? []) as readonly unknown[]), one(reading[0], field)];
  else object[name] = one(reading, field);
}

const isSeveral = (reading: Reading): reading is readonly [One] => Array.isArray(reading);

function one(reading: One, field: Field): unknown {
  if (reading === 'number' && typeof field.value === 'number') return field.value;
  return reading === 'text' ? Buffer.from(partOf(field)).toString('utf8') : read(partOf(field), messageOf(reading));
}

function messageOf(reading: One): Message {
  if (typeof reading === 'object') return reading;
  throw new Unreadable();
}

function partOf(field: Field | undefined): Uint8Array {
  if (field?.value instanceof Uint8Array) return field.value;
  throw new Unreadable();
}
