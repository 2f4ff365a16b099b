import type { Command, FileStat } from '../../host/host.ts';
import { inParallel } from '../../host/in-parallel.ts';
import { git } from '../git/git.ts';
import { listByGit, runGit, runStep, type Workspace } from '../run/run.ts';
import { unseenFiles } from './hidden-edits.ts';

/** A file, a link or a whole new folder that git has written aside, to be renamed into the checkout. */
export interface StagedMove {
  /** From the checkout's top. */
  readonly path: string;
  /** Whether the checkout has nothing at its path. */
  readonly isNew: boolean;
  /** The path, or those of all files in the folder. */
  readonly files: readonly string[];
}

/**
 * Writes the files of a reset to this commit aside: git itself deletes a file before it writes it, and a request in
 * between gets an error (docs/facts/git.md, "Fetch and reset"). Returns the moves; files that only git can write are
 * not among them.
 */
export async function stageFiles(
  run: Workspace,
  commit: string,
  umask: number | undefined,
): Promise<readonly StagedMove[]> {
  const { tree, index, merged } = asideIn(run);
  await removeStaged(run);
  await run.host.files.makeFolder(tree, { mode: 0o700 });
  // The merge of one tree, which writes what differs from the index and finds nothing in its way.
  const words = ['read-tree', '-m', '-u', '--no-recurse-submodules', `--index-output=${index}`, commit];
  const write = git('-c', 'core.fsync=none', `--work-tree=${tree}`, ...words);
  const isSpecial = (await isUnmerged(run)) || (await unseenFiles(run)).length > 0;
  const from = isSpecial ? await indexOfHead(run, merged) : {};
  const env = { ...run.checkout.gitEnvironment, ...from };
  const mask = umask === undefined ? {} : { umask };
  const { exitCode } = await runStep(run, 'stage files', write, { env, ...mask });
  return exitCode === 0 ? withoutOtherAcls(run, await movesIn(run, '')) : [];
}

/** Git merges nothing into an index with conflicts, which a merge or a `git stash pop` has left. */
async function isUnmerged(run: Workspace): Promise<boolean> {
  return (await listByGit(run, 'conflicts', git('ls-files', '--unmerged', '-z'))) !== '';
}

/** The variables that give a git command another index, without conflicts. */
async function indexOfHead(run: Workspace, path: string): Promise<Readonly<Record<string, string>>> {
  await runGit(run, 'index of HEAD', git('read-tree', `--index-output=${path}`, 'HEAD'));
  return { GIT_INDEX_FILE: path };
}

/**
 * A file inherits the default ACL of the folder that it is made in: where the two folders' differ, git writes it in its
 * place.
 */
