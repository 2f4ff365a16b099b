import { type FieldCause, fieldCauses } from '../refusals.ts';

/**
 * A form that a text must have, and the words of the API server for one that has not (apimachinery,
 * pkg/util/validation).
 */
interface Format {
  readonly pattern: RegExp;
  readonly maximumLength: number;
  readonly words: string;
}

const qualified = "must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc'";

export const formats = {
  label: {
    pattern: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
    maximumLength: 63,
    words:
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  },
  serviceName: {
    pattern: /^[a-z]([-a-z0-9]*[a-z0-9])?$/,
    maximumLength: 63,
    words:
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
  },
  subdomain: {
    pattern: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
    maximumLength: 253,
    words:
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  },
  subdomainWithUnderscore: {
    pattern: /^_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*$/,
    maximumLength: 253,
    words:
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')",
  },
  labelValue: {
    pattern: /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/,
    maximumLength: 63,
    words:
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
  },
  namePart: {
    pattern: /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/,
    maximumLength: 63,
    words: `name part must consist of alphanumeric characters, '-', '_' or '.', and ${qualified}, regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  },
} as const satisfies Readonly<Record<string, Format>>;

/** These errors if it is wrong. */
export function when(wrong: boolean, ...causes: readonly FieldCause[]): readonly FieldCause[] {
  return wrong ? causes : [];
}

/** An error if the text is too long, and one if it has another form. */
export function formatCauses(field: string, text: unknown, format: Format): readonly FieldCause[] {
  const value = String(text);
  const tooLong = `must be no more than ${format.maximumLength} characters`;
  const dotted = format === formats.label && formats.subdomain.pattern.test(value);
  return [
    ...when(value.length > format.maximumLength, fieldCauses.invalid(field, value, tooLong)),
    ...when(
      !format.pattern.test(value),
      fieldCauses.invalid(field, value, dotted ? 'must not contain dots' : format.words),
    ),
  ];
}

/** The same for a text that may be missing or empty. */
export function formatCausesIfSet(field: string, text: unknown, format: Format): readonly FieldCause[] {
  return isUnset(text) ? [] : formatCauses(field, text, format);
}

/** Whether a text or a number is missing, or is what Go makes of a missing one. */
export function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === 0;
}

/** An error if the value is missing or empty. */
export function requiredCauses(field: string, value: unknown, why = ''): readonly FieldCause[] {
  return when(isUnset(value), fieldCauses.required(field, why));
}

const configKey =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

/** The errors in a key of a ConfigMap or a Secret. */
export function configKeyCauses(field: string, key: string): readonly FieldCause[] {
  const because = (why: string) => fieldCauses.invalid(field, key, why);
  const isStep = key === '.' || key === '..';
  return [
    ...when(key.length > 253, because('must be no more than 253 characters')),
    ...when(!/^[-._a-zA-Z0-9]+$/.test(key), because(configKey)),
    ...when(isStep, because(`must not be '${key}'`)),
    ...when(!isStep && key.startsWith('..'), because("must not start with '..'")),
  ];
}

/** The errors in a key such as `example.com/name`. */
export function qualifiedNameCauses(field: string, key: string): readonly FieldCause[] {
  const [name = '', prefix, more] = key.split('/').toReversed();
  if (more !== undefined)
    return [
      fieldCauses.invalid(
        field,
        key,
        `a qualified name ${formats.namePart.words.slice('name part '.length)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
      ),
    ];
  const causes = [
    ...(name === '' ? ['name part must be non-empty'] : []),
    ...(name.length > 63 ? ['name part must be no more than 63 characters'] : []),
    ...(formats.namePart.pattern.test(name) ? [] : [formats.namePart.words]),
    ...(prefix === '' ? ['prefix part must be non-empty'] : []),
    ...(prefix && !formats.subdomain.pattern.test(prefix) ? [`prefix part ${formats.subdomain.words}`] : []),
  ];
  return causes.map((why) => fieldCauses.invalid(field, key, why));
}

/** The errors in a text that is a segment of a path. */
export function pathSegmentCauses(field: string, text: string): readonly FieldCause[] {
  if (text === '.' || text === '..') return [fieldCauses.invalid(field, text, `may not be '${text}'`)];
  return ['/', '%'].flatMap((one) =>
    when(text.includes(one), fieldCauses.invalid(field, text, `may not contain '${one}'`)),
  );
}

const path = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";

