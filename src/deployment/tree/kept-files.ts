import { OperationError } from '../../host/errors.ts';
import type { Command, CommandResult } from '../../host/host.ts';
import { keptShape } from '../record/fact-shape.ts';
import { readStateFile } from '../record/state-file.ts';
import { evidenceFolder } from '../run/evidence.ts';
import { runStep, type Workspace } from '../run/run.ts';
import { copyMissing, returnFoldersFrom } from './copy-by-tar.ts';
import { eachWith, nulEnded } from './paths-on-input.ts';

/** What is to be kept, and what that takes. */
export interface ToKeep {
  /** From the checkout's top. */
  readonly paths: readonly string[];
  /** Those of them with something of another user or group, which a copy could not have: they are moved. */
  readonly others: readonly string[];
  /** Of the copies. */
  readonly bytes: number;
  readonly files: number;
}

export const nothingToKeep: ToKeep = { paths: [], others: [], bytes: 0, files: 0 };

/** The folder in which a run keeps the untracked files that its reset overwrites or deletes. */
export function keptFilesFolder({ checkout }: Pick<Workspace, 'checkout'>, id: string): string {
  return `${evidenceFolder({ checkout, id })}/files`;
}

/** Measures these files and folders of the checkout. Those that `stay` are copied in any case, such as a submodule. */
export async function measure(
  run: Workspace,
  inTheWay: readonly string[],
  stay: readonly string[] = [],
): Promise<ToKeep> {
  const paths = [...inTheWay, ...stay];
  if (paths.length === 0) return nothingToKeep;
  // A starting point that begins with a dash would be an option.
  const find = eachWith('find "$@" -printf "%U %G %b %H\\0"');
  const { stdout, exitCode, stderr } = await ask(run, 'measure files', find, paths.map(dotted));
  if (exitCode !== 0) throw notKept(keptFilesFolder(run, run.id), lastLine(stderr));
  const isOwn = await copiesAreOwned(run);
  const others = new Set<string>();
  let [bytes, files] = [0, 0];
  for (const [, user, group, blocks, start = ''] of stdout.matchAll(/(\d+) (\d+) (\d+) \.\/([^\0]*)\0/g)) {
    if (!isOwn(Number(user), Number(group))) others.add(start);
    bytes += Number(blocks) * blockBytes;
    files++;
  }
  for (const path of stay) others.delete(path);
  return { paths, others: [...others], bytes, files };
}

/**
 * Whether a copy can have this user and group: root gives it to anybody, everybody else only to a group of theirs
 * (chown(2)).
 */
async function copiesAreOwned(run: Workspace): Promise<(user: number, group: number) => boolean> {
  const { userId } = run.checkout.self;
  if (userId === 0) return () => true;
  const groups = new Set((await ask(run, 'groups', ['id', '-G'], [])).stdout.trim().split(' ').map(Number));
  return (user, group) => user === userId && groups.has(group);
}

/** Of `%b` of find(1). */
const blockBytes = 512;

/**
 * Copies these files of the checkout aside; they are on the disk then. What belongs to others is only noted here, and
 * moved by `moveOthers`. A copy that fails leaves nothing, and is an `OperationError`.
 */
export async function keepFiles(run: Workspace, { paths, others }: ToKeep): Promise<void> {
  if (paths.length === 0) return;
  const folder = keptFilesFolder(run, run.id);
  await run.log.line(
    'INFO',
    `Untracked files that the reset overwrites or deletes, kept in ${folder}: ${paths.length}`,
  );
  await run.log.output(`${paths.join('\n')}\n`);
  const isFirst = (await run.host.files.stat(folder)) === undefined;
  await run.host.files.makeFolder(folder, { mode: 0o700 });
  const moved = new Set(others);
  const copied = paths.filter((path) => !moved.has(path));
  await record(run, { copied, moved: others });
  const copy: Command = [
    'xargs',
    '-0',
    '--no-run-if-empty',
    'cp',
    '--archive',
    '--parents',
    `--target-directory=${folder}`,
    '--',
  ];
  const made = await ask(run, 'keep files', copy, copied);
  const ended = made.exitCode === 0 ? await ask(run, 'sync kept files', ['sync', '-f', folder], []) : made;
  if (ended.exitCode === 0) return;
  if (isFirst) await run.host.files.remove(folder);
  throw notKept(folder, lastLine(ended.stderr) || `exit code ${ended.exitCode}`);
}

/**
 * Moves what `keepFiles` has noted: call when the reset is on record, and just before it. All or none of it is moved.
 */
export async function moveOthers(run: Workspace, { others }: ToKeep): Promise<void> {
  const { files } = run.host;
  const folder = keptFilesFolder(run, run.id);
  const done: string[] = [];
  try {
    for (const path of others) {
      const kept = `${folder}/${path}`;
      await files.makeFolder(kept.slice(0, kept.lastIndexOf('/')), { mode: 0o700 });
      await files.rename(`${run.checkout.directory}/${path}`, kept);
      done.push(path);
    }
  } catch (error) {
    for (const path of done) await isMovedBack(run, `${folder}/${path}`, path);
    throw error;
  }
}

