import type * as z from 'zod';
import { manifestSchemaOf } from './manifest-schema-of.ts';

/**
 * Why an object of a manifest cannot be audited, one sentence a mistake with the file, the kind, the object's name and the path of the
 * member as Kubernetes writes it (`spec.containers[0].image`). Kinds that the audit does not read pass. A value is repeated only for
 * members with few values: arguments may hold a secret.
 */
export function manifestMistakes(path: string, value: unknown): readonly string[] {
  const { kind, metadata } = Object(value);
  const issues = manifestSchemaOf(kind).safeParse(value).error?.issues ?? [];
  const place = [path, [kind, Object(metadata).name].filter((word) => typeof word === 'string').join(' ')];
  return issues.map((issue) => `${[...place.filter((word) => word !== ''), sentence(issue, value)].join(': ')}.`);
}

function sentence({ code, message, path }: z.core.$ZodIssue, value: unknown): string {
  const member = path.length === 0 ? 'a document' : path.map(memberOf).join('').slice(1);
  const given = path.reduce<unknown>((at, step) => (at as Record<PropertyKey, unknown>)[step], value);
  if (given === undefined) return `${member} is missing`;
  const isScalar = typeof given === 'string' || typeof given === 'number';
  const observed = code !== 'invalid_type' && isScalar ? JSON.stringify(given) : typeNameOf(given);
  return `${member} is ${observed}; it must be ${message}`;
}

/** `.spec`, `[0]`, and `[kubernetes.io/ingress.class]` for a key that is not a plain word. */
const memberOf = (step: PropertyKey): string =>
  /^[a-z]\w*$/i.test(String(step)) ? `.${String(step)}` : `[${String(step)}]`;

function typeNameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string' ? 'text' : `a ${typeof value}`;
}
