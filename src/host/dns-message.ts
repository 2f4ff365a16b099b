import type { DnsAnswer, RecordType } from './host.ts';

/** RFC 1035, section 3.2.2, and RFC 3596. */
export const recordTypes: Readonly<Record<RecordType, number>> = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 };
const headerBytes = 12;
const recursionDesired = 0x0100;
const recursionAvailable = 0x0080;
const truncatedFlag = 0x0200;
const internetClass = 1;

/** The bytes of a query (RFC 1035, section 4). */
export function encodeQuery(id: number, name: string, type: RecordType): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt16BE(id, 0);
  header.writeUInt16BE(recursionDesired, 2);
  header.writeUInt16BE(1, 4);
  const labels = name.split('.').filter((label) => label !== '');
  const question = labels.flatMap((label) => [Buffer.from([Buffer.byteLength(label)]), Buffer.from(label)]);
  return Buffer.concat([header, ...question, Buffer.from([0, 0, recordTypes[type], 0, internetClass])]);
}

export interface DnsMessage extends DnsAnswer {
  readonly id: number;
  readonly truncated: boolean;
  /** As it was sent. */
  readonly rcode: number;
}

/** Parses the response to a query of that type; undefined if the bytes are not a complete DNS response. */
export function decodeAnswer(bytes: Buffer, type: RecordType): DnsMessage | undefined {
  try {
    return decode(bytes, type);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function decode(bytes: Buffer, type: RecordType): DnsMessage {
  const flags = bytes.readUInt16BE(2);
  let at = headerBytes;
  for (let left = bytes.readUInt16BE(4); left > 0; left--) at = readName(bytes, at).next + 4;
  const records: DnsAnswer['records'][number][] = [];
  for (let left = bytes.readUInt16BE(6); left > 0; left--) {
    const { next, ...found } = readRecord(bytes, at);
    at = next;
    if (found.record !== undefined) records.push(found.record);
  }
  // A server that does not recurse answers with the alias alone.
  const wanted = (flags & recursionAvailable) === 0 ? [type, 'CNAME'] : [type];
  const code = codeOf(
    flags & 0x000f,
    records.some((record) => wanted.includes(record.type)),
  );
  const truncated = (flags & truncatedFlag) !== 0;
  return { id: bytes.readUInt16BE(0), truncated, rcode: flags & 0x000f, code, records };
}

function codeOf(code: number, found: boolean): DnsAnswer['code'] {
  if (code === 0) return found ? 'NOERROR' : 'NODATA';
  return code === 3 ? 'NXDOMAIN' : 'SERVFAIL';
}

function readRecord(
  bytes: Buffer,
  start: number,
): { readonly next: number; readonly record?: DnsAnswer['records'][number] } {
  const at = readName(bytes, start).next;
  const type = (Object.keys(recordTypes) as RecordType[]).find((name) => recordTypes[name] === bytes.readUInt16BE(at));
  const ttlSeconds = bytes.readUInt32BE(at + 4);
  const [from, length] = [at + 10, bytes.readUInt16BE(at + 8)];
  if (from + length > bytes.length) throw new RangeError('the record is longer than the message');
  const next = from + length;
  return type === undefined
    ? { next }
    : { next, record: { type, value: readValue(bytes, type, from, next), ttlSeconds } };
}

/** The text of a record's data: an address, a name, or the strings of a TXT joined. */
export function readValue(bytes: Buffer, type: RecordType, from: number, to: number): string {
  const value = bytes.subarray(from, to);
  if (type === 'A') return value.join('.');
  if (type === 'AAAA') return ipv6(value);
  if (type === 'CNAME') return readName(bytes, from).name;
  const texts: string[] = [];
  for (let at = 0; at < value.length; at += 1 + value.readUInt8(at))
    texts.push(value.toString('utf8', at + 1, at + 1 + value.readUInt8(at)));
  return texts.join('');
}

/** In the notation of RFC 5952, which the URL parser produces. */
function ipv6(value: Buffer): string {
  const groups = [0, 2, 4, 6, 8, 10, 12, 14].map((at) => value.readUInt16BE(at).toString(16));
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

/**
 * RFC 1035, section 4.1.4: a pointer continues the name elsewhere in the message, always before the part of it that it
 * ends.
 */
export function readName(bytes: Buffer, start: number): { readonly name: string; readonly next: number } {
  const labels: string[] = [];
  let next: number | undefined;
  let at = start;
  let part = start;
  for (let length = bytes.readUInt8(at); length !== 0; length = bytes.readUInt8(at)) {
    if (length < 0xc0) {
      labels.push(bytes.toString('utf8', at + 1, at + 1 + length));
      at += 1 + length;
      continue;
    }
    const target = bytes.readUInt16BE(at) & 0x3fff;
    if (target >= part) throw new RangeError('a pointer does not lead back');
    next ??= at + 2;
    at = part = target;
  }
  return { name: labels.join('.'), next: next ?? at + 1 };
}
