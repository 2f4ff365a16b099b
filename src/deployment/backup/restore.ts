import { OperationError, UsageError } from '../../host/errors.ts';
import type { Command, CommandResult, Host } from '../../host/host.ts';
import { acquireLock, type Lock } from '../checkout/lock.ts';
import { heldBy } from '../checkout/open-state.ts';
import { identify } from '../checkout/owner.ts';
import type { Environment } from '../settings/environment.ts';
import { foldersRelied, listingEnvironment, listingOptions, membersOf, wrongMembers } from './members.ts';
import { type Runner, restoreObstacles } from './restore-obstacles.ts';

/** The settings of a restore. */
export interface RestoreSettings {
  readonly appDir: string;
  readonly environment: Environment;
  readonly commandTimeout: number;
  /** A folder of releases outside of the checkout, which the archive may write to as well. */
  readonly releases: { readonly folder: string };
  /** The commands before and after it: they stop and start the web server and the application process manager. */
  readonly backup: { readonly stop: readonly Command[]; readonly start: readonly Command[] };
}

/** The commands of a restore, whether they were run or not. */
export interface Restore {
  readonly commands: readonly Command[];
  /** How many files, folders and links the archive has. */
  readonly members: number;
  /** Commands of `backup.start` that failed; absent where none was run. */
  readonly notStarted?: readonly Command[];
}

/**
 * The restore of 4.3: services are stopped, the archive is extracted at the root of the file system with permissions
 * and owners, and services are started again, also after a failure. Without `really` it changes nothing. An archive
 * that would write anywhere else, or that could not be extracted to its end, is a `UsageError`, before anything is
 * touched.
 */
export async function restore(
  host: Pick<Host, 'run' | 'files' | 'talk' | 'clock' | 'random'>,
  settings: RestoreSettings,
  archive: string,
  really: boolean,
): Promise<Restore> {
  const run = runner(host, settings);
  const list = runner(host, { ...settings, environment: { ...settings.environment, ...listingEnvironment } });
  // The commands run at the root of the file system.
  const path = (await host.files.realPath(archive)) ?? archive;
  const directory = (await host.files.realPath(settings.appDir)) ?? settings.appDir;
  await verifySum(host, run, archive, path);
  const listed = await list(['tar', ...listingOptions, `--file=${path}`]);
  const wrong =
    listed.exitCode === 0
      ? [
          ...wrongMembers(listed.stdout, [directory, ...(await releasesOutside(host, settings))]),
          ...(await linksRelied(host, listed.stdout)),
        ]
      : ['tar cannot read it'];
  if (wrong.length > 0) throw new UsageError(wrong.slice(0, 20).map((sentence) => `${archive}: ${sentence}.`));
  const extract: Command = [
    'tar',
    '--extract',
    `--file=${path}`,
    '--preserve-permissions',
    '--same-owner',
    '--numeric-owner',
    '--acls',
    '--xattrs',
    '--directory=/',
  ];
  const { stop, start } = settings.backup;
  const plan = { commands: [...stop, extract, ...start], members: listed.stdout.trim().split('\n').length };
  if (!really) return plan;
  const obstacles = await restoreObstacles(host, run, directory, membersOf(listed.stdout));
  if (obstacles.length > 0) throw new UsageError(obstacles.map((sentence) => `${archive}: ${sentence}.`));
  const lock = await lockCheckout(host, directory);
  let notStarted: readonly Command[] = [];
  try {
    for (const command of stop) demand(command, await run(command));
    demand(extract, await run(extract));
  } finally {
    notStarted = await startAgain(host, run, start);
    await lock?.release();
  }
  return { ...plan, notStarted };
}

async function releasesOutside({ files }: Pick<Host, 'files'>, { releases }: RestoreSettings) {
  return releases.folder.startsWith('/') ? [(await files.realPath(releases.folder)) ?? releases.folder] : [];
}

/** A link on the disk may lead an extracted file elsewhere, as one in the archive may. */
async function linksRelied({ files }: Pick<Host, 'files'>, listing: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of foldersRelied(listing)) {
    if (folder.includes('\uFFFD')) found.push(`/${folder} cannot be looked at, because its name is not UTF-8`);
    else if ((await files.stat(`/${folder}`))?.kind === 'link')
      found.push(`/${folder} is a link here, and would be followed`);
  }
  return found;
}

/**
 * Holds the deployment lock meanwhile. A restore runs as root, so it makes no folder that the user of the deploys has
 * to write to.
 */
export async function lockCheckout(
  host: Pick<Host, 'files' | 'clock' | 'random'>,
  directory: string,
): Promise<Lock | undefined> {
  const stateFolder = `${directory}/.git/holdfast`;
  if ((await host.files.stat(stateFolder)) === undefined) return undefined;
  const acquired = await acquireLock(host.files, stateFolder, await identify(host));
  if ('lock' in acquired) return acquired.lock;
  throw new OperationError({
    tried: 'Restoring',
    on: directory,
    reason: await heldBy(host.files, stateFolder, acquired.heldBy),
  });
}

function runner(host: Pick<Host, 'run' | 'talk'>, settings: RestoreSettings): Runner {
  return async (command) => {
    host.talk.write(`${command.join(' ')}\n`);
    return host.run(command, { cwd: '/', env: settings.environment, timeoutSeconds: settings.commandTimeout });
  };
}

/** A service that does not start is reported, and the others are started all the same. */
async function startAgain(
  host: Pick<Host, 'talk'>,
  run: Runner,
  start: readonly Command[],
): Promise<readonly Command[]> {
  const failed: Command[] = [];
  for (const command of start) {
    const { exitCode, stderr } = await run(command);
    if (exitCode === 0) continue;
    failed.push(command);
    host.talk.write(`${command.join(' ')} ended with exit code ${exitCode}: ${stderr}\n`);
  }
  return failed;
}

/** Compares the archive with the checksum beside it; without that file nothing is checked. */
async function verifySum(host: Pick<Host, 'files'>, run: Runner, archive: string, path: string): Promise<void> {
  if ((await host.files.stat(archive)) === undefined) throw new UsageError([`There is no archive ${archive}.`]);
  const expected = (await host.files.read(`${archive}.sha256`))?.slice(0, 64);
  if (expected === undefined) return;
  const sum: Command = ['sha256sum', '--', path];
  const summed = await run(sum);
  demand(sum, summed);
  if (summed.stdout.slice(0, 64) !== expected)
    throw new UsageError([`${archive} is not what was written: its checksum is another.`]);
}

function demand(command: Command, { exitCode, stderr }: CommandResult): void {
  if (exitCode === 0) return;
  // tar's last line only says that there were others.
  const lines = stderr
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('tar: Exiting with failure status'));
  const reason = `exit code ${exitCode}: ${lines.at(-1) ?? ''}`;
  throw new OperationError({ tried: 'Restoring with', on: command.join(' '), reason });
}
