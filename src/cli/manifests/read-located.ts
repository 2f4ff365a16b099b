import type { Document } from 'yaml';
import { OperationError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import type { FieldPath } from '../../rehearsal/world/written-fields.ts';
import type { yaml as Yaml } from '../settings/plain-value.ts';
import { type Located, lineFinder, type ManifestObject } from './located.ts';
import { fileToRender, folderToRender, helmAction, renderedTemplate } from './to-be-rendered.ts';

type Reading = Pick<Host, 'files' | 'input'>;

/**
 * Every object of these files, folders and of `-`, the standard input, with those of Lists, in kubectl's order. `mistakes`: what is no
 * object of Kubernetes, unreadable or not YAML, one sentence each.
 */
export async function readLocated(
  host: Reading,
  paths: readonly string[],
): Promise<{ readonly found: readonly Located[]; readonly mistakes: readonly string[] }> {
  const mistakes: string[] = [];
  const found: Located[] = [];
  for (const path of paths)
    for (const file of await filesOf(host, path, mistakes)) {
      const text = await textOf(host, file, mistakes);
      if (text !== undefined) found.push(...(await manifestsIn(nameOf(file), text, mistakes)));
    }
  if (found.length === 0 && mistakes.length === 0)
    mistakes.push(`there is no object of Kubernetes in ${paths.map(nameOf).join(', ')}.`);
  return { found, mistakes };
}

const nameOf = (path: string): string => (path === '-' ? 'standard input' : path);

/** Of a folder the files that kubectl reads: `.yaml`, `.yml` and `.json`, by name, without the folders in it. */
async function filesOf({ files }: Reading, path: string, mistakes: string[]): Promise<readonly string[]> {
  if (path === '-') return [path];
  const isFolder = (await files.stat(`${path}/.`).catch(() => undefined)) !== undefined;
  if (!isFolder) {
    const toRender = await fileToRender(files, path);
    if (toRender !== undefined) mistakes.push(toRender);
    return toRender === undefined ? [path] : [];
  }
  const names = await files.list(path);
  const toRender = folderToRender(path, names);
  if (toRender !== undefined) {
    mistakes.push(toRender);
    return [];
  }
  const read = names.filter((name) => /\.(ya?ml|json)$/.test(name)).toSorted();
  if (read.length === 0) mistakes.push(`${path} has no file whose name ends in .yaml, .yml or .json.`);
  return read.map((name) => `${path.replace(/\/$/, '')}/${name}`);
}

async function textOf({ files, input }: Reading, path: string, mistakes: string[]): Promise<string | undefined> {
  if (path === '-') {
    const parts: Uint8Array[] = [];
    for await (const part of input.chunks(new AbortController().signal)) parts.push(part);
    return Buffer.concat(parts).toString('utf8');
  }
  try {
    const text = await files.read(path);
    if (text === undefined) mistakes.push(`there is no file ${path}.`);
    return text;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    mistakes.push(`${path} cannot be read: ${error.failure.reason}; name a file or a folder with -f.`);
    return undefined;
  }
}

/** One sentence for a whole text that is something else, in the place of a mistake for each line. */
async function manifestsIn(file: string, text: string, mistakes: string[]): Promise<readonly Located[]> {
  const own: string[] = [];
  const unreadable = text.indexOf(replacementCharacter);
  const found = unreadable === -1 ? await objectsOf(file, text, own) : [];
  const template = own.length === 0 ? -1 : text.search(helmAction);
  const lineAt = (index: number) => text.slice(0, index).split('\n').length;
  if (unreadable !== -1)
    mistakes.push(
      `${file}:${lineAt(unreadable)}: it is not UTF-8 (> of Windows PowerShell writes UTF-16): save it as UTF-8.`,
    );
  else if (template !== -1)
    mistakes.push(`${file}:${lineAt(template)}: it is a template of Helm: ${renderedTemplate(file)}`);
  else mistakes.push(...own);
  return template === -1 ? found : [];
}

/** What decoding puts in the place of bytes that are not UTF-8. */
const replacementCharacter = '\uFFFD';

async function objectsOf(file: string, text: string, mistakes: string[]): Promise<readonly Located[]> {
  const { plainValue, yaml } = await import('../settings/plain-value.ts');
  const lines = new yaml.LineCounter();
  // The version that kubectl reads: `on` and `yes` are true.
  const documents = yaml.parseAllDocuments(text, { version: '1.1', lineCounter: lines, logLevel: 'error' });
  if ('empty' in documents) return [];
  return documents.flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) {
      const line = lines.linePos(error.pos[0]).line;
      mistakes.push(
        `${file}:${line}: it is not valid YAML: ${error.message.split('\n')[0]?.replace(/ at line.*$|:$/, '')}.`,
      );
      return [];
    }
    const read = plainValue(file, document, withoutNulls);
    if ('mistake' in read) {
      mistakes.push(read.mistake);
      return [];
    }
    if (hasMapAsKey(yaml, document)) {
      mistakes.push(`${file}:${lines.linePos(document.range[0]).line}: it has an object for the name of a field.`);
      return [];
    }
    return objectsIn(read.value, []).flatMap(({ value, base }) => {
      const lineOf = lineFinder(yaml, document, lines, base);
      const wrong = mistakeOf(value);
      if (wrong === undefined) return [{ file, object: value as ManifestObject, lineOf }];
      mistakes.push(`${file}:${lineOf(wrong.field)}: ${wrong.sentence}`);
      return [];
    });
  });
}

/** YAML reads `{{ .Values.replicas }}` as an object whose one member is named by an object. */
function hasMapAsKey(yaml: typeof Yaml, document: Document.Parsed): boolean {
  let found = false;
  yaml.visit(document, {
    Pair: (_, { key }) => {
      found ||= yaml.isMap(key);
      return found ? yaml.visit.BREAK : undefined;
    },
  });
  return found;
}

/** The API server treats a member that is null as absent. */
function withoutNulls(this: unknown, _key: unknown, value: unknown): unknown {
  return value === null && !Array.isArray(this) ? undefined : value;
}

/** The value of a document that is empty or only a comment is undefined. */
function objectsIn(value: unknown, base: FieldPath): readonly { readonly value: unknown; readonly base: FieldPath }[] {
  if (value === undefined || value === null) return [];
  const { kind, items } = Object(value);
  if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) return [{ value, base }];
  return items.flatMap((item, index) => objectsIn(item, [...base, 'items', index]));
}

/** Why it cannot be sent to an API server at all; everything else is for the API server to say. */
function mistakeOf(value: unknown): { readonly field: FieldPath; readonly sentence: string } | undefined {
  if (typeof value !== 'object' || Array.isArray(value))
    return { field: [], sentence: 'this is no object of Kubernetes.' };
  const { apiVersion, kind, metadata } = Object(value);
  const missing = (field: string) => ({ field: [field], sentence: `${field}: it must be text that is not empty.` });
  if (typeof apiVersion !== 'string' || apiVersion === '') return missing('apiVersion');
  if (typeof kind !== 'string' || kind === '') return missing('kind');
  const name = Object(metadata).name;
  if (typeof name === 'string' && helmAction.test(name))
    return { field: ['metadata', 'name'], sentence: 'metadata.name: it is a template.' };
  if (typeof name === 'string' && name !== '') return undefined;
  return { field: ['metadata', 'name'], sentence: `metadata.name: ${kind} has no name.` };
}
