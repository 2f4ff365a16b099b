import { UsageError } from '../host/errors.ts';
import type { Files } from '../host/host.ts';
import { runFiles, runFolderName } from '../validation/run-folder.ts';
import type { Context } from './context.ts';
import { unusable } from './unusable.ts';

/** More that begin in the same second and folder are a mistake somewhere. */
const mostInASecond = 100;

/** A folder of its own for every run, with its settings: `--out`, or a name by the time that nobody else has taken. */
export async function createRunFolder(
  { host: { files, clock } }: Pick<Context, 'host'>,
  out: string | undefined,
  kind: 'rehearsal' | 'cluster',
  settings: string,
): Promise<string> {
  const name = `runs/${runFolderName(clock.wallAt(), kind)}`;
  const names = out === undefined ? [name, ...numbered(name)] : [out];
  for (const folder of names) if (await isClaimed(files, folder, settings)) return folder;
  throw taken(out ?? name);
}

/** One of the folders of `--repeat`. */
export async function claimRunFolder(files: Files, folder: string, settings: string): Promise<void> {
  if (!(await isClaimed(files, folder, settings))) throw taken(folder);
}

const numbered = (name: string): readonly string[] =>
  Array.from({ length: mostInASecond - 1 }, (_, index) => `${name}-${index + 2}`);

const taken = (folder: string): UsageError => new UsageError([`${folder} already holds a run; give another --out.`]);

const isClaimed = (files: Files, folder: string, settings: string): Promise<boolean> =>
  claim(files, folder, settings).catch(unusable('The run folder cannot be made', 'give another --out'));

/** Of two that begin at once one makes the settings file. */
async function claim(files: Files, folder: string, settings: string): Promise<boolean> {
  if ((await files.stat(`${folder}/${runFiles.journal}`)) !== undefined) return false;
  await files.makeFolder(folder);
  return files.create(`${folder}/${runFiles.settings}`, settings);
}
