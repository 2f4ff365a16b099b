import { inParallel } from '../../host/in-parallel.ts';
import type { Difference } from '../git/differences.ts';
import { heldShape } from '../record/fact-shape.ts';
import { readStateFile } from '../record/state-file.ts';
import { runStep, type Workspace } from '../run/run.ts';
import { eachWith, nulEnded } from './paths-on-input.ts';

/** In a folder that a reset empties. Hidden from visitors by the usual rule for names that begin with a dot. */
const holderName = '.holdfast-holds-this-folder';

/** On record before anything is made: any later run lets go of what a killed one holds. */
export interface Held {
  /** With a holder in each. */
  readonly folders: readonly string[];
  /** Those where the commit removes a file: git would remove them, once they are empty. */
  readonly leaving: readonly string[];
}

/**
 * Before a reset between commits that differ so: keeps each folder that it, or the way back after it, may empty. Git
 * removes such a folder and later makes another, with neither its owner nor its mode nor its ACLs. `letFoldersGo` ends
 * it.
 */
export async function holdFolders(run: Workspace, differing: readonly Difference[]): Promise<void> {
  const goes = differing.flatMap(({ path, letter }) => (letter === 'D' ? [path] : []));
  const comes = differing.flatMap(({ path, letter }) => (letter === 'A' ? [path] : []));
  const folders = await deepestFolders(run, [...new Set([...goes, ...comes].map(above))]);
  // A folder that becomes a file or a link cannot be kept.
  const replaced = new Set(differing.flatMap(({ path, letter }) => (letter === 'D' ? [] : [path])));
  const standing = [...folders].filter((folder) => !isWithin(folder, replaced));
  // A folder that the commit adds is removed again by a rollback, even if a file of the server is at its path now.
  const passing = new Set([...goes, ...comes]);
  const emptied = await inParallel(standing, mostAtOnce, (folder) => isEmptied(run, folder, passing));
  const held = standing.filter((_, index) => emptied[index]);
  const left = new Set(goes.map(above));
  await hold(run, { folders: held, leaving: held.filter((folder) => left.has(folder)) });
}

/** Holds these folders of the checkout, which are there. */
export async function hold(run: Workspace, { folders, leaving }: Held): Promise<void> {
  if (folders.length === 0) return;
  const before = await heldNow(run);
  const all: Held = {
    folders: [...new Set([...before.folders, ...folders])],
    leaving: [...new Set([...before.leaving, ...leaving])],
  };
  await run.host.files.replace(recordPath(run), JSON.stringify(all), { mode: 0o600 });
  await onEach(run, 'hold folders', 'touch -- "$@"', folders.map(holderIn));
}

/** At the end of a run. What the live commit has no file in is removed, as git does it, unless `unfinished`. */
export async function letFoldersGo(run: Workspace, unfinished: boolean): Promise<void> {
  const { folders, leaving } = await heldNow(run);
  if (folders.length === 0) return;
  await onEach(run, 'let folders go', 'rm -f -- "$@"', folders.map(holderIn));
  const remove = 'rmdir --parents --ignore-fail-on-non-empty -- "$@" 2>/dev/null; true';
  if (!unfinished)
    await onEach(
      run,
      'remove empty folders',
      remove,
      leaving.filter((path) => path !== ''),
    );
  await run.host.files.remove(recordPath(run));
  await run.host.files.remove(alikeFolder(run));
}

/** The deepest folders that are there at these paths or above them, none behind a link. */
async function deepestFolders(run: Workspace, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const kinds = new Map<string, Promise<boolean>>();
  const isFolder = (path: string): Promise<boolean> => {
    const known = kinds.get(path) ?? run.host.files.stat(placeOf(run, path)).then((there) => there?.kind === 'folder');
    kinds.set(path, known);
    return known;
  };
  const deepest = async (path: string): Promise<string> => {
    let found = '';
    for (const each of withFoldersAbove(path)) {
      if (!(await isFolder(each))) break;
      found = each;
    }
    return found;
  };
  return new Set((await inParallel(paths, mostAtOnce, deepest)).flatMap((path) => path ?? []));
}

async function isEmptied(run: Workspace, folder: string, passing: ReadonlySet<string>): Promise<boolean> {
  if (folder === '') return false;
  const names = await run.host.files.list(placeOf(run, folder));
  return names.every((name) => passing.has(`${folder}/${name}`));
}

/** More wait for one of Node's four threads for files. */
const mostAtOnce = 16;

function withFoldersAbove(path: string): readonly string[] {
  const parts = path.split('/');
  return path === '' ? [] : parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

function isWithin(path: string, places: ReadonlySet<string>): boolean {
  return withFoldersAbove(path).some((each) => places.has(each));
}

const above = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

const holderIn = (folder: string): string => `./${folder}/${holderName}`;

function placeOf({ checkout }: Pick<Workspace, 'checkout'>, path: string): string {
  return `${checkout.directory}/${path}`;
}

async function heldNow(run: Workspace): Promise<Held> {
  return (await readStateFile(run.host.files, recordPath(run), heldShape)) ?? { folders: [], leaving: [] };
}

/** Where empty folders like the held ones may be kept as long as they are held. */
export function alikeFolder({ checkout }: Pick<Workspace, 'checkout'>): string {
  return `${checkout.stateFolder}/held-folders`;
}

function recordPath({ checkout }: Pick<Workspace, 'checkout'>): string {
  return `${checkout.stateFolder}/held-folders.json`;
}

async function onEach(run: Workspace, name: string, line: string, paths: readonly string[]): Promise<void> {
  const options = { env: run.settings.environment, stdin: nulEnded(paths) };
  if (paths.length > 0) await runStep(run, name, eachWith(line), options);
}
