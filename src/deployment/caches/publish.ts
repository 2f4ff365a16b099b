import type { Files } from '../../host/host.ts';
import type { Publication } from '../settings/steps.ts';

/** Renames what was built aside onto what is in use, file by file: no request meets a missing or partial file. */
export async function publish(files: Files, directory: string, publications: readonly Publication[]): Promise<void> {
  for (const { from, to } of publications) {
    const built = `${directory}/${from}`;
    if ((await files.stat(built))?.kind !== 'folder') {
      await replace(files, built, `${directory}/${to}`);
      continue;
    }
    for (const name of await files.list(built))
      await replace(files, `${built}/${name}`, `${directory}/${to}/${name}`, true);
    await files.remove(built);
  }
}

/** The new file gets the mode of the old one; with `more` whoever its own mode lets read it may do so too. */
async function replace(files: Files, from: string, to: string, more = false): Promise<void> {
  const [fresh, old] = [await files.stat(from), await files.stat(to)];
  if (fresh?.kind === 'file' && old?.kind === 'file') {
    const mode = more ? old.mode | fresh.mode : old.mode;
    if (mode !== fresh.mode) await files.setMode(from, mode);
  }
  await files.rename(from, to);
}