async function withoutOtherAcls(run: Workspace, moves: readonly StagedMove[]): Promise<readonly StagedMove[]> {
  if (moves.length === 0) return moves;
  const folders = [...new Set(moves.map(({ path }) => folderOf(path)))];
  const others = await otherAcls(run, [asideIn(run).tree, run.checkout.directory], folders);
  return moves.filter(({ path }) => !others.has(folderOf(path)));
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/**
 * Renames the staged files into their places, new ones first, and adds them to git's index: the reset that follows
 * finds them there. A rename that fails is left to that reset.
 */
export async function placeFiles(run: Workspace, moves: readonly StagedMove[]): Promise<void> {
  // Another git is at work: the reset will fail, so nothing may be touched.
  if ((await run.host.files.stat(`${run.checkout.gitFolder}/index.lock`)) !== undefined) return;
  const done: StagedMove[] = [];
  for (const move of moves.toSorted((a, b) => Number(b.isNew) - Number(a.isNew)))
    if (await isPlaced(run, move)) done.push(move);
  const placed = done.flatMap(({ files }) => files);
  if (placed.length === 0) return;
  const tell = git('update-index', '--add', '--replace', '-z', '--stdin');
  await runGit(run, 'index', tell, { stdin: placed.map((path) => `${path}\0`).join('') });
}

function isPlaced(run: Workspace, { path }: StagedMove): Promise<boolean> {
  return run.host.files.place(`${asideIn(run).tree}/${path}`, `${run.checkout.directory}/${path}`).then(
    () => true,
    () => false,
  );
}

/** Removes the staged files, also those that a killed run has left. */
export async function removeStaged(run: Workspace): Promise<void> {
  await run.host.files.remove(asideIn(run).folder);
}

interface Aside {
  readonly folder: string;
  readonly tree: string;
  readonly index: string;
  /**
   * An index of HEAD, for a checkout whose own index has conflicts or files that git ignores (assume-unchanged,
   * skip-worktree).
   */
  readonly merged: string;
}

/** On the checkout's file system, where a rename is one step. */
function asideIn({ checkout }: Pick<Workspace, 'checkout'>): Aside {
  const folder = `${checkout.stateFolder}/staged`;
  return { folder, tree: `${folder}/tree`, index: `${folder}/index`, merged: `${folder}/merged` };
}

/** Descends folder by folder, so that no link leads a rename out of the checkout. */
async function movesIn(run: Workspace, path: string): Promise<readonly StagedMove[]> {
  const { tree } = asideIn(run);
  const [aside, there] = await Promise.all(
    [tree, run.checkout.directory].map((top) => run.host.files.stat(`${top}/${path}`)),
  );
  if (aside === undefined || !isReplaceable(aside, there)) return [];
  const isNew = there === undefined;
  if (aside.kind !== 'folder') return [{ path, isNew, files: [path] }];
  const names = await run.host.files.list(`${tree}/${path}`);
  const within = (name: string) => movesIn(run, path === '' ? name : `${path}/${name}`);
  const inside = (await inParallel(names, mostAtOnce, within)).flatMap((moves) => moves ?? []);
  return isNew && inside.length > 0 ? [{ path, isNew, files: inside.flatMap(({ files }) => files) }] : inside;
}

/** In each folder of a path: of 100,000 files not all may wait at once. */
const mostAtOnce = 4;

/** False if the path has something else, such as a folder where the commit has a file: that is left to git. */
function isReplaceable(aside: FileStat, there: FileStat | undefined): boolean {
  if (there === undefined) return true;
  if (aside.kind === 'folder') return there.kind === 'folder' && groupFor(aside) === groupFor(there);
  return there.kind === 'file' || there.kind === 'link';
}

/**
 * The group that new files in a folder get from it (inode(7), the set-group-ID bit); undefined for the user's own
 * group.
 */
function groupFor({ mode, gid }: FileStat): number | undefined {
  return (mode & 0o2000) === 0 ? undefined : gid;
}

/**
 * Of these folders, which exist below both tops, those whose default ACLs (acl(5)) differ; all of them where that
 * cannot be found out.
 */
async function otherAcls(
  run: Workspace,
  [one, two]: readonly [string, string],
  folders: readonly string[],
): Promise<ReadonlySet<string>> {
  const below = (some: readonly string[]) => [one, two].flatMap((top) => some.map((folder) => `${top}/${folder}`));
  const lines = (await ask(run, ['xargs', '-0', 'ls', '-Uldq', '--'], below(folders))).split('\n').slice(0, -1);
  const isListed = lines.length === 2 * folders.length;
  const [hasOne, hasTwo] = [marksIn(lines.slice(0, folders.length)), marksIn(lines.slice(folders.length))];
  const both = folders.filter((_, index) => hasOne[index] && hasTwo[index]);
  const acls = both.length === 0 ? [] : await defaultAcls(run, below(both));
  const areComplete = isListed && acls.length === 2 * both.length;
  const same = new Set(both.filter((_, index) => areComplete && acls[index] === acls[index + both.length]));
  return new Set(folders.filter((each, index) => !isListed || ((hasOne[index] || hasTwo[index]) && !same.has(each))));
}

/** Which of these lines of `ls` carry the mark `+` for an ACL. */
function marksIn(lines: readonly string[]): readonly boolean[] {
  return lines.map((line) => /^\S+\+ /.test(line));
}

/**
 * The default ACLs as pax(1) records, one for each path that has one. tar prints them, so no package for ACLs is
 * needed.
 */
async function defaultAcls(run: Workspace, paths: readonly string[]): Promise<readonly string[]> {
  const list = ['--format=posix', '--no-recursion', '--null', '--files-from=-'] as const;
  const archive = await ask(run, ['tar', '--create', '--file=-', '--acls', '--absolute-names', ...list], paths);
  const records = archive.matchAll(/(\d+) SCHILY\.acl\.default=/g);
  return [...records].map(({ 1: length, index }) => archive.slice(index, index + Number(length)));
}

async function ask(run: Workspace, command: Command, paths: readonly string[]): Promise<string> {
  const stdin = paths.map((path) => `${path}\0`).join('');
  const { stdout } = await runStep(run, 'folders', command, { env: run.settings.environment, stdin, answers: true });
  return stdout;
}
