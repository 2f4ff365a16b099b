import type { Resource } from '../../cluster/kinds.ts';
import { OperationError, UsageError } from '../../host/errors.ts';
import type { Files } from '../../host/host.ts';
import { manifestMistakes } from './manifest-mistakes.ts';

/**
 * Every object of the YAML or JSON files, those of Lists too, with each member that an audit reads of the right type. Missing and
 * unreadable files and malformed objects are one `UsageError`.
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
    const text = await files.read(path);
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
