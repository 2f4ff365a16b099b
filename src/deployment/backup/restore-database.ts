import { OperationError, UsageError } from '../../host/errors.ts';
import type { Command, CommandResult, Host } from '../../host/host.ts';
import type { Database } from './database.ts';
import { applicationDatabase, firstOf, suffixes } from './dump-database.ts';
import { lockCheckout, type Restore, type RestoreSettings } from './restore.ts';
import { credentialsIn, loginWith, withCredentials } from './with-credentials.ts';

/** Whether the archive is a dump of a database, by its name. */
export function isDump(archive: string): boolean {
  return Object.values(suffixes).some((suffix) => archive.endsWith(suffix));
}

/**
 * Restores a dump into the database that the application's `.env` names now, under the deployment lock and between the
 * commands that stop and start services. Without `really` it changes nothing. A dump of another kind of database, one
 * that was changed, and a database that does not answer are a `UsageError`, before anything is stopped.
 */
export async function restoreDatabase(
  host: Pick<Host, 'run' | 'files' | 'talk' | 'clock' | 'random'>,
  settings: RestoreSettings,
  dump: string,
  really: boolean,
): Promise<Restore> {
  const directory = (await host.files.realPath(settings.appDir)) ?? settings.appDir;
  const database = await applicationDatabase(host, directory);
  if (!dump.endsWith(suffixes[database.kind]))
    throw new UsageError([`${dump} is no dump of a ${database.kind} database, which the application has.`]);
  const run: Run = (command, env = {}) => {
    host.talk.write(`${command.join(' ')}\n`);
    const environment = { ...settings.environment, ...env };
    return host.run(command, { cwd: directory, env: environment, timeoutSeconds: settings.commandTimeout });
  };
  const path = (await host.files.realPath(dump)) ?? dump;
  await verifySum(host, run, path);
  const mysql = await firstOf(host, settings.environment, ['mysql', 'mariadb']);
  const { stop, start } = settings.backup;
  const planWith = (options: readonly string[]) => {
    const load = loadCommand(database, path, options, mysql);
    return { load, plan: { commands: [...stop, load, ...start], members: 1 } };
  };
  const folder = `${directory}/.git/holdfast`;
  if (!really) return planWith(loginWith(database, credentialsIn(folder))[1]).plan;
  const lock = await lockCheckout(host, directory);
  try {
    return await withCredentials(host, folder, database, async (env, options) => {
      const { load, plan } = planWith(options);
      await demandAnswer(run, askCommand(database, options, mysql), env, dump);
      const notStarted = await between(run, settings.backup, async () => demand(load, await run(load, env)));
      return { ...plan, notStarted };
    });
  } finally {
    await lock?.release();
  }
}

type Run = (command: Command, env?: Readonly<Record<string, string>>) => Promise<CommandResult>;

/** Returns the commands of `start` that failed; all of them are run in any case. */
async function between(
  run: Run,
  { stop, start }: RestoreSettings['backup'],
  work: () => Promise<void>,
): Promise<readonly Command[]> {
  const notStarted: Command[] = [];
  try {
    for (const command of stop) demand(command, await run(command));
    await work();
  } finally {
    for (const command of start) if ((await run(command)).exitCode !== 0) notStarted.push(command);
  }
  return notStarted;
}

/** Asks the database with the program, the name and the password that the restore will use. */
async function demandAnswer(
  run: Run,
  ask: Command,
  env: Readonly<Record<string, string>>,
  dump: string,
): Promise<void> {
  const { exitCode, stderr } = await run(ask, env);
  if (exitCode === 0) return;
  const [line = `exit code ${exitCode}`] = stderr.trim().split('\n').slice(-1).filter(Boolean);
  const reason = exitCode === 127 ? `${ask[0]} is not installed` : line;
  throw new UsageError([
    `${dump} cannot be restored, and nothing was stopped: the database does not answer: ${reason}.`,
  ]);
}

function askCommand(database: Database, options: readonly string[], mysql: string): Command {
  switch (database.kind) {
    case 'sqlite':
      // The file itself may be what is broken.
      return ['sh', '-c', writable, 'sh', database.path];
    case 'mysql':
      return [mysql, ...options, '--execute', 'select 1', '--', database.name];
    case 'pgsql':
      return ['psql', '--no-password', '--command=select 1', `--dbname=${database.name}`];
  }
}

const writable = `command -v sqlite3 >/dev/null || { echo 'sqlite3 is not installed' >&2; exit 1; }
if [ -e "$1" ]; then test -w "$1"; else test -w "$(dirname -- "$1")"; fi || { echo "this user cannot write $1" >&2; exit 1; }`;

function loadCommand(database: Database, path: string, options: readonly string[], mysql: string): Command {
  switch (database.kind) {
    case 'sqlite':
      return ['sqlite3', '-bail', database.path, `.restore '${path.replaceAll("'", "''")}'`];
    case 'mysql':
      return [mysql, ...options, '--execute', `source ${path}`, '--', database.name];
    case 'pgsql':
      return [
        'pg_restore',
        '--clean',
        '--if-exists',
        '--no-owner',
        '--single-transaction',
        '--no-password',
        `--dbname=${database.name}`,
        '--',
        path,
      ];
  }
}

async function verifySum(
  { files }: Pick<Host, 'files'>,
  run: (command: Command) => Promise<CommandResult>,
  dump: string,
): Promise<void> {
  if ((await files.stat(dump)) === undefined) throw new UsageError([`There is no dump ${dump}.`]);
  const expected = (await files.read(`${dump}.sha256`))?.slice(0, 64);
  const sum: Command = ['sha256sum', '--', dump];
  if (expected !== undefined && (await run(sum)).stdout.slice(0, 64) !== expected)
    throw new UsageError([`${dump} is not what was written: its checksum is another.`]);
}

function demand(command: Command, { exitCode, stderr }: CommandResult): void {
  if (exitCode === 0) return;
  const reason = `exit code ${exitCode}: ${stderr.trim().split('\n').at(-1) ?? ''}`;
  throw new OperationError({ tried: 'Restoring the database with', on: command[0], reason });
}
