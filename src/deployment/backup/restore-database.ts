import { OperationError, UsageError } from '../../host/errors.ts';
import type { Command, CommandResult, Host } from '../../host/host.ts';
import type { Database } from './database.ts';
import { applicationDatabase, firstOf, suffixes } from './dump-database.ts';
import type { Restore, RestoreSettings } from './restore.ts';
import { withCredentials } from './with-credentials.ts';

/** Whether the archive is a dump of a database, by its name. */
export function isDump(archive: string): boolean {
  return Object.values(suffixes).some((suffix) => archive.endsWith(suffix));
}

/**
 * Restores a dump into the database that the application's `.env` names now, between the commands that stop and start services.
 * Without `really` it changes nothing. A dump of another kind of database, or one that was changed, is a `UsageError`.
 */
export async function restoreDatabase(
  host: Pick<Host, 'run' | 'files' | 'talk'>,
  settings: RestoreSettings,
  dump: string,
  really: boolean,
): Promise<Restore> {
  const directory = (await host.files.realPath(settings.appDir)) ?? settings.appDir;
  const database = await applicationDatabase(host, directory);
  if (!dump.endsWith(suffixes[database.kind]))
    throw new UsageError([`${dump} is no dump of a ${database.kind} database, which the application has.`]);
  const run = (command: Command, env: Readonly<Record<string, string>> = {}) => {
    host.talk.write(`${command.join(' ')}\n`);
    const environment = { ...settings.environment, ...env };
    return host.run(command, { cwd: directory, env: environment, timeoutSeconds: settings.commandTimeout });
  };
  const path = (await host.files.realPath(dump)) ?? dump;
  await verifySum(host, run, path);
  const { stop, start } = settings.backup;
  return withCredentials(host, `${directory}/.git/holdfast`, database, async (env, options) => {
    const mysql = await firstOf(host, settings.environment, ['mysql', 'mariadb']);
    const load = loadCommand(database, path, options, mysql);
    const plan = { commands: [...stop, load, ...start], members: 1 };
    if (!really) return plan;
    const notStarted: Command[] = [];
    try {
      for (const command of stop) demand(command, await run(command));
      demand(load, await run(load, env));
    } finally {
      for (const command of start) if ((await run(command)).exitCode !== 0) notStarted.push(command);
    }
    return { ...plan, notStarted };
  });
}

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
