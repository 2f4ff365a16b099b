import type { Files } from '../../host/host.ts';
import { isCommitId } from './commits.ts';

/** The commit that a reference names, read from its own file; undefined where it is packed and git has to be run. */
export async function looseReference(files: Files, gitFolder: string, name: string): Promise<string | undefined> {
  const text = (await files.read(`${gitFolder}/${name}`).catch(() => undefined))?.trim() ?? '';
  if (isCommitId(text)) return text;
  const target = /^ref: (refs\/\S+)$/.exec(text)?.[1];
  return name === 'HEAD' && target !== undefined ? looseReference(files, gitFolder, target) : undefined;
}

/**
 * Writes a reference as a file, as git does; false where the repository keeps its references in another way (reftable).
 */
export async function writeLooseReference(
  files: Files,
  gitFolder: string,
  name: string,
  commit: string,
): Promise<boolean> {
  if ((await files.stat(`${gitFolder}/refs/heads`))?.kind !== 'folder') return false;
  await files.makeFolder(`${gitFolder}/${name.slice(0, name.lastIndexOf('/'))}`);
  await files.replace(`${gitFolder}/${name}`, `${commit}\n`);
  return true;
}
