import { OperationError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import { readReleases, recordsName } from '../releases/release.ts';
import { runStep, type Workspace } from '../run/run.ts';

/** How many archives are kept; the oldest are removed first. */
export const keptArchives = 5;

/**
 * The backup of 4.3: a timestamped compressed archive of the checkout in the backup directory, with permissions and
 * owners, paths from the root of the file system. It gets its name when it is complete; its SHA-256 is in a file beside
 * it. Returns the archive's path. Rejects with an `OperationError`, before anything has been touched.
 */
export async function backup(run: Workspace, backupDir: string): Promise<string> {
  const folder = await backupFolder(run, backupDir);
  const { directory } = run.checkout;
  const { compression, suffix } = await compressionHere(run.host, run.settings.environment);
  const stamp = new Date(run.host.clock.wallAt()).toISOString().replace(/[-:]|\.\d+/g, '');
  const archive = `${folder}/${directory.slice(directory.lastIndexOf('/') + 1)}-${stamp}${suffix}`;
  await createArchive(run, `${archive}.part`, compression);
  await writeSum(run, `${archive}.part`, archive);
  await run.host.files.rename(`${archive}.part`, archive);
  await run.log.line('INFO', `Backup: ${archive}`);
  await prune(run, folder, suffix);
  return archive;
}

/** An archive in the checkout would contain itself, and the next reset or clean might remove it. */
export async function backupFolder(run: Workspace, backupDir: string): Promise<string> {
  const { files } = run.host;
  const { directory } = run.checkout;
  await files.makeFolder(backupDir, { mode: 0o700 });
  const folder = (await files.realPath(backupDir)) ?? backupDir;
  if (folder !== directory && !folder.startsWith(`${directory}/`)) return folder;
  throw new OperationError({ tried: 'Making a backup in', on: folder, reason: 'it lies in the checkout itself' });
}

async function compressionHere(
  host: Pick<Host, 'run'>,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly compression: string; readonly suffix: string }> {
  const { exitCode } = await host.run(['zstd', '--version'], { env, timeoutSeconds: 10 });
  return exitCode === 0 ? { compression: '--zstd', suffix: '.tar.zst' } : { compression: '--gzip', suffix: '.tar.gz' };
}

/**
 * tar's exit code 1 means that a file changed while it was read (docs/facts/git.md, "Archives"): only a line in the
 * log.
 */
async function createArchive(run: Workspace, path: string, compression: string): Promise<void> {
  const { directory } = run.checkout;
  const create = ['tar', '--create', `--file=${path}`, compression, '--numeric-owner', '--acls', '--xattrs'] as const;
  const places = ['--one-file-system', '--directory=/', ...(await leftOut(run)), '--', ...(await members(run))];
  const options = { env: run.settings.environment, umask: 0o077 };
  const { exitCode } = await runStep(run, 'backup', [...create, ...places], options);
  if (exitCode === 1)
    await run.log.line('INFO', 'Files changed while the backup was made: it holds them as they were before or after');
  if (exitCode > 1) await refuse(run, path, `tar ended with exit code ${exitCode}`);
  const listed = await runStep(run, 'verify backup', ['tar', '--list', `--file=${path}`], {
    env: run.settings.environment,
    answers: true,
  });
  if (listed.exitCode !== 0 || !listed.stdout.startsWith(`${directory.slice(1)}/`))
    await refuse(run, path, 'it cannot be read back');
}

/**
 * Excludes holdfast's own state except the records of the releases: without them a restored `current` would lead to no
 * known release.
 */
async function leftOut({ host, checkout }: Pick<Workspace, 'host' | 'checkout'>): Promise<readonly string[]> {
  const state = checkout.stateFolder.slice(1);
  const names = await host.files.list(checkout.stateFolder);
  if (!names.includes(recordsName)) return [`--exclude=${state}`];
  return names.filter((name) => name !== recordsName).map((name) => `--exclude=${state}/${name}`);
}

/** The checkout, and the releases outside of it. */
async function members({ host, checkout }: Pick<Workspace, 'host' | 'checkout'>): Promise<readonly string[]> {
  const releases = (await readReleases(host.files, checkout)).map(({ directory }) => directory);
  const outside = releases.filter((release) => !release.startsWith(`${checkout.directory}/`));
  const there = await Promise.all(outside.map((release) => host.files.stat(release)));
  return [checkout.directory, ...outside.filter((_, index) => there[index] !== undefined)].map((path) => path.slice(1));
}

/** Writes the SHA-256 of the whole file beside its final name, when the file is on the disk. */
export async function writeSum(run: Workspace, part: string, archive: string): Promise<void> {
  const { stdout, exitCode } = await runStep(run, 'checksum', ['sha256sum', '--', part], {
    env: run.settings.environment,
    answers: true,
  });
  if (exitCode !== 0) await refuse(run, part, 'it has no checksum');
  await runStep(run, 'sync backup', ['sync', '--', part], { env: run.settings.environment });
  await run.host.files.replace(`${archive}.sha256`, stdout.replace(part, archive), { mode: 0o600 });
}

async function refuse(run: Workspace, path: string, reason: string): Promise<never> {
  await run.host.files.remove(path);
  throw new OperationError({ tried: 'Making a backup', on: path, reason });
}

/**
 * Removes the oldest archives, and partial ones older than the limit of a command: no running backup writes to those.
 */
async function prune(run: Workspace, folder: string, suffix: string): Promise<void> {
  const { files, clock } = run.host;
  const names = ownFiles(await files.list(folder), run.checkout.directory);
  const archives = names.filter((name) => name.endsWith(suffix));
  for (const name of archives.slice(0, -keptArchives)) {
    await files.remove(`${folder}/${name}`);
    await files.remove(`${folder}/${name}.sha256`);
  }
  for (const part of names.filter((name) => name.endsWith('.part'))) {
    const modifiedAt = (await files.stat(`${folder}/${part}`))?.modifiedAt ?? 0;
    if (clock.wallAt() - modifiedAt > run.settings.commandTimeout * 1000) await files.remove(`${folder}/${part}`);
  }
}

/**
 * The names that this checkout's backups have, oldest first. A time follows the name: `shop-admin` may share the folder
 * with `shop`.
 */
export function ownFiles(names: readonly string[], directory: string): readonly string[] {
  const begin = `${directory.slice(directory.lastIndexOf('/') + 1)}-`;
  return names.filter((name) => name.startsWith(begin) && /^\d{8}T\d{6}Z/.test(name.slice(begin.length))).sort();
}
