import type * as z from 'zod';
import type { Resource } from '../../cluster/kinds.ts';
import { OperationError, UsageError } from '../../host/errors.ts';
import type { Files } from '../../host/host.ts';
import { manifestSchemaOf } from './manifest-schema-of.ts';

/**
 * Every object of the YAML or JSON files, those of Lists too, with each member that an audit reads of the right type.
 * Missing and unreadable files and malformed objects are one `UsageError`.
 */
export async function readManifests(
  files: Pick<Files, 'read'>,
  paths: readonly string[],
): Promise<readonly Resource[]> {
  const mistakes: string[] = [];
  const objects: unknown[] = [];
  for (const path of paths) {
    const text = await textOf(files, path, mistakes);
    if (text !== undefined) objects.push(...(await objectsOf(path, text, mistakes)));
  }
  if (mistakes.length > 0) throw new UsageError(mistakes);
  return objects as readonly Resource[];
}

async function textOf(files: Pick<Files, 'read'>, path: string, mistakes: string[]): Promise<string | undefined> {
  try {
    const text = await files.read(path, { mayBePipe: true });
    if (text === undefined) mistakes.push(`there is no file ${path}: name another with -f.`);
    return text;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    mistakes.push(`${path} cannot be read: ${error.failure.reason}; name a file with -f.`);
    return undefined;
  }
}

async function objectsOf(path: string, text: string, mistakes: string[]): Promise<readonly unknown[]> {
  const { plainValue, yaml } = await import('../settings/plain-value.ts');
  const lineCounter = new yaml.LineCounter();
  // The version that kubectl reads: `on` and `yes` are true.
  const documents = yaml.parseAllDocuments(text, { version: '1.1', lineCounter, logLevel: 'error' });
  if ('empty' in documents) return [];
  const errors = documents.flatMap((document) => document.errors);
  mistakes.push(
    ...errors.map(({ message }) => `${path} is not valid YAML: ${message.split('\n')[0]?.replace(/:$/, '')}.`),
  );
  if (errors.length > 0) return [];
  const placeOf = (offset: number) => `${path}:${lineCounter.linePos(offset).line}`;
  const unfolded = { values: 0 };
  const read = documents.map((document) => plainValue(document, { reviver: withoutNulls, placeOf, unfolded }));
  const objects = read.flatMap((one) => ('value' in one ? objectsIn(one.value) : []));
  mistakes.push(...read.flatMap((one) => ('mistake' in one ? [one.mistake] : [])));
  mistakes.push(...objects.flatMap((object) => manifestMistakes(path, object)));
  return objects;
}

/** The API server treats a member that is null as absent. */
function withoutNulls(this: unknown, _key: unknown, value: unknown): unknown {
  return value === null && !Array.isArray(this) ? undefined : value;
}

/** The value of a document that is empty or only a comment is undefined. */
function objectsIn(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  const { kind, items } = Object(value);
  if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items)) return items.flatMap(objectsIn);
  return [value];
}

/**
 * Why an object of a manifest cannot be audited, one sentence a mistake with the file, the kind, the object's name and
 * the path of the member as Kubernetes writes it (`spec.containers[0].image`). Kinds that the audit does not read pass.
 * A value is repeated only for members with few values: arguments may hold a secret.
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
