import { readName, TYPES } from '../../host/dns-message.ts';
import type { DnsAnswer, RecordType } from '../../host/host.ts';

/** What a resolver was asked. */
export interface Question {
  readonly id: number;
  /** In lower case. */
  readonly name: string;
  /** Undefined for a type that the embedded cluster has no records of. */
  readonly type: RecordType | undefined;
  /** As it was sent, in its own case: it is sent back. */
  readonly bytes: Buffer;
  readonly wantsRecursion: boolean;
}

/** RFC 1035, 4.1.1. */
const headerBytes = 12;
const flag = {
  response: 0x8000,
  authoritative: 0x0400,
  truncated: 0x0200,
  recursionDesired: 0x0100,
  recursionAvailable: 0x0080,
} as const;
const internet = 1;

/** The first question of a query; undefined when the bytes are none. */
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
      type: (Object.keys(TYPES) as RecordType[]).find((type) => TYPES[type] === number),
      bytes: message.subarray(headerBytes, next + 4),
      wantsRecursion: (flags & flag.recursionDesired) !== 0,
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** RFC 1035, 4.1.1; no error and no records is "no data" (RFC 2308, 2.2). */
const responseCodes = { NOERROR: 0, NODATA: 0, SERVFAIL: 2, TIMEOUT: 2, NXDOMAIN: 3 } as const;

/** A zone, and the name of the server that answers for it. */
export interface Authority {
  readonly zone: string;
  readonly server: string;
  readonly negativeTtlSeconds: number;
}
export interface EncodeOptions {
  /** A longer message says only that it is truncated. */
  readonly longestBytes: number;
  /** With it the answer is the zone's own, and "there is none" says how long that may be kept (RFC 2308, section 3). */
  readonly authority?: Authority | undefined;
}

/** The answer as a message. */
export function encodeAnswer(
  question: Question,
  { code, records }: DnsAnswer,
  { longestBytes, authority }: EncodeOptions,
): Buffer {
  const answers = records.map(({ type, value, ttlSeconds }, index) => {
    // An alias leads to the name that the records after it are of.
    const alias = records.slice(0, index).findLast((earlier) => earlier.type === 'CNAME');
    return record(alias?.value ?? question.name, TYPES[type], ttlSeconds, contents(type, value));
  });
  const isNegative = code === 'NXDOMAIN' || code === 'NODATA';
  const authorities = authority !== undefined && isNegative ? [startOfAuthority(authority)] : [];
  // Who answers for a zone does not recurse, whatever is wished.
  const flags = responseCodes[code] | (authority === undefined ? flag.recursionAvailable : flag.authoritative);
  const whole = message(question, flags, answers, authorities);
  return whole.length <= longestBytes ? whole : message(question, flags | flag.truncated, [], []);
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

/** RFC 1035, 3.3.13. */
const soaType = 6;

/** With Route 53's own numbers (facts 4.0): serial, refresh, retry and expire. */
function startOfAuthority({ zone, server, negativeTtlSeconds }: Authority): Buffer {
  const numbers = Buffer.alloc(20);
  for (const [index, number] of [1, 7200, 900, 1_209_600, negativeTtlSeconds].entries())
    numbers.writeUInt32BE(number, 4 * index);
  const value = Buffer.concat([nameBytes(server), nameBytes('awsdns-hostmaster.amazon.com'), numbers]);
  return record(zone, soaType, Math.min(900, negativeTtlSeconds), value);
}

function record(name: string, type: number, ttlSeconds: number, value: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(internet, 2);
  fixed.writeUInt32BE(Math.max(0, Math.floor(ttlSeconds)), 4);
  fixed.writeUInt16BE(value.length, 8);
  return Buffer.concat([nameBytes(name), fixed, value]);
}

function contents(type: RecordType, value: string): Buffer {
  if (type === 'A') return Buffer.from(value.split('.').map(Number));
  if (type === 'CNAME') return nameBytes(value);
  if (type === 'TXT') return Buffer.concat(pieces(Buffer.from(value.replaceAll(/^"|"$/g, ''))));
  return groups(value);
}

/** RFC 1035, 3.3: strings of at most 255 bytes, each with its length before it. */
function pieces(bytes: Buffer): readonly Buffer[] {
  const count = Math.max(1, Math.ceil(bytes.length / 255));
  return Array.from({ length: count }, (_, index) => withLength(bytes.subarray(255 * index, 255 * (index + 1))));
}

function nameBytes(name: string): Buffer {
  const labels = name.split('.').filter((label) => label !== '');
  return Buffer.concat([...labels.map((label) => withLength(Buffer.from(label))), Buffer.from([0])]);
}

const withLength = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([bytes.length]), bytes]);

/** RFC 4291, 2.2: `::` stands for as many groups of zeros as are missing. */
function groups(address: string): Buffer {
  const [before = '', after = ''] = address.split('::');
  const [left, right] = [before, after].map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - (left?.length ?? 0) - (right?.length ?? 0) }, () => '0');
  const bytes = Buffer.alloc(16);
  [...(left ?? []), ...zeros, ...(right ?? [])].forEach((group, index) => {
    bytes.writeUInt16BE(Number.parseInt(group, 16), 2 * index);
  });
  return bytes;
}
