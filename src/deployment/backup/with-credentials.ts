import type { Host } from '../../host/host.ts';
import { type Database, mysqlOptions, pgPass } from './database.ts';

/**
 * Calls the work with what a client program needs to log in: an environment, and the options that come first. The password is in
 * a file that only its owner can read, and that is removed afterwards.
 */
export async function withCredentials<T>(
  { files }: Pick<Host, 'files'>,
  folder: string,
  database: Database,
  work: (environment: Readonly<Record<string, string>>, options: readonly string[]) => Promise<T>,
): Promise<T> {
  if (database.kind === 'sqlite') return work({}, []);
  const path = `${folder}/database-credentials`;
  await files.makeFolder(folder, { mode: 0o700 });
  // A killed run may have left it.
  await files.remove(path);
  await files.replace(path, database.kind === 'mysql' ? mysqlOptions(database) : pgPass(database), { mode: 0o600 });
  try {
    return database.kind === 'mysql'
      ? await work({}, [`--defaults-extra-file=${path}`])
      : await work({ PGPASSFILE: path, ...serverVariables(database) }, []);
  } finally {
    await files.remove(path);
  }
}

function serverVariables({ host, port, user }: Extract<Database, { kind: 'mysql' | 'pgsql' }>) {
  const given = { PGHOST: host, PGPORT: port, PGUSER: user };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
}
