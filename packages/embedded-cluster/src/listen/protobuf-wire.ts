/** The bytes are not in the format, or say something that cannot be converted. */
export class Unreadable extends Error {}

/** A field of a message: a number, or the bytes of a text or another message. */
export interface Field {
  readonly number: number;
  readonly value: number | Uint8Array;
}

/**
 * The fields of a message (protobuf.dev, "Encoding"): varints and length-delimited ones; Kubernetes' objects use no
 * others.
 */
export function fieldsOf(bytes: Uint8Array): readonly Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined || shift > 63n) throw new Unreadable();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 128) return Number(BigInt.asIntN(64, value));
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const number = Math.floor(tag / 8);
    if (tag % 8 === 0) fields.push({ number, value: varint() });
    else if (tag % 8 === 2) {
      const end = varint() + at;
      if (end < at || end > bytes.length) throw new Unreadable();
      fields.push({ number, value: bytes.subarray(at, end) });
      at = end;
    } else throw new Unreadable();
  }
  return fields;
}

export function bytesOf(field: Field | undefined): Uint8Array {
  if (field?.value instanceof Uint8Array) return field.value;
  throw new Unreadable();
}

export function numberOf(field: Field | undefined): number {
  if (typeof field?.value === 'number') return field.value;
  throw new Unreadable();
}

export const textOf = (field: Field): string => Buffer.from(bytesOf(field)).toString('utf8');

/** The field of that number, or undefined; the last one counts. */
export function fieldOf(bytes: Uint8Array, number: number): Field | undefined {
  return fieldsOf(bytes).findLast((field) => field.number === number);
}
