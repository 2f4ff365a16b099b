import { OperationError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import { type Database, mysqlOptions, pgPass } from './database.ts';

/** An environment, and the options that come first. */
export type Login = readonly [environment: Readonly<Record<string, string>>, options: readonly string[]];

/**
 * Calls the work with what a client program needs to log in. The password is in a file that only its owner can read,
 * and that is removed afterwards: in this folder, or where that is not there, in /tmp, because root may make no folder
 * for the user of the deploys.
 */
export async function withCredentials<T>(
  { files, random }: Pick<Host, 'files' | 'random'>,
  folder: string,
  database: Database,
  work: (...login: Login) => Promise<T>,
): Promise<T> {
  if (database.kind === 'sqlite') return work({}, []);
  const isThere = (await files.stat(folder)) !== undefined;
  const number = Math.floor(random('database-credentials')() * 2 ** 48).toString(36);
  const path = isThere ? credentialsIn(folder) : `/tmp/holdfast-credentials-${number}`;
  // A killed run may have left it.
  if (isThere) await files.remove(path);
  const text = database.kind === 'mysql' ? mysqlOptions(database) : pgPass(database);
  if (!(await files.create(path, text, { mode: 0o600 })))
    throw new OperationError({ tried: 'Making', on: path, reason: 'somebody else has made it just now' });
  try {
    return await work(...loginWith(database, path));
  } finally {
    await files.remove(path);
  }
}

export function credentialsIn(folder: string): string {
  return `${folder}/database-credentials`;
}

/** `path` is the file with the password. */
export function loginWith(database: Database, path: string): Login {
  if (database.kind === 'sqlite') return [{}, []];
  return database.kind === 'mysql'
    ? [{}, [`--defaults-extra-file=${path}`]]
    : [{ PGPASSFILE: path, ...serverVariables(database) }, []];
}

function serverVariables({ host, port, user }: Extract<Database, { kind: 'mysql' | 'pgsql' }>) {
  const given = { PGHOST: host, PGPORT: port, PGUSER: user };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
}
