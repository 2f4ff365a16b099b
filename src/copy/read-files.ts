import type { Files } from '../host/host.ts';

/** A tree of must-gather has seven levels. */
const deepest = 12;
const mostFiles = 100_000;

/** The YAML and JSON files of a folder and the folders in it, by name; of a file itself. */
export async function filesOf(files: Pick<Files, 'list' | 'stat'>, path: string): Promise<readonly string[]> {
  const there = await files.stat(`${path.replace(/\/$/, '')}/.`).catch(() => undefined);
  if (there === undefined) return [path];
  const found: string[] = [];
  await collect(files, path.replace(/(.)\/$/, '$1'), deepest, found);
  return found;
}

async function collect(
  files: Pick<Files, 'list' | 'stat'>,
  folder: string,
  levels: number,
  found: string[],
): Promise<void> {
  for (const name of await files.list(folder)) {
    if (found.length >= mostFiles) return;
    const path = `${folder}/${name}`;
    // A link is not followed: it may lead out of the dump, or around in a circle.
    const kind = (await files.stat(path))?.kind;
    if (kind === 'folder' && levels > 0) await collect(files, path, levels - 1, found);
    if (kind === 'file' && /\.(ya?ml|json|snapshot)(\.gz)?$/.test(name)) found.push(path);
  }
}
