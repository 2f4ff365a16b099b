import { type Difference, differences, differencesIn } from '../git/differences.ts';
import { git } from '../git/git.ts';
import { pathsIn } from '../git/local-edits.ts';
import { listByGit, runGit, type Workspace } from '../run/run.ts';
import { umaskGiving, umaskInFolder } from '../run/umask.ts';

/** How many files are looked at: a wrong mask shows in every file. */
const sample = 20;
/** How many files vote on the umask, from all over the checkout. */
const voters = 100;

/**
 * The umask under which git gives files the modes that this checkout has: that of most tracked files, so that one which
 * somebody wrote under another umask passes nothing on, or the checkout's own where there is none.
 * `core.sharedRepository` gives more.
 */
export async function umaskOfCheckout(run: Workspace): Promise<number | undefined> {
  const { files } = run.host;
  const { directory, gitFolder } = run.checkout;
  const there = await Promise.all((await someTracked(run)).map((path) => files.stat(`${directory}/${path}`)));
  const masks = there.flatMap((file) => (file?.kind === 'file' ? [umaskGiving(file.mode)] : []));
  const folder = await files.stat(directory);
  const mask = mostFrequent(masks) ?? (folder === undefined ? undefined : umaskInFolder(folder.mode));
  const shared = /^\s*sharedrepository\s*=\s*"?(\w+)/im.exec((await files.read(`${gitFolder}/config`)) ?? '')?.[1];
  return mask === undefined ? undefined : sharedMask(mask, shared);
}

async function someTracked(run: Workspace): Promise<readonly string[]> {
  const paths = pathsIn(await listByGit(run, 'tracked files', git('ls-files', '-z')));
  const step = Math.max(1, Math.floor(paths.length / voters));
  return paths.filter((_, index) => index % step === 0).slice(0, voters);
}

/** Of several the one that takes less away. */
function mostFrequent(masks: readonly number[]): number | undefined {
  const counts = [...Map.groupBy(masks, (mask) => mask)].map(([mask, { length }]) => ({ mask, length }));
  return counts.toSorted((a, b) => b.length - a.length || a.mask - b.mask)[0]?.mask;
}

/** As git-config(1) has its values: the group may write, everybody may read, or exactly this mode. */
function sharedMask(mask: number, shared = 'umask'): number {
  if (/^0\d+$/.test(shared)) return umaskGiving(Number.parseInt(shared, 8));
  if (/^(?:group|true|yes|on|1)$/i.test(shared)) return mask & ~0o070;
  return /^(?:all|world|everybody|2)$/i.test(shared) ? mask & ~0o075 : mask;
}

/**
 * What somebody brought since that commit, as by a `git pull` under another umask, gets the permissions that git gives
 * in this checkout: the files that differ, and the folders that came with them. None is taken away; what has not
 * changed, and a folder that was there at that commit, keeps its own.
 */
export async function openChanged(run: Workspace, since: string, to: string): Promise<void> {
  const { stdout, exitCode } = await runGit(run, 'changed by hand', differences(since, to), { answers: true });
  // Git may have the old commit no more.
  const umask = exitCode === 0 ? await umaskOfCheckout(run) : undefined;
  if (umask === undefined) return;
  const list = git('ls-tree', '-r', '-d', '-z', '--name-only', since);
  const before = new Set(pathsIn(await listByGit(run, 'folders', list)));
  const came = differencesIn(stdout).flatMap(({ path, letter }) => (letter === 'D' ? [] : [...foldersOf(path), path]));
  for (const path of new Set(came))
    if (!before.has(path)) await openOne(run, `${run.checkout.directory}/${path}`, umask);
}

/**
 * Makes the folder, and those above it that are missing, with the permissions that git gives in this checkout, whatever
 * our umask is.
 */
export async function makeOpenFolder(run: Workspace, path: string): Promise<void> {
  const { files } = run.host;
  const missing: string[] = [];
  for (
    let each = path;
    each !== '' && (await files.stat(each)) === undefined;
    each = each.slice(0, each.lastIndexOf('/'))
  )
    missing.push(each);
  await files.makeFolder(path);
  const umask = missing.length === 0 ? undefined : await umaskOfCheckout(run);
  if (umask !== undefined) for (const each of missing) await openOne(run, each, umask);
}

/** Those of other users are named by `logWrongPermissions`. */
async function openOne({ host, checkout }: Workspace, path: string, umask: number): Promise<void> {
  const there = await host.files.stat(path);
  if (there === undefined || there.kind === 'link' || there.uid !== checkout.self.userId) return;
  const full = there.kind === 'folder' || (there.mode & 0o100) !== 0 ? 0o777 : 0o666;
  const mode = there.mode | (full & ~umask);
  if (mode !== there.mode) await host.files.setMode(path, mode);
}

function foldersOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** Logs which new files have fewer permissions than `umask` gives, or belong to another user. */
export async function logWrongPermissions(
  run: Workspace,
  differing: readonly Difference[],
  umask: number | undefined,
): Promise<void> {
  const wrong: string[] = [];
  for (const { path } of differing.filter(({ letter }) => letter !== 'D').slice(0, sample)) {
    const there = await run.host.files.stat(`${run.checkout.directory}/${path}`);
    if (there?.kind !== 'file') continue;
    const expected = 0o666 & ~(umask ?? 0o022);
    if (there.uid !== run.checkout.self.userId || (there.mode & expected) !== expected) wrong.push(path);
  }
  if (wrong.length === 0) return;
  await run.log.line('ERROR', `New files without the permissions or the owner of the others: ${wrong.length}`);
  await run.log.output(`${wrong.join('\n')}\n`);
}
