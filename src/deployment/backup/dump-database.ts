import { OperationError } from '../../host/errors.ts';
import type { Command, Host } from '../../host/host.ts';
import { type Run, runStep } from '../run/run.ts';
import { backupFolder, keptArchives, ownFiles, writeSum } from './backup.ts';
import { type Database, databaseIn } from './database.ts';
import { withCredentials } from './with-credentials.ts';

/**
 * Dumps the application's database into the backup directory, named by the run, readable by its owner alone. Rejects
 * with an `OperationError` before anything has been touched: a deploy without the dump that was asked for does not
 * begin.
 */
export async function dumpDatabase(run: Run, backupDir: string): Promise<string> {
  const database = await applicationDatabase(run.host, run.checkout.directory);
  await demandFile(run, database);
  const folder = await backupFolder(run, backupDir);
  const name = run.checkout.directory.slice(run.checkout.directory.lastIndexOf('/') + 1);
  const dump = `${folder}/${name}-${run.id}${suffixes[database.kind]}`;
  try {
    await withCredentials(run.host, run.checkout.stateFolder, database, async (env, options) => {
      const mysqldump = await firstOf(run.host, run.settings.environment, ['mysqldump', 'mariadb-dump']);
      await demand(run, dumpCommand(database, `${dump}.part`, options, mysqldump), env);
    });
    await writeSum(run, `${dump}.part`, dump);
    await run.host.files.rename(`${dump}.part`, dump);
  } catch (error) {
    await run.host.files.remove(`${dump}.part`);
    throw error;
  }
  await run.log.line('INFO', `Database: ${dump}; holdfast restore brings it back`);
  await prune(run, folder, suffixes[database.kind]);
  return dump;
}

/** The kind of a dump is in its name, so that `restore` knows it. */
export const suffixes: Readonly<Record<Database['kind'], string>> = {
  sqlite: '.sqlite',
  mysql: '.mysql.sql',
  pgsql: '.pgdump',
};

/** The database that `.env`, or Symfony's `.env.local`, names. */
export async function applicationDatabase({ files }: Pick<Host, 'files'>, directory: string): Promise<Database> {
  const texts = await Promise.all(['.env', '.env.local'].map((name) => files.read(`${directory}/${name}`)));
  const found = texts.every((text) => text === undefined)
    ? 'there is no .env'
    : databaseIn(texts.map((text) => text ?? '').join('\n'), directory);
  if (typeof found !== 'string') return found;
  throw new OperationError({ tried: 'Finding the database of', on: directory, reason: found });
}

/** sqlite3 would make an empty database where there is none, and dump that. */
async function demandFile({ host }: Run, database: Database): Promise<void> {
  if (database.kind !== 'sqlite' || (await host.files.stat(database.path)) !== undefined) return;
  throw new OperationError({ tried: 'Dumping the database', on: database.path, reason: 'there is no such file' });
}

function dumpCommand(database: Database, to: string, options: readonly string[], mysqldump: string): Command {
  switch (database.kind) {
    case 'sqlite':
      return ['sqlite3', '-bail', database.path, `.backup '${to.replaceAll("'", "''")}'`];
    case 'mysql':
      return [mysqldump, ...options, ...mysqlFlags, `--result-file=${to}`, '--', database.name];
    case 'pgsql':
      return ['pg_dump', '--format=custom', '--no-password', `--file=${to}`, '--', database.name];
  }
}

/**
 * One transaction: the site goes on writing meanwhile. `--no-tablespaces`: without it the privilege PROCESS is needed.
 */
const mysqlFlags = ['--single-transaction', '--quick', '--routines', '--triggers', '--hex-blob', '--no-tablespaces'];

/** Which of these names a program has here: newer MariaDB packages have only the second one. */
export async function firstOf(
  host: Pick<Host, 'run'>,
  env: Readonly<Record<string, string>>,
  [usual, other]: readonly [string, string],
): Promise<string> {
  const { exitCode } = await host.run(['sh', '-c', 'command -v -- "$1"', 'sh', usual], { env, timeoutSeconds: 10 });
  return exitCode === 0 ? usual : other;
}

async function demand(run: Run, command: Command, more: Readonly<Record<string, string>>): Promise<void> {
  const env = { ...run.settings.environment, ...more };
  const { exitCode } = await runStep(run, 'database', command, { env, umask: 0o077, signal: run.interruption });
  if (exitCode === 0) return;
  const reason = exitCode === 127 ? 'it is not installed' : `exit code ${exitCode}; its words are in the log`;
  throw new OperationError({ tried: 'Dumping the database with', on: command[0], reason });
}

async function prune({ host: { files }, checkout }: Run, folder: string, suffix: string): Promise<void> {
  const dumps = ownFiles(await files.list(folder), checkout.directory).filter((name) => name.endsWith(suffix));
  for (const name of dumps.slice(0, -keptArchives)) {
    await files.remove(`${folder}/${name}`);
    await files.remove(`${folder}/${name}.sha256`);
  }
}
