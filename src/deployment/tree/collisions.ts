import type { FileStat } from '../../host/host.ts';
import type { Difference } from '../git/differences.ts';

/**
 * The untracked paths, from the checkout's top, that a reset overwrites or deletes without a message: a file where one is
 * added, a file or a link where a folder will be, and a folder where a file will be (docs/facts/git.md, "Files in the way").
 */
export async function collisions(
  differing: readonly Difference[],
  kindOf: (path: string) => Promise<FileStat['kind'] | undefined>,
): Promise<readonly string[]> {
  const tracked = new Set(differing.filter(({ letter }) => letter !== 'A').map(({ path }) => path));
  const coming = differing.filter(({ letter }) => letter !== 'D').map(({ path }) => path);
  const found = new Set<string>();
  for (const folder of foldersAbove(coming)) {
    const kind = await kindOf(folder);
    if (kind !== undefined && kind !== 'folder' && !tracked.has(folder)) found.add(folder);
  }
  for (const path of coming) {
    const kind = await kindOf(path);
    if (kind === 'folder' || (kind !== undefined && !tracked.has(path))) found.add(path);
  }
  return [...found].sort();
}

function foldersAbove(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1))
      folders.add(path.slice(0, slash));
  }
  return folders;
}