/**
 * Puts what these runs kept back to its place, after a return to an earlier commit, with its modes, owners and ACLs;
 * overwrites nothing. The copies stay. A folder that is there is left as it is.
 */
export async function returnKeptFiles(run: Workspace, runIds: readonly string[]): Promise<void> {
  for (const id of runIds) {
    const folder = keptFilesFolder(run, id);
    if ((await run.host.files.stat(folder)) === undefined) continue;
    await run.log.line('INFO', `What was kept in ${folder} is put back`);
    const { copied } = await recorded(run, id);
    await copyMissing(run, folder, [...copied, ...(await returnMoved(run, id))]);
  }
}

/**
 * Before a reset back: brings the folders back that the commit had replaced by files or links, so that what git writes
 * into them gets their group and their ACLs.
 */
export async function returnFolders(run: Workspace, runIds: readonly string[]): Promise<void> {
  const { files } = run.host;
  for (const id of runIds) {
    const folder = keptFilesFolder(run, id);
    const { copied, moved } = await recorded(run, id);
    const [made, back] = [await replacedFolders(run, id, copied), await replacedFolders(run, id, moved)];
    for (const path of [...made, ...back]) await files.remove(`${run.checkout.directory}/${path}`);
    for (const path of back) await files.rename(`${folder}/${path}`, `${run.checkout.directory}/${path}`);
    await makeAlike(run, folder, made);
  }
}

/** Folders that the run has kept and that are none now. */
async function replacedFolders(run: Workspace, id: string, paths: readonly string[]): Promise<readonly string[]> {
  const { files } = run.host;
  const replaced: string[] = [];
  for (const path of paths) {
    const kept = await files.stat(`${keptFilesFolder(run, id)}/${path}`);
    const there = kept?.kind === 'folder' ? await files.stat(`${run.checkout.directory}/${path}`) : kept;
    if (kept?.kind === 'folder' && there?.kind !== 'folder') replaced.push(path);
  }
  return replaced;
}

/**
 * Moves back what that run has moved. Returns the paths where git has made something: what is missing there has to be
 * copied.
 */
export async function returnMoved(run: Workspace, id: string): Promise<readonly string[]> {
  const taken: string[] = [];
  for (const path of (await recorded(run, id)).moved)
    if (!(await isMovedBack(run, `${keptFilesFolder(run, id)}/${path}`, path))) taken.push(path);
  return taken;
}

/** False where something is in its place. */
async function isMovedBack({ host: { files }, checkout }: Workspace, kept: string, path: string): Promise<boolean> {
  const place = `${checkout.directory}/${path}`;
  if ((await files.stat(kept)) === undefined) return true;
  if ((await files.stat(place)) !== undefined) return false;
  await files.rename(kept, place);
  return true;
}

/** Makes folders like those of which these are copies, and those in them, empty. */
async function makeAlike(run: Workspace, folder: string, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const find = await ask(run, 'kept folders', eachWith('find "$@" -type d -print0'), paths.map(dotted), folder);
  await returnFoldersFrom(run, folder, find.stdout.split('\0').slice(0, -1));
}

const dotted = (path: string): string => `./${path}`;

interface Kept {
  readonly copied: readonly string[];
  readonly moved: readonly string[];
}

/** On the disk before anything is moved. A run that keeps files more than once adds to it. */
async function record(run: Workspace, { copied, moved }: Kept): Promise<void> {
  const before = await recorded(run, run.id);
  const all: Kept = { copied: [...before.copied, ...copied], moved: [...before.moved, ...moved] };
  await run.host.files.replace(recordPath(run, run.id), JSON.stringify(all), { mode: 0o600 });
}

async function recorded(run: Workspace, id: string): Promise<Kept> {
  const record = await readStateFile(run.host.files, recordPath(run, id), keptShape);
  // Older runs have no record, and present ones none before they keep something.
  return record ?? { copied: await run.host.files.list(keptFilesFolder(run, id)), moved: [] };
}

function recordPath({ checkout }: Pick<Workspace, 'checkout'>, id: string): string {
  return `${evidenceFolder({ checkout, id })}/files.json`;
}

function ask(
  run: Workspace,
  name: string,
  command: Command,
  paths: readonly string[],
  cwd?: string,
): Promise<CommandResult> {
  const options = { env: run.settings.environment, answers: true, stdin: nulEnded(paths) } as const;
  return runStep(run, name, command, cwd === undefined ? options : { ...options, cwd });
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}

/** Why nothing may be reset: a copy of what would be lost could not be made. */
export function notKept(on: string, reason: string): OperationError {
  return new OperationError({ tried: 'Keeping a copy of what the reset discards in', on, reason });
}
