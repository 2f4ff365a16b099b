import { mkdir, open, readdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { codeOf, systemError } from './system-error.ts';

/** Makes the folder and those above it, and returns when their entries are on disk. */
export async function makeFolder(path: string, options?: { readonly mode?: number }): Promise<void> {
  try {
    const first = await mkdir(path, { recursive: true, ...options });
    if (first !== undefined) await syncEntries(resolve(path), dirname(resolve(first)));
  } catch (cause) {
    throw systemError('Making the folder', path, cause);
  }
}

/** Returns when the folder's entries are on disk. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The names in the folder, sorted; a folder that is not there holds none. */
export async function list(path: string): Promise<readonly string[]> {
  try {
    return (await readdir(path)).sort();
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return [];
    throw systemError('Listing', path, cause);
  }
}

async function syncEntries(made: string, above: string): Promise<void> {
  for (let folder = made; folder !== above && folder !== dirname(folder); folder = dirname(folder)) {
    await syncFolder(dirname(folder));
  }
}
