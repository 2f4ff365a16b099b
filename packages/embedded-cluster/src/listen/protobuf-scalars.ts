import { bytesOf, type Field, fieldOf, fieldsOf, numberOf, textOf, Unreadable } from './protobuf-wire.ts';

/** The types of fields that are not messages of their own, by their letter in the table, as they are in JSON. */
const conversions: Readonly<Record<string, (field: Field) => unknown>> = {
  b: (field) => numberOf(field) !== 0,
  d: (field) => durationOf(numberOf(fieldOf(bytesOf(field), 1) ?? { number: 1, value: 0 })),
  f: (field) => JSON.parse(textOf(fieldOf(bytesOf(field), 1) ?? noFields)),
  I: (field) => countOrText(bytesOf(field)),
  i: numberOf,
  m: (field) => timeOf(bytesOf(field), 6),
  q: (field) => textOf(fieldOf(bytesOf(field), 1) ?? emptyText),
  r: (field) => JSON.parse(textOf(fieldOf(bytesOf(field), 1) ?? noFields)),
  s: textOf,
  t: (field) => timeOf(bytesOf(field), 0),
  x: (field) => fieldsOf(bytesOf(field)).map(textOf),
  y: (field) => Buffer.from(bytesOf(field)).toString('base64'),
};

const emptyText: Field = { number: 1, value: new Uint8Array() };
const noFields: Field = { number: 1, value: Buffer.from('{}') };

/** The value of a field of that type. */
export function converted(type: string, field: Field): unknown {
  const convert = conversions[type];
  if (convert === undefined) throw new Unreadable();
  return convert(field);
}

/** intstr.IntOrString: type 0 is a number (field 2), type 1 a text (field 3). */
function countOrText(bytes: Uint8Array): number | string {
  const [type, count, text] = [1, 2, 3].map((number) => fieldOf(bytes, number));
  if (type?.value === 1) return textOf(text ?? emptyText);
  return count === undefined ? 0 : numberOf(count);
}

/** meta/v1 Time and MicroTime: seconds since 1970 and nanoseconds; without fields the time is not set. */
function timeOf(bytes: Uint8Array, digits: 0 | 6): string | undefined {
  const [seconds, nanos] = [fieldOf(bytes, 1), fieldOf(bytes, 2)];
  if (seconds === undefined) return undefined;
  const at = new Date(numberOf(seconds) * 1000);
  if (Number.isNaN(at.getTime())) throw new Unreadable();
  const text = at.toISOString().slice(0, 19);
  if (digits === 0) return `${text}Z`;
  const micros = Math.floor((nanos === undefined ? 0 : numberOf(nanos)) / 1000);
  return `${text}.${String(micros).padStart(6, '0')}Z`;
}

/** meta/v1 Duration, in nanoseconds, as Go writes it in seconds. */
function durationOf(nanoseconds: number): string {
  return `${nanoseconds / 1e9}s`;
}
