import { isRange } from '../validation/addresses.ts';
import { isAddress } from '../validation/formats.ts';

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?([0-9a-f])[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const uuidOf = (version: string) => (text: string) => uuid.exec(text)?.[1] === version;

/** A label, or labels with dots between them of which the last has no digit and at least two characters. */
const hostname =
  /^[\p{L}\p{S}\d]([-\p{L}\p{S}\d]{0,61}[\p{L}\p{S}\d])?(\.[\p{L}\p{S}\d]([-\p{L}\p{S}\d]{0,61}[\p{L}\p{S}\d])?)*$/u;
const lastLabel = /(^|\.)(?<last>[^.]+)$/;

/** The formats of texts that a definition may name, each with its test (kube-openapi, pkg/validation/strfmt). */
const formats: ReadonlyMap<string, (text: string) => boolean> = new Map(
  Object.entries<(text: string) => boolean>({
    byte: (text) => text === '' || (/^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.length % 4 === 0),
    cidr: isRange,
    date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isDay(text),
    'date-time': isDateTime,
    datetime: isDateTime,
    duration: (text) => /^\s*\d+(\.\d+)?\s*[a-zµ]+/i.test(text),
    email: (text) => /^[^\s@<>,]+@[^\s@<>,]+$/.test(text),
    hostname: (text) => text.length <= 255 && hostname.test(text) && hasTopLabel(text),
    ipv4: (text) => isAddress(text) && !text.includes(':'),
    ipv6: (text) => isAddress(text) && text.includes(':'),
    mac: (text) =>
      /^[0-9a-f]{2}([:-])[0-9a-f]{2}(\1[0-9a-f]{2}){4}$/i.test(text) || /^([0-9a-f]{4}\.){2}[0-9a-f]{4}$/i.test(text),
    uri: (text) => /^(\/|[a-z][a-z\d+.-]*:)/i.test(text) && !/[\s\p{Cc}]/u.test(text),
    uuid: (text) => uuid.test(text),
    uuid3: uuidOf('3'),
    uuid4: uuidOf('4'),
    uuid5: uuidOf('5'),
  }),
);

/** Formats that the API server knows, and that no test here refuses. */
const unchecked = new Set([
  'bsonobjectid',
  'creditcard',
  'hexcolor',
  'isbn',
  'isbn10',
  'isbn13',
  'k8s-long-name',
  'k8s-short-name',
  'password',
  'rgbcolor',
  'ssn',
]);

/** Whether the text has the format; one that nobody knows fits. */
export function hasFormat(text: string, format: string): boolean {
  return formats.get(format)?.(text) ?? true;
}

export function isKnownFormat(format: string): boolean {
  return formats.has(format) || unchecked.has(format);
}

function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

function isDateTime(text: string): boolean {
  const [, day = '', hour, minute, second] =
    /^(\d{4}-\d\d-\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|[+-]\d\d:?\d\d)$/.exec(text) ?? [];
  return isDay(day) && Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60;
}

function hasTopLabel(text: string): boolean {
  const last = lastLabel.exec(text)?.groups?.last ?? '';
  return !text.includes('.') || (last.length > 1 && !/\d/.test(last));
}
