import { inParallel } from '../../host/in-parallel.ts';
import { git } from '../git/git.ts';
import { pathsIn } from '../git/local-edits.ts';
import { listByGit, type Workspace } from '../run/run.ts';
import { keepFoldersIn, returnFoldersFrom } from './copy-by-tar.ts';
import { keepsUnseen, keepUnseen, returnUnseen, showToGit, unseenFiles } from './hidden-edits.ts';
import { alikeFolder, hold } from './hold-folders.ts';

/**
 * Moves submodules by `git submodule update`, and keeps what it would lose in those that are here: folders that it
 * empties, as `holdFolders` keeps those of the checkout, and edits that git was told not to see.
 */
export async function moveSubmodules<T>(run: Workspace, update: () => Promise<T>): Promise<T> {
  // A release has submodules of its own, in which nobody has changed anything.
  const moved = run.settings.mode === 'releases' ? [] : await movedSubmodules(run);
  await holdFoldersIn(run, moved);
  const insides = moved.map((path) => inside(run, path));
  for (const each of insides) await showEdits(each);
  const result = await update();
  for (const each of insides) await returnUnseen(each, [each.id]);
  return result;
}

/** The same run in a submodule. What it keeps of it has a folder of its own among what the run keeps. */
function inside(run: Workspace, path: string): Workspace {
  return {
    ...run,
    id: `${run.id}/submodules/${path}`,
    checkout: { ...run.checkout, directory: placeOf(run, path) },
  };
}

/** Where git does not see an edit it refuses to move the submodule. On the way back they are kept already. */
async function showEdits(inside: Workspace): Promise<void> {
  const unseen = await unseenFiles(inside);
  if (!(await keepsUnseen(inside))) await keepUnseen(inside, unseen);
  await showToGit(
    inside,
    unseen.filter(({ isEdited }) => isEdited),
  );
}

/** A folder that a former update of this run, or of a killed one, has replaced by a file is made again first. */
async function holdFoldersIn(run: Workspace, moved: readonly string[]): Promise<void> {
  const folders: string[] = [];
  for (const path of moved) {
    await returnReplaced(run, path);
    folders.push(...(await foldersOf(run, path)));
  }
  if (folders.length === 0) return;
  await run.host.files.makeFolder(alikeFolder(run), { mode: 0o700 });
  await keepFoldersIn(run, alikeFolder(run), folders);
  await hold(run, { folders, leaving: folders });
}

/** Those that are here at another commit than the one that the update brings. */
async function movedSubmodules(run: Workspace): Promise<readonly string[]> {
  const list = git('diff', '--name-only', '-z', '--no-ext-diff', '--ignore-submodules=dirty', '--');
  const moved = pathsIn(await listByGit(run, 'moved submodules', list));
  const there = await inParallel(moved, mostAtOnce, (path) => run.host.files.stat(`${placeOf(run, path)}/.git`));
  return moved.filter((_, index) => there[index] !== undefined);
}

/** The folders below a submodule, and below those in it, that directly hold a tracked file; none behind a link. */
async function foldersOf(run: Workspace, submodule: string): Promise<readonly string[]> {
  const list = git('-C', placeOf(run, submodule), 'ls-files', '-z', '--recurse-submodules');
  const within = pathsIn(await listByGit(run, 'files of submodules', list)).filter((path) => path.includes('/'));
  const above = [...new Set(within.map((path) => `${submodule}/${path.slice(0, path.lastIndexOf('/'))}`))];
  const real = await inParallel(above, mostAtOnce, (folder) => run.host.files.realPath(placeOf(run, folder)));
  return above.filter((folder, index) => real[index] === placeOf(run, folder));
}

async function returnReplaced(run: Workspace, submodule: string): Promise<void> {
  const { files } = run.host;
  const alike = alikeFolder(run);
  const replaced = await replacedIn(run, `${alike}/${submodule}`, submodule);
  for (const path of replaced) await files.remove(placeOf(run, path));
  await returnFoldersFrom(run, alike, replaced);
}

/** The folders of which an empty one is kept, and that are files or links now. */
async function replacedIn(run: Workspace, kept: string, path: string): Promise<readonly string[]> {
  const { files } = run.host;
  if ((await files.stat(kept))?.kind !== 'folder') return [];
  const there = await files.stat(placeOf(run, path));
  const own = there !== undefined && there.kind !== 'folder' ? [path] : [];
  const names = await files.list(kept);
  const inside: string[] = [];
  for (const name of names) inside.push(...(await replacedIn(run, `${kept}/${name}`, `${path}/${name}`)));
  return [...own, ...inside];
}

function placeOf({ checkout }: Pick<Workspace, 'checkout'>, path: string): string {
  return `${checkout.directory}/${path}`;
}

/** More wait for one of Node's four threads for files. */
const mostAtOnce = 16;
