import { OperationError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import type { Located } from './located.ts';
import { notText, templateMistake } from './not-manifests.ts';
import { objectsOf } from './objects-of.ts';
import { fileToRender, folderToRender } from './to-be-rendered.ts';

type Reading = Pick<Host, 'files' | 'input'>;

/**
 * Every object of these files, folders and of `-`, the standard input, with those of Lists, in kubectl's order.
 * `mistakes`: what is no object of Kubernetes, unreadable or not YAML, one sentence each.
 */
export async function readLocated(
  host: Reading,
  paths: readonly string[],
): Promise<{ readonly found: readonly Located[]; readonly mistakes: readonly string[] }> {
  const mistakes: string[] = [];
  const found: Located[] = [];
  const asked = paths.filter((path, index) => path !== '-' || paths.indexOf('-') === index);
  for (const path of asked)
    for (const file of await filesOf(host, path, mistakes)) {
      const text = await textOf(host, file, mistakes);
      if (text !== undefined) found.push(...(await manifestsIn(nameOf(file), text, mistakes)));
    }
  if (found.length === 0 && mistakes.length === 0)
    mistakes.push(`there is no object of Kubernetes in ${asked.map(nameOf).join(', ')}.`);
  return { found, mistakes };
}

const nameOf = (path: string): string => (path === '-' ? 'standard input' : path);

/** Of a folder the files that kubectl reads: `.yaml`, `.yml` and `.json`, by name, without the folders in it. */
async function filesOf({ files }: Reading, path: string, mistakes: string[]): Promise<readonly string[]> {
  if (path === '') {
    mistakes.push('-f is given an empty name: name a file, a folder or - for standard input.');
    return [];
  }
  if (path === '-') return [path];
  const isFolder = (await files.stat(`${path}/.`).catch(() => undefined)) !== undefined;
  if (!isFolder) {
    const toRender = await fileToRender(files, path);
    if (toRender !== undefined) mistakes.push(toRender);
    return toRender === undefined ? [path] : [];
  }
  const names = await files.list(path);
  const other = folderToRender(path, names);
  const read = other === undefined ? manifestNames(names) : [];
  if (read.length === 0) mistakes.push(other ?? (await noManifests(files, path, names)));
  return read.map((name) => `${path.replace(/\/$/, '')}/${name}`);
}

const manifestNames = (names: readonly string[]): readonly string[] =>
  names.filter((name) => /\.(ya?ml|json)$/.test(name)).toSorted();

/** The folders in it are named that a person may have meant: kubectl reads none of them either, without `-R`. */
async function noManifests(files: Host['files'], path: string, names: readonly string[]): Promise<string> {
  const folders: string[] = [];
  for (const name of names.toSorted()) {
    const inside = await files.list(`${path}/${name}`).catch(() => []);
    if (manifestNames(inside).length > 0) folders.push(`${path.replace(/\/$/, '')}/${name}`);
  }
  const none = `${path} has no file whose name ends in .yaml, .yml or .json`;
  if (folders.length === 0) return `${none}.`;
  const some = folders.slice(0, 3).map((folder) => `-f ${folder}`);
  return `${none}, and the folders in it are not read: name those that you mean (${some.join(' ')}${folders.length > 3 ? ' …' : ''}).`;
}

async function textOf({ files, input }: Reading, path: string, mistakes: string[]): Promise<string | undefined> {
  if (path === '-') {
    const parts: Uint8Array[] = [];
    for await (const part of input.chunks(new AbortController().signal)) parts.push(part);
    return Buffer.concat(parts).toString('utf8');
  }
  try {
    const text = await files.read(path, { mayBePipe: true });
    if (text === undefined)
      mistakes.push(
        /^https?:\/\//.test(path)
          ? `-f takes no address: run curl -fsSL ${path} | holdfast rehearse -f -.`
          : `there is no file ${path}: name a file, a folder or - with -f.`,
      );
    return text;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    mistakes.push(`${path} cannot be read: ${error.failure.reason}; name a file or a folder with -f.`);
    return undefined;
  }
}

/** One sentence for a whole text that is something else, instead of a mistake for each line. */
async function manifestsIn(file: string, text: string, mistakes: string[]): Promise<readonly Located[]> {
  const other = notText(file, text);
  if (other !== undefined) {
    mistakes.push(other);
    return [];
  }
  const read = await objectsOf(file, text);
  const template = templateMistake(file, text, read);
  if (template !== undefined) {
    mistakes.push(template);
    return [];
  }
  mistakes.push(...read.mistakes);
  return read.found;
}
