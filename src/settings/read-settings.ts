import * as z from 'zod';
import { parseDuration } from './duration.ts';
import { nearest } from './nearest.ts';

/** No compiled parsers: each schema is used once, and compiling takes longer than it saves. */
z.config({ jitless: true });

export type Read<T> = { readonly settings: T } | { readonly mistakes: readonly string[] };

/**
 * Validates input by a schema: the settings, or all mistakes, one sentence each (docs/contract.md, "holdfast.yaml").
 * `spelt` gives a member of the input the name by which people know it.
 */
export function readSettings<S extends z.ZodType>(
  schema: S,
  value: unknown,
  place: string,
  spelt = (member: string): string => member,
): Read<z.output<S>> {
  const result = schema.safeParse(value, { error: (issue) => clause(issue, givenAt(value, issue.path ?? [])) });
  if (result.success) return { settings: result.data };
  return { mistakes: result.error.issues.flatMap((issue) => sentences(issue, { schema, value, place, spelt })) };
}

/** A duration such as `10s`; the output is in seconds. */
export const duration = z.string().transform((text, context) => {
  const seconds = parseDuration(text);
  if (seconds !== undefined) return seconds;
  context.issues.push({
    code: 'custom',
    message: `is '${text}', which is not a duration such as 500ms, 10s, 2m or 1h`,
    input: text,
  });
  return z.NEVER;
});

interface Input {
  readonly schema: z.ZodType;
  readonly value: unknown;
  readonly place: string;
  readonly spelt: (member: string) => string;
}

function sentences(issue: z.core.$ZodIssue, { schema, value, place, spelt }: Input): readonly string[] {
  const [member, ...inner] = issue.path.map(String);
  const key = [...(place === '' ? [] : [place]), ...(member === undefined ? [] : [spelt(member)]), ...inner].join('.');
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(schema, issue.path);
    return issue.keys.map((unknown) => unknownKey(key === '' ? spelt(unknown) : `${key}.${unknown}`, unknown, known));
  }
  if (issue.code !== 'custom' && givenAt(value, issue.path) === undefined) return [`${key} is missing.`];
  return [`${key} ${issue.message}${issue.message.endsWith('?') ? '' : '.'}`];
}

const givenAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce((at, step) => (at as Record<PropertyKey, unknown> | undefined)?.[step], value);

/**
 * What is wrong, as the rest of a sentence that begins with the key. zod asks for it where a schema has no message of
 * its own: such a message decides for itself whether the value, which may be secret, is repeated.
 */
function clause(issue: z.core.$ZodRawIssue, given: unknown): string {
  const said = `is ${JSON.stringify(given)}`;
  if (issue.code === 'invalid_type') return `${said}, which is not ${kinds[issue.expected] ?? `a ${issue.expected}`}`;
  if (issue.code === 'invalid_value' && issue.values.length > 1) {
    const values = issue.values.map(String);
    const meant = typeof given === 'string' ? nearest(given, values) : undefined;
    return `${said}, which is none of ${values.join(', ')}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
  }
  const zods = z.config().localeError?.(issue);
  const words = (typeof zods === 'string' ? zods : zods?.message) ?? 'it is not valid';
  return `${said}: ${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}

const kinds: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  object: 'a map',
  record: 'a map',
  string: 'text',
};

function unknownKey(key: string, word: string, known: readonly string[]): string {
  const meant = nearest(word, known);
  return `${key} is not a known setting${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}

function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let at: unknown = unwrapped(schema);
  for (const step of path) at = unwrapped(memberOf(at, String(step)));
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

function memberOf(schema: unknown, key: string): unknown {
  if (schema instanceof z.ZodRecord) return schema.valueType;
  return schema instanceof z.ZodObject ? schema.shape[key] : undefined;
}

/** The schema without zod's wrappers for default, optional and prefault. */
function unwrapped(schema: unknown): unknown {
  const inner = (schema as { def?: { innerType?: unknown } } | undefined)?.def?.innerType;
  return inner === undefined ? schema : unwrapped(inner);
}
