import { readName } from '../../host/dns-message.ts';

/**
 * The types and classes that are needed here (RFC 1035, section 3.2; RFC 3596; RFC 2136, section 2; RFC 8945, section
 * 4.2).
 */
export const types = { A: 1, NS: 2, CNAME: 5, SOA: 6, TXT: 16, AAAA: 28, TSIG: 250, ANY: 255 } as const;
export const classes = { IN: 1, NONE: 254, ANY: 255 } as const;
/** RFC 1035, section 4.1.1, and RFC 2136, section 2.2. */
export const opcodes = { query: 0, update: 5 } as const;

const headerBytes = 12;
const recordHeaderBytes = 10;

/**
 * A resource record. Names in `data` are not compressed if the record was read by `readMessage` and has one of the
 * types above.
 */
export interface WireRecord {
  readonly name: string;
  readonly type: number;
  readonly class: number;
  readonly ttlSeconds: number;
  readonly data: Buffer;
}

/**
 * A message before it is signed: the four sections are those of a query, or zone, prerequisites, updates and additional
 * data (RFC 2136, section 2).
 */
export interface Request {
  readonly id: number;
  readonly opcode: number;
  readonly question: { readonly name: string; readonly type: number };
  readonly prerequisites?: readonly WireRecord[];
  readonly updates?: readonly WireRecord[];
}

export function encodeRequest({ id, opcode, question, prerequisites = [], updates = [] }: Request): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt16BE(id, 0);
  header.writeUInt16BE(opcode << 11, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(prerequisites.length, 6);
  header.writeUInt16BE(updates.length, 8);
  const asked = Buffer.concat([encodeName(question.name), uint16(question.type), uint16(classes.IN)]);
  return Buffer.concat([header, asked, ...[...prerequisites, ...updates].map(encodeRecord)]);
}

export function encodeRecord({ name, type, class: among, ttlSeconds, data }: WireRecord): Buffer {
  const ttl = Buffer.alloc(4);
  ttl.writeUInt32BE(ttlSeconds);
  return Buffer.concat([encodeName(name), uint16(type), uint16(among), ttl, uint16(data.length), data]);
}

/** RFC 1035, section 3.1. */
export function encodeName(name: string): Buffer {
  const labels = name.split('.').filter((label) => label !== '');
  return Buffer.concat([
    ...labels.map((label) => Buffer.concat([Buffer.from([Buffer.byteLength(label)]), Buffer.from(label)])),
    Buffer.from([0]),
  ]);
}

export function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

export interface Message {
  readonly id: number;
  readonly code: number;
  /** Whether the server is an authority for the name (RFC 1035, section 4.1.1). */
  readonly authoritative: boolean;
  readonly answers: readonly WireRecord[];
  /** The signature, if the last record of the additional data is one, and where it begins. */
  readonly tsig?: { readonly record: WireRecord; readonly at: number };
}

/** Throws a `RangeError` if the bytes are not a whole message. */
export function readMessage(bytes: Buffer): Message {
  const flags = bytes.readUInt16BE(2);
  const count = (at: number) => bytes.readUInt16BE(at);
  let at = headerBytes;
  for (let left = count(4); left > 0; left--) at = readName(bytes, at).next + 4;
  const section = (length: number): { readonly record: WireRecord; readonly at: number }[] =>
    Array.from({ length }, () => {
      const start = at;
      const { record, next } = readRecord(bytes, start);
      at = next;
      return { record, at: start };
    });
  const answers = section(count(6)).map(({ record }) => record);
  section(count(8));
  const last = section(count(10)).at(-1);
  const code = flags & 0x000f;
  const message = { id: bytes.readUInt16BE(0), code, authoritative: (flags & 0x0400) !== 0, answers };
  return last?.record.type === types.TSIG ? { ...message, tsig: last } : message;
}

function readRecord(bytes: Buffer, start: number): { readonly record: WireRecord; readonly next: number } {
  const { name, next: at } = readName(bytes, start);
  const type = bytes.readUInt16BE(at);
  const from = at + recordHeaderBytes;
  const next = from + bytes.readUInt16BE(at + 8);
  if (next > bytes.length) throw new RangeError('the record is longer than the message');
  const data = wholeData(bytes, type, from, next);
  return {
    record: { name, type, class: bytes.readUInt16BE(at + 2), ttlSeconds: bytes.readUInt32BE(at + 4), data },
    next,
  };
}

/** RFC 3597, section 4: the names in the data of these types may be compressed. */
function wholeData(bytes: Buffer, type: number, from: number, to: number): Buffer {
  if (type === types.CNAME || type === types.NS) return encodeName(readName(bytes, from).name);
  if (type !== types.SOA) return Buffer.from(bytes.subarray(from, to));
  const primary = readName(bytes, from);
  const mailbox = readName(bytes, primary.next);
  return Buffer.concat([encodeName(primary.name), encodeName(mailbox.name), bytes.subarray(mailbox.next, to)]);
}