/** The errors in a name such as `example.com/path`. */
export function domainPathCauses(field: string, text: string): readonly FieldCause[] {
  if (text === '') return [fieldCauses.required(field)];
  const [domain = '', ...rest] = text.split('/');
  const tail = rest.join('/');
  if (domain === '' || tail === '')
    return [fieldCauses.invalid(field, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  const isPath = new RegExp(`^${path}$`).test(tail);
  const why = `Invalid path (regex used for validation is '${path}')`;
  return [...formatCauses(field, domain, formats.subdomain), ...when(!isPath, fieldCauses.invalid(field, tail, why))];
}

/** The errors in labels: in their keys and their values. */
export function labelCauses(field: string, labels: unknown): readonly FieldCause[] {
  return Object.entries((labels ?? {}) as object).flatMap(([key, value]) => [
    ...qualifiedNameCauses(field, key),
    ...formatCauses(field, value, formats.labelValue),
  ]);
}

/** The errors in the keys of annotations. */
export function annotationCauses(field: string, annotations: unknown): readonly FieldCause[] {
  const keys = Object.keys((annotations ?? {}) as object);
  return keys.flatMap((key) => annotationKeyCauses(field, key));
}

/** The key of an annotation may have capitals in its prefix; it is shown as it was sent. */
export function annotationKeyCauses(field: string, key: string): readonly FieldCause[] {
  const lower = key.toLowerCase();
  const shown = ({ message, ...cause }: FieldCause) => ({
    ...cause,
    message: message.replace(JSON.stringify(lower), () => JSON.stringify(key)),
  });
  return qualifiedNameCauses(field, lower).map(shown);
}

/** An error if the value is not one of these; none if it is missing. */
export function oneOf(field: string, value: unknown, supported: readonly string[]): readonly FieldCause[] {
  return value === undefined || supported.includes(String(value))
    ? []
    : [fieldCauses.unsupported(field, value, supported)];
}

/** An error if the number is not within the bounds; none if it is missing. */
export function between(field: string, value: unknown, low: number, high: number): readonly FieldCause[] {
  if (typeof value !== 'number' || (value >= low && value <= high)) return [];
  return [fieldCauses.invalid(field, value, `must be between ${low} and ${high}, inclusive`)];
}

export const highestPort = 65_535;
export const protocols = ['SCTP', 'TCP', 'UDP'];

/** An error in a port that is a number or a name. */
export function portCauses(field: string, port: unknown): readonly FieldCause[] {
  if (typeof port === 'number') return between(field, port, 1, highestPort);
  const name = String(port ?? '');
  if (name === '') return [fieldCauses.invalid(field, 0, `must be between 1 and ${highestPort}, inclusive`)];
  return portNameCauses(field, name);
}

/** The errors in the name of a port (an IANA_SVC_NAME, RFC 6335). */
export function portNameCauses(field: string, name: string): readonly FieldCause[] {
  const words = [
    ...(name.length > 15 ? ['must be no more than 15 characters'] : []),
    ...(/^[-a-z0-9]+$/.test(name) ? [] : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
    ...(/[a-z]/.test(name) ? [] : ['must contain at least one letter (a-z)']),
    ...(name.includes('--') ? ['must not contain consecutive hyphens'] : []),
    ...(/^-|-$/.test(name) ? ['must not begin or end with a hyphen'] : []),
  ];
  return words.map((why) => fieldCauses.invalid(field, name, why));
}

/** Whether the text is an IP address; the many forms of version 6 are left to whoever uses it. */
export function isAddress(text: string): boolean {
  const parts = text.split('.');
  const isFour = parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
  return isFour || /^[0-9a-fA-F]*:[0-9a-fA-F:.]+$/.test(text);
}

/** An error if the text is no IP address. */
export function addressCauses(field: string, text: unknown): readonly FieldCause[] {
  return isAddress(String(text))
    ? []
    : [fieldCauses.invalid(field, text, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];
}

/** The items whose `key` another item before them has too. */
export function duplicates(field: string, items: readonly unknown[], key: string): readonly FieldCause[] {
  const seen = new Set<unknown>();
  return items.flatMap((item, index) => {
    const value = (item as Readonly<Record<string, unknown>>)[key];
    if (value === undefined || value === '') return [];
    const again = seen.has(value);
    seen.add(value);
    return again ? [fieldCauses.duplicate(`${field}[${index}].${key}`, value)] : [];
  });
}
