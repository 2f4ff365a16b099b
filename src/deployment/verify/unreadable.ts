import type { Files, Host } from '../../host/host.ts';
import type { Checkout } from '../checkout/checkout.ts';
import { git } from '../git/git.ts';
import { pathsIn } from '../git/local-edits.ts';
import { poolUsers } from '../opcache/refresh.ts';
import type { DeploymentSettings } from '../settings/settings.ts';
import type { Step } from '../settings/steps.ts';

/** A user that php-fpm runs the site as, and what it cannot read. */
export interface Unreadable {
  readonly user: string;
  /** The checkout and the folders above it that cannot be entered: then nothing of it is seen. */
  readonly shut: readonly string[];
  /** From the checkout's top; folders that cannot be entered are among them. */
  readonly tracked: readonly string[];
  readonly caches: readonly string[];
}

/**
 * What the users of the pools that serve the checkout cannot read in it; nothing where they are the deploy's own user.
 */
export async function findUnreadable(
  host: Host,
  settings: DeploymentSettings,
  checkout: Checkout,
): Promise<readonly Unreadable[]> {
  const found: Unreadable[] = [];
  for (const user of await poolUsers(host, settings, checkout)) {
    const reader = await readerOf(host.files, user);
    if (reader === undefined || reader.uid === 0 || reader.uid === checkout.self.userId) continue;
    const [shut, closed] = await Promise.all([
      shutTo(host, checkout.directory, reader, settings.environment),
      closedTo(host, checkout.directory, reader, settings.environment),
    ]);
    if (shut.length + closed.length === 0) continue;
    const listing = git('ls-files', '-z');
    const options = { cwd: checkout.directory, env: checkout.gitEnvironment, timeoutSeconds: 60 };
    const known = pathsIn((await host.run(listing, options)).stdout);
    const folders = new Set(known.flatMap(foldersOf));
    const isTracked = new Set([...known, ...folders]);
    const isCache = cachesOf(settings);
    found.push({
      user,
      shut,
      tracked: closed.filter((path) => isTracked.has(path)),
      caches: closed.filter((path) => !isTracked.has(path) && isCache(path)),
    });
  }
  return found;
}

interface Reader {
  readonly uid: number;
  readonly gids: readonly number[];
}

/** As passwd(5) and group(5) have it; undefined for a user of another source. */
async function readerOf(files: Files, user: string): Promise<Reader | undefined> {
  const entries = async (path: string) =>
    ((await files.read(path).catch(() => undefined)) ?? '').split('\n').map((line) => line.split(':'));
  const own = (await entries('/etc/passwd')).find(([name]) => name === user);
  if (own === undefined) return undefined;
  const groups = (await entries('/etc/group')).filter(([, , , members = '']) => members.split(',').includes(user));
  return { uid: Number(own[2]), gids: [own[3], ...groups.map(([, , gid]) => gid)].map(Number) };
}

/** Files that the reader cannot read and folders that it cannot enter, from the checkout's top. */
async function closedTo(
  host: Pick<Host, 'run'>,
  directory: string,
  reader: Reader,
  env: DeploymentSettings['environment'],
): Promise<readonly string[]> {
  const file = ['-type', 'f', '!', ...may(reader, 4)];
  const folder = ['-type', 'd', '!', ...may(reader, 1)];
  const skipped = ['-path', './.git', '-prune', '-o'];
  const found = await findWithoutAcl(
    host,
    ['.', '-xdev', ...skipped, '(', ...file, '-o', ...folder, ')'],
    directory,
    env,
  );
  // The top itself is one of those that are shut.
  return found.filter((path) => path !== '.').map((path) => path.replace(/^\.\//, ''));
}

/** The checkout and the folders above it that the reader cannot enter, from the top of the file system. */
function shutTo(
  host: Pick<Host, 'run'>,
  directory: string,
  reader: Reader,
  env: DeploymentSettings['environment'],
): Promise<readonly string[]> {
  const parts = directory.split('/').slice(1);
  const above = ['/', ...parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`)];
  return findWithoutAcl(host, [...above, '-maxdepth', '0', '-type', 'd', '!', ...may(reader, 1)], '/', env);
}

/** The words of find(1) for what the reader may do by its modes: 4 reads a file, 1 enters a folder. */
function may({ uid, gids }: Reader, bit: number): readonly string[] {
  const inGroup = ['(', ...gids.flatMap((gid) => ['-o', '-gid', String(gid)]).slice(1), ')'];
  const perm = (shift: number) => ['-perm', `-${(bit << shift).toString(8).padStart(3, '0')}`];
  const own = ['-uid', String(uid), ...perm(6)];
  const group = ['!', '-uid', String(uid), ...inGroup, ...perm(3)];
  const other = ['!', '-uid', String(uid), '!', ...inGroup, ...perm(0)];
  return ['(', ...own, '-o', ...group, '-o', ...other, ')'];
}

/** Files with an ACL are not judged: `ls` marks their mode with a plus. */
async function findWithoutAcl(
  host: Pick<Host, 'run'>,
  find: readonly string[],
  cwd: string,
  env: DeploymentSettings['environment'],
): Promise<readonly string[]> {
  const name = 's,^.* \\(\\.\\{0\\,1\\}/\\),\\1,; s,^.* \\.$,.,';
  const script = `find "$@" -print0 | xargs -0 -r ls -Uldq -- | grep -v "^[^ ]*+ " | sed '${name}'`;
  const { stdout } = await host.run(['sh', '-c', script, 'sh', ...find], { cwd, env, timeoutSeconds: 60 });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .toSorted();
}

function foldersOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** Whether a path is one that the steps of the caches write. */
function cachesOf({ caches, manifests }: DeploymentSettings): (path: string) => boolean {
  const written = [...caches.clear, ...caches.rebuild].flatMap(writtenBy);
  const names = new Set([...manifests, ...written]);
  return (path) => names.has(path) || names.has(path.slice(0, path.lastIndexOf('/')));
}

/** Files, and the folders of patterns. */
function writtenBy({ leaves, publish = [], together }: Step): readonly string[] {
  const left = leaves === undefined ? [] : Object.values(leaves);
  const published = [...publish, ...(together?.publish ?? [])].map(({ to }) => to);
  return [...left, ...published].map((path) => path.replace(/\/[^/]*\*[^/]*$/, ''));
}
