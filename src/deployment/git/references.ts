import type { Files } from '../../host/host.ts';
import { isCommitId } from './commits.ts';

/** The commit that a reference names, where it lies in a file of its own; undefined where git has to be asked. */
export async function looseReference(files: Files, gitFolder: string, name: string): Promise<string | undefined> {
  const text = (await files.read(`${gitFolder}/${name}`).catch(() => undefined))?.trim() ?? '';
  if (isCommitId(text)) return text;
  const target = /^ref: (refs\/\S+)$/.exec(text)?.[1];
  return name === 'HEAD' && target !== undefined ? looseReference(files, gitFolder, target) : undefined;
}

/** Makes a reference of our own, as git keeps it; false where this repository keeps its references in another way. */
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
