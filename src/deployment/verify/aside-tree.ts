import { OperationError } from '../../host/errors.ts';
import { git } from '../git/git.ts';
import { pathsIn } from '../git/local-edits.ts';
import { listByGit, type Run, runGit, runStep, type Workspace } from '../run/run.ts';
import type { AsidePreset } from '../settings/preset.ts';

/** The folder of the copy in which an application is started aside. */
export function asideTree({ checkout }: Pick<Workspace, 'checkout'>): string {
  return `${asideFolder(checkout)}/tree`;
}

/** Removes it, also one that a killed run has left. */
export async function removeAside({ host, checkout }: Pick<Workspace, 'host' | 'checkout'>): Promise<void> {
  await host.files.remove(asideFolder(checkout));
}

function asideFolder({ stateFolder }: Workspace['checkout']): string {
  return `${stateFolder}/aside`;
}

/** Why the commit cannot be copied aside; undefined where it can. */
export async function obstacleTo(run: Run, commit: string): Promise<string | undefined> {
  const [special, space] = await Promise.all([hasSpecialFiles(run, commit), hasSpace(run, commit)]);
  if (special) return 'it has submodules, or files that a filter of git writes';
  return space ? undefined : 'the disk has too little room';
}

/** Writes the files of the commit: what is there already is changed to them. A failure is an `OperationError`. */
export async function writeCommit(run: Run, commit: string): Promise<void> {
  const tree = asideTree(run);
  await run.host.files.makeFolder(tree, { mode: 0o700 });
  const words = ['read-tree', '--reset', '-u', '--no-recurse-submodules', commit];
  const env = { ...run.checkout.gitEnvironment, GIT_INDEX_FILE: `${asideFolder(run.checkout)}/index` };
  const command = git('-c', 'core.fsync=none', `--work-tree=${tree}`, ...words);
  const { exitCode } = await runStep(run, 'copy aside', command, { env, signal: run.interruption });
  if (exitCode !== 0) throw failure('Writing', commit, `git ended with exit code ${exitCode}`);
}

/**
 * Adds what git does not track: folders of its own, copies of installed packages, links to everything else. A failure
 * is an `OperationError`.
 */
export async function addUntracked(run: Run, aside: AsidePreset, paths: readonly string[]): Promise<void> {
  const { directory } = run.checkout;
  const tree = asideTree(run);
  const links = [...aside.linked, ...paths];
  const words = [String(aside.own.length), ...aside.own, String(aside.linked.length), ...links];
  const command = ['sh', '-c', adding, 'sh', directory, tree, ...words] as const;
  const options = { env: run.settings.environment, signal: run.interruption };
  const { exitCode } = await runStep(run, 'link aside', command, options);
  if (exitCode !== 0) throw failure('Linking', directory, `exit code ${exitCode}`);
}

/**
 * The files and folders of the checkout that git does not track and that the application may need. Too many are an
 * `OperationError`.
 */
export async function untrackedPaths(
  run: Workspace,
  { own, linked, shallow }: AsidePreset,
): Promise<readonly string[]> {
  const excluded = [
    ...[...own, ...linked].map((path) => `:(exclude)${path}`),
    ...shallow.map((path) => `:(exclude,glob)${path}/*/?*`),
  ];
  const list = git('ls-files', '-z', '--others', '--directory', '--', '.', ...excluded);
  const paths = pathsIn(await listByGit(run, 'untracked files', list));
  if (paths.length <= mostPaths) return paths;
  throw failure('Linking', run.checkout.directory, `git does not track ${paths.length} files`);
}

/** Each is a process: more would take seconds. */
const mostPaths = 500;

/**
 * Copies a folder of packages by hard links: their code asks for the folder that it lies in, which a symbolic link
 * would lead back to the checkout. A link of the commit where a folder of its own is expected would lead writes out of
 * the copy.
 */
const adding = `set -e
from=$1 tree=$2 count=$3; shift 3
while [ "$count" -gt 0 ]; do
  above=$1/
  while above=\${above%/*}; [ -n "$above" ]; do
    if [ -L "$tree/$above" ] || [ -L "$from/$above" ]; then echo "$above is a symbolic link" >&2; exit 1; fi
    case $above in */*) ;; *) break ;; esac
  done
  if [ ! -d "$tree/$1" ]; then mkdir -p "$tree/$1"; fi
  count=$((count - 1)); shift
done
linked=$1; shift
for path; do
  path=\${path%/}
  own=$tree/$path
  if [ "$linked" -gt 0 ]; then
    linked=$((linked - 1))
    if [ ! -e "$from/$path" ]; then continue; fi
    rm -rf "$own"
  fi
  if [ -e "$own" ] || [ -L "$own" ]; then continue; fi
  case $path in */*) if [ ! -d "\${own%/*}" ]; then mkdir -p "\${own%/*}"; fi ;; esac
  if [ -e "$from/$path/autoload.php" ] && [ ! -L "$from/$path" ]; then cp -al "$from/$path" "$own"
  else ln -s "$from/$path" "$own"; fi
done
`;

/**
 * Whether the commit has submodules or files that git writes through a filter: these take time, and a filter may ask
 * the network.
 */
async function hasSpecialFiles(run: Workspace, commit: string): Promise<boolean> {
  const patterns = ['-e', 'filter=', '-e', 'path *='];
  const files = ['.gitmodules', ':(top,glob)**/.gitattributes'];
  const search = git('grep', '--quiet', ...patterns, commit, '--', ...files);
  return (await runGit(run, 'special files', search, { answers: true, oneIsAnswer: true })).exitCode === 0;
}

/** With so much free, the size of the commit is not measured. */
const plentyBytes = 4 * 1024 ** 3;
const plentyFiles = 200_000;
/** For the packages' folders, and for everybody else. */
const reserve = { bytes: 256 * 1024 * 1024, files: 20_000 };
const blockBytes = 4096;

async function hasSpace(run: Workspace, commit: string): Promise<boolean> {
  const free = await run.host.files.freeSpace(run.checkout.stateFolder);
  if (free.bytes > plentyBytes && free.files > plentyFiles) return true;
  const list = git('ls-tree', '-r', '-l', commit);
  const listed = await listByGit(run, 'size of the commit', list);
  const sizes = [...listed.matchAll(/^\S+ blob \S+ +(\d+)\t/gm)].map(([, size]) => Number(size));
  const bytes = sizes.reduce((total, size) => total + Math.ceil(size / blockBytes) * blockBytes, 0);
  return free.bytes > bytes + reserve.bytes && free.files > sizes.length + reserve.files;
}

function failure(tried: string, on: string, reason: string): OperationError {
  return new OperationError({ tried: `${tried} a copy aside of`, on, reason });
}
