import type { Files } from '../../host/host.ts';
import type { Publication } from '../settings/steps.ts';

/** Renames what was built aside onto what is in use, file by file: no request meets a missing or partial file. */
export async function publish(files: Files, directory: string, publications: readonly Publication[]): Promise<void> {
  for (const { from, to } of publications) {
    const built = `${directory}/${from}`;
    if ((await files.stat(built))?.kind !== 'folder') {
      await files.rename(built, `${directory}/${to}`);
      continue;
    }
    for (const name of await files.list(built)) await files.rename(`${built}/${name}`, `${directory}/${to}/${name}`);
    await files.remove(built);
  }
}
