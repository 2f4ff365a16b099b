import type { FileStat } from '../../host/host.ts';
import { inParallel } from '../../host/in-parallel.ts';
import type { Difference } from '../git/differences.ts';

/**
 * The untracked paths, from the checkout's top, that a reset overwrites or deletes without a message: a file where one
 * is added, a file or a link where a folder will be, and a folder where a file will be (docs/facts/git.md, "Files in
 * the way"). A submodule of both commits is none by itself: what it loses is `dirtySubmodules`.
 */
export async function collisions(
  differing: readonly Difference[],
  kindOf: (path: string) => Promise<FileStat['kind'] | undefined>,
): Promise<readonly string[]> {
  const tracked = new Set(differing.filter(({ letter }) => letter !== 'A').map(({ path }) => path));
  const coming = differing.filter(({ letter, isBump }) => letter !== 'D' && !isBump).map(({ path }) => path);
  const above = await among(
    [...foldersAbove(coming)],
    (folder, kind) => kind !== 'folder' && !tracked.has(folder),
    kindOf,
  );
  const inPlace = await among(coming, (path, kind) => kind === 'folder' || !tracked.has(path), kindOf);
  return [...new Set([...above, ...inPlace])].sort();
}

async function among(
  paths: readonly string[],
  isInTheWay: (path: string, kind: FileStat['kind']) => boolean,
  kindOf: (path: string) => Promise<FileStat['kind'] | undefined>,
): Promise<readonly string[]> {
  const kinds = await inParallel(paths, mostAtOnce, kindOf);
  return paths.filter((path, index) => {
    const kind = kinds[index];
    return kind !== undefined && isInTheWay(path, kind);
  });
}

/** More wait for one of Node's four threads for files. */
const mostAtOnce = 16;

function foldersAbove(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1))
      folders.add(path.slice(0, slash));
  }
  return folders;
}
