import * as z from 'zod';
import { UsageError } from '../../host/errors.ts';
import type { Files } from '../../host/host.ts';
import { runFiles, runFolderName } from '../../validation/record/run-folder.ts';
import { asUsageError } from '../command/as-usage-error.ts';
import type { Context } from '../command/context.ts';

/** More runs than this in one second and folder are taken for a mistake. */
const mostInASecond = 100;

/** Makes the folder of a run and writes its settings there: `--out`, or a name by the time that is still free. */
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

/** `--out`. With an empty name the files would be written to the root folder. */
export const runFolderFlag = z.string().refine((path) => path !== '', { error: "is '', which names no folder" });

/** A `UsageError` if `--out`, or a folder in it that `--repeat` would use, already holds a run. */
export async function requireFreeFolders(files: Files, out: string | undefined, runs = 1): Promise<void> {
  if (out === undefined || out === '') return;
  const folders = [out, ...(runs > 1 ? await foldersOfRepeat(files, out, runs) : [])];
  const held = await Promise.all(folders.map((folder) => holdsRun(files, folder))).catch(cannotBeMade);
  const mistakes = folders.filter((_, index) => held[index]).flatMap((folder) => taken(folder).mistakes);
  if (mistakes.length > 0) throw new UsageError(mistakes);
}

/** Makes the folder of one run of `--repeat`, with its settings. */
export async function claimRunFolder(files: Files, folder: string, settings: string): Promise<void> {
  if (!(await isClaimed(files, folder, settings))) throw taken(folder);
}

const numbered = (name: string): readonly string[] =>
  Array.from({ length: mostInASecond - 1 }, (_, index) => `${name}-${index + 2}`);

const taken = (folder: string): UsageError =>
  new UsageError([`${folder} already holds a run: name another folder with --out.`]);

const cannotBeMade = asUsageError('the run folder cannot be made', 'name another folder with --out');

/** Only those that exist, because `--repeat` may be any number. */
async function foldersOfRepeat(files: Files, out: string, runs: number): Promise<readonly string[]> {
  if ((await files.stat(`${out}/.`).catch(cannotBeMade)) === undefined) return [];
  const names = await files.list(out).catch(cannotBeMade);
  const numbers = names.filter((name) => /^[1-9]\d*$/.test(name) && Number(name) <= runs);
  return numbers.toSorted((a, b) => Number(a) - Number(b)).map((name) => `${out}/${name}`);
}

const holdsRun = async (files: Files, folder: string): Promise<boolean> =>
  (await files.stat(`${folder}/${runFiles.journal}`)) !== undefined ||
  (await files.stat(`${folder}/${runFiles.settings}`)) !== undefined;

const isClaimed = (files: Files, folder: string, settings: string): Promise<boolean> =>
  claim(files, folder, settings).catch(cannotBeMade);

/** Creating the settings file decides between two runs that begin at once. */
async function claim(files: Files, folder: string, settings: string): Promise<boolean> {
  if ((await files.stat(`${folder}/${runFiles.journal}`)) !== undefined) return false;
  await files.makeFolder(folder);
  return files.create(`${folder}/${runFiles.settings}`, settings);
}
