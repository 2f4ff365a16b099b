import type { Resource } from '../cluster/kinds.ts';
import { UsageError } from '../host/errors.ts';
import type { Files } from '../host/host.ts';

/** Every object of the YAML or JSON files, those of Lists too. A file that is not there or not readable is a `UsageError`. */
export async function readManifests(
  files: Pick<Files, 'read'>,
  paths: readonly string[],
): Promise<readonly Resource[]> {
  const mistakes: string[] = [];
  const resources: Resource[] = [];
  for (const path of paths) {
    const text = await files.read(path);
    if (text === undefined) mistakes.push(`there is no file ${path}.`);
    else resources.push(...(await parsed(path, text, mistakes)));
  }
  if (mistakes.length > 0) throw new UsageError(mistakes);
  return resources;
}

async function parsed(path: string, text: string, mistakes: string[]): Promise<readonly Resource[]> {
  const { yaml } = await import('./yaml.ts');
  const documents = yaml.parseAllDocuments(text);
  const errors = ('empty' in documents ? [] : documents).flatMap((document) => document.errors);
  mistakes.push(...errors.map(({ message }) => `${path} is not YAML: ${message.split('\n')[0]?.replace(/:$/, '')}.`));
  if (errors.length > 0 || 'empty' in documents) return [];
  return documents.flatMap((document) => objectsIn(document.toJS()));
}

function objectsIn(value: unknown): readonly Resource[] {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return [];
  if ('items' in value && Array.isArray(value.items)) return value.items.flatMap(objectsIn);
  return [value as Resource];
}
