import { mkdir, open, readdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { codeOf, systemError } from './system-error.ts';

/** Makes the folder and its missing parents; resolves when their entries are on disk. */
export async function makeFolder(path: string, options?: { readonly mode?: number }): Promise<void> {
  try {
    const first = await makeFirst(path, options);
    if (first !== undefined) await syncEntries(resolve(path), dirname(resolve(first)));
  } catch (cause) {
    throw systemError('Making the folder', path, cause);
  }
}

/** Resolves when the folder's entries are on disk. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The names in the folder, sorted; empty for a missing folder. */
export async function list(path: string): Promise<readonly string[]> {
  try {
    return (await readdir(path)).sort();
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return [];
    throw systemError('Listing', path, cause);
  }
}

/**
 * The first folder that had to be made; undefined if none had to. Node's own `recursive` loops for ever where the
 * parent exists but takes no folder, as in /proc or behind a dangling link.
 */
async function makeFirst(path: string, options?: { readonly mode?: number }): Promise<string | undefined> {
  try {
    return await makeOne(path, options);
  } catch (cause) {
    if (codeOf(cause) !== 'ENOENT' || path === dirname(path)) throw cause;
    const first = await makeFirst(dirname(path), options);
    return first === undefined ? makeOne(path, options) : makeOne(path, options).then(() => first);
  }
}

async function makeOne(path: string, options?: { readonly mode?: number }): Promise<string | undefined> {
  try {
    await mkdir(path, options);
    return path;
  } catch (cause) {
    if (await isFolder(path)) return undefined;
    throw cause;
  }
}

/** Follows a symbolic link. */
const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (there) => there.isDirectory(),
    () => false,
  );

async function syncEntries(made: string, above: string): Promise<void> {
  for (let folder = made; folder !== above && folder !== dirname(folder); folder = dirname(folder)) {
    await syncFolder(dirname(folder));
  }
}
