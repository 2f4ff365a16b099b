import type { DnsAnswer, RecordType } from '../outside/dns.ts';
import type { World } from '../world/world.ts';

/** RFC 1035, section 3.2.2, and RFC 3596. */
const recordTypes: Readonly<Record<RecordType, number>> = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 };

/** The question of a query. */
export interface Question {
  readonly id: number;
  /** In lower case. */
  readonly name: string;
  /** Undefined for a record type that the embedded cluster does not have. */
  readonly type: RecordType | undefined;
  /** The question section as received, in its own case: the response repeats it. */
  readonly bytes: Buffer;
  readonly wantsRecursion: boolean;
}

/** The header and its flags (RFC 1035, 4.1.1). */
const headerBytes = 12;
const flag = {
  response: 0x8000,
  authoritative: 0x0400,
  truncated: 0x0200,
  recursionDesired: 0x0100,
  recursionAvailable: 0x0080,
} as const;
/** RFC 1035, 3.2.4: the class IN. */
const internetClass = 1;

/** The question of a query; undefined if the bytes are no query with one question. */
export function decodeQuestion(message: Buffer): Question | undefined {
  try {
    const flags = message.readUInt16BE(2);
    if ((flags & flag.response) !== 0 || message.readUInt16BE(4) !== 1) return undefined;
    const { name, next } = readName(message, headerBytes);
    const number = message.readUInt16BE(next);
    message.readUInt16BE(next + 2);
    return {
      id: message.readUInt16BE(0),
      name: name.toLowerCase(),
      type: (Object.keys(recordTypes) as RecordType[]).find((type) => recordTypes[type] === number),
      bytes: message.subarray(headerBytes, next + 4),
      wantsRecursion: (flags & flag.recursionDesired) !== 0,
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The name of a question, which has nothing before it that a pointer could lead back to (RFC 1035, 4.1.4). */
function readName(bytes: Buffer, start: number): { readonly name: string; readonly next: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = bytes.readUInt8(at); length !== 0; length = bytes.readUInt8(at)) {
    if (length >= 0xc0) throw new RangeError('a question has no pointer');
    labels.push(bytes.toString('utf8', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), next: at + 1 };
}

/** RCODE (RFC 1035, 4.1.1). NODATA is NOERROR without records (RFC 2308, 2.2). */
const responseCodes = { NOERROR: 0, NODATA: 0, SERVFAIL: 2, TIMEOUT: 2, NXDOMAIN: 3 } as const;

/** A zone, and the DNS name of its authoritative server. */
export interface Authority {
  readonly zone: Pick<World['zone'], 'name' | 'negativeTtlSeconds' | 'startOfAuthority'>;
  readonly server: string;
}
export interface EncodeOptions {
  /** A longer response is truncated: it has the flag TC and no records. */
  readonly maximumBytes: number;
  /**
   * For an authoritative response: flag AA, and a negative one has the SOA record of the zone (RFC 2308, section 3).
   */
  readonly authority?: Authority | undefined;
}

/** The response to a question as a DNS message. */
export function encodeAnswer(
  question: Question,
  { code, records }: DnsAnswer,
  { maximumBytes, authority }: EncodeOptions,
): Buffer {
  const answers = records.map(({ type, value, ttlSeconds }, index) => {
    // The records after a CNAME belong to the name that it points to.
    const alias = records.slice(0, index).findLast((earlier) => earlier.type === 'CNAME');
    return record(alias?.value ?? question.name, recordTypes[type], ttlSeconds, contents(type, value));
  });
  const isNegative = code === 'NXDOMAIN' || code === 'NODATA';
  const authorities = authority !== undefined && isNegative ? [startOfAuthority(authority)] : [];
  // An authoritative server offers no recursion, even if it is desired.
  const flags = responseCodes[code] | (authority === undefined ? flag.recursionAvailable : flag.authoritative);
  const whole = message(question, flags, answers, authorities);
  return whole.length <= maximumBytes ? whole : message(question, flags | flag.truncated, [], []);
}

function message(
  question: Question,
  flags: number,
  answers: readonly Buffer[],
  authorities: readonly Buffer[],
): Buffer {
  const header = Buffer.alloc(headerBytes);
  const recursion = question.wantsRecursion ? flag.recursionDesired : 0;
  header.writeUInt16BE(question.id, 0);
  header.writeUInt16BE(flag.response | recursion | flags, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  header.writeUInt16BE(authorities.length, 8);
  return Buffer.concat([header, question.bytes, ...answers, ...authorities]);
}

/** RFC 1035, 3.2.2. */
const soaType = 6;

/** The SOA record of the zone (RFC 1035, 3.3.13). Its TTL is at most the negative TTL (RFC 2308, section 3). */
function startOfAuthority({ zone, server }: Authority): Buffer {
  const { mailbox, serial, refreshSeconds, retrySeconds, expireSeconds, ttlSeconds } = zone.startOfAuthority;
  const numbers = Buffer.alloc(20);
  for (const [index, number] of [
    serial,
    refreshSeconds,
    retrySeconds,
    expireSeconds,
    zone.negativeTtlSeconds,
  ].entries())
    numbers.writeUInt32BE(number, 4 * index);
  const value = Buffer.concat([nameBytes(server), nameBytes(mailbox), numbers]);
  return record(zone.name, soaType, Math.min(ttlSeconds, zone.negativeTtlSeconds), value);
}

function record(name: string, type: number, ttlSeconds: number, value: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(internetClass, 2);
  fixed.writeUInt32BE(Math.max(0, Math.floor(ttlSeconds)), 4);
  fixed.writeUInt16BE(value.length, 8);
  return Buffer.concat([nameBytes(name), fixed, value]);
}

function contents(type: RecordType, value: string): Buffer {
  if (type === 'A') return Buffer.from(value.split('.').map(Number));
  if (type === 'CNAME') return nameBytes(value);
  if (type === 'TXT') return Buffer.concat(characterStrings(Buffer.from(value.replaceAll(/^"|"$/g, ''))));
  return ipv6Bytes(value);
}

/** Character strings of at most 255 bytes, each with its length before it (RFC 1035, 3.3). */
function characterStrings(bytes: Buffer): readonly Buffer[] {
  const count = Math.max(1, Math.ceil(bytes.length / 255));
  return Array.from({ length: count }, (_, index) => withLength(bytes.subarray(255 * index, 255 * (index + 1))));
}

function nameBytes(name: string): Buffer {
  const labels = name.split('.').filter((label) => label !== '');
  return Buffer.concat([...labels.map((label) => withLength(Buffer.from(label))), Buffer.from([0])]);
}

const withLength = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([bytes.length]), bytes]);

/** An IPv6 address; `::` stands for the missing groups of zeros (RFC 4291, 2.2). */
function ipv6Bytes(address: string): Buffer {
  const [before = '', after = ''] = address.split('::');
  const [left, right] = [before, after].map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - (left?.length ?? 0) - (right?.length ?? 0) }, () => '0');
  const bytes = Buffer.alloc(16);
  [...(left ?? []), ...zeros, ...(right ?? [])].forEach((group, index) => {
    bytes.writeUInt16BE(Number.parseInt(group, 16), 2 * index);
  });
  return bytes;
}
