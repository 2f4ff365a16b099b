import { createHmac, timingSafeEqual } from 'node:crypto';
import { readName } from '../../host/dns-message.ts';
import { algorithms, type TsigKey } from './key-file.ts';
import { classes, encodeName, encodeRecord, readMessage, types, uint16, type WireRecord } from './message.ts';

/** RFC 8945, section 10: the value recommended for the clocks' difference. */
const fudgeSeconds = 300;
/** RFC 8945, section 5.3. */
const errors: Readonly<Record<number, string>> = {
  16: 'BADSIG: the secret of the key is another one there',
  17: 'BADKEY: it does not know the key',
  18: 'BADTIME: the clocks differ by more than 5 minutes',
  22: 'BADTRUNC: it wants a longer signature',
};

/**
 * The message with its signature, and the signature's code, which the response's signature covers (RFC 8945, section
 * 5.3).
 */
export function sign(
  message: Buffer,
  key: TsigKey,
  signedAt: number,
): { readonly bytes: Buffer; readonly mac: Buffer } {
  const variables = { signedAt, fudgeSeconds, error: 0, other: Buffer.alloc(0) };
  const mac = macOf(key, [message, signed(key, variables)]);
  const data = Buffer.concat([
    encodeName(key.algorithm),
    time(variables),
    uint16(mac.length),
    mac,
    message.subarray(0, 2),
    uint16(variables.error),
    uint16(0),
  ]);
  const record = { name: key.name, type: types.TSIG, class: classes.ANY, ttlSeconds: 0, data };
  const bytes = Buffer.concat([message, encodeRecord(record)]);
  bytes.writeUInt16BE(message.readUInt16BE(10) + 1, 10);
  return { bytes, mac };
}

/**
 * Why the response to a request with that code is not to be trusted; undefined if its signature is right (RFC 8945,
 * section 5.3.2).
 */
export function distrust(response: Buffer, key: TsigKey, requestMac: Buffer, now: number): string | undefined {
  const { tsig } = readMessage(response);
  if (tsig === undefined) return 'the response is not signed';
  const { mac, ...variables } = readTsig(tsig.record);
  if (errors[variables.error] !== undefined) return errors[variables.error];
  const unsigned = Buffer.from(response.subarray(0, tsig.at));
  unsigned.writeUInt16BE(unsigned.readUInt16BE(10) - 1, 10);
  const length = uint16(requestMac.length);
  const expected = macOf(key, [length, requestMac, unsigned, signed(key, variables)]);
  if (mac.length !== expected.length || !timingSafeEqual(mac, expected))
    return 'the signature of the response is wrong';
  if (Math.abs(now - variables.signedAt) > variables.fudgeSeconds) return errors[18];
  return undefined;
}

interface Variables {
  /** Seconds since 1970. */
  readonly signedAt: number;
  readonly fudgeSeconds: number;
  readonly error: number;
  readonly other: Buffer;
}

/** RFC 8945, section 4.3.3. */
const signed = (key: TsigKey, variables: Variables): Buffer =>
  Buffer.concat([
    encodeName(key.name),
    uint16(classes.ANY),
    Buffer.alloc(4),
    encodeName(key.algorithm),
    time(variables),
    uint16(variables.error),
    uint16(variables.other.length),
    variables.other,
  ]);

function macOf({ algorithm, secret }: TsigKey, parts: readonly Buffer[]): Buffer {
  return createHmac(algorithms[algorithm], secret).update(Buffer.concat(parts)).digest();
}

/** The time in 48 bits, and the fudge in 16. */
function time({ signedAt, fudgeSeconds: fudge }: Pick<Variables, 'signedAt' | 'fudgeSeconds'>): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUIntBE(signedAt, 0, 6);
  bytes.writeUInt16BE(fudge, 6);
  return bytes;
}

function readTsig({ data }: WireRecord): Variables & { readonly mac: Buffer } {
  const at = readName(data, 0).next;
  const macLength = data.readUInt16BE(at + 8);
  const after = at + 10 + macLength;
  return {
    signedAt: data.readUIntBE(at, 6),
    fudgeSeconds: data.readUInt16BE(at + 6),
    mac: data.subarray(at + 10, after),
    error: data.readUInt16BE(after + 2),
    other: data.subarray(after + 6, after + 6 + data.readUInt16BE(after + 4)),
  };
}
