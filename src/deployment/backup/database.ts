/** A database as the application's settings name it. The password is written to files of mode 0600 only. */
export type Database =
  | { readonly kind: 'sqlite'; readonly path: string }
  | ({ readonly kind: 'mysql' | 'pgsql' } & ServerDatabase);
export interface ServerDatabase {
  readonly host: string;
  readonly port: string;
  readonly socket: string;
  readonly name: string;
  readonly user: string;
  readonly password: string;
}

/**
 * The database that the text of a `.env` names, by DATABASE_URL or DB_URL, or by Laravel's DB_… variables; a sentence
 * where it names none.
 */
export function databaseIn(env: string, directory: string): Database | string {
  const variables = variablesIn(env);
  const url = variables.DATABASE_URL || variables.DB_URL;
  if (url !== undefined && url !== '') return fromUrl(url, directory);
  const { DB_CONNECTION = 'sqlite', DB_DATABASE = '', DB_HOST = '127.0.0.1', DB_PORT = '' } = variables;
  const { DB_SOCKET = '', DB_USERNAME = '', DB_PASSWORD = '' } = variables;
  if (DB_CONNECTION === 'sqlite') return sqliteAt(DB_DATABASE || 'database/database.sqlite', directory);
  const server = {
    host: DB_HOST,
    port: DB_PORT,
    socket: DB_SOCKET,
    name: DB_DATABASE,
    user: DB_USERNAME,
    password: DB_PASSWORD,
  };
  return serverOf(DB_CONNECTION, server);
}

function fromUrl(text: string, directory: string): Database | string {
  const url = URL.parse(text);
  if (url === null) return 'the address of the database in .env is no URL';
  const scheme = url.protocol.slice(0, -1);
  const path = decodeURIComponent(url.pathname);
  if (scheme === 'sqlite') return sqliteAt(path.replace('/%kernel.project_dir%', directory), directory);
  return serverOf(scheme, {
    host: url.hostname,
    port: url.port,
    socket: url.searchParams.get('unix_socket') ?? '',
    name: path.slice(1),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  });
}

function sqliteAt(path: string, directory: string): Database | string {
  if (path.includes(':memory:')) return 'the database is in memory';
  return { kind: 'sqlite', path: path.startsWith('/') ? path : `${directory}/${path}` };
}

function serverOf(scheme: string, server: ServerDatabase): Database | string {
  const kind = kinds[scheme];
  if (kind === undefined) return `the database is of the kind ${JSON.stringify(scheme)}, of which no dump is known`;
  if (server.name === '' || server.name.startsWith('-')) return 'the .env does not name the database';
  if (Object.values(server).some((value) => /\p{Cc}/u.test(value))) return 'the .env has a control character in it';
  return { kind, ...server };
}

const kinds: Readonly<Record<string, 'mysql' | 'pgsql'>> = {
  mysql: 'mysql',
  mariadb: 'mysql',
  pgsql: 'pgsql',
  postgres: 'pgsql',
  postgresql: 'pgsql',
};

/**
 * The variables of a `.env`: quotes are taken off, `\"` and `\\` in double quotes resolved; a comment begins at ` #`
 * outside of quotes.
 */
function variablesIn(env: string): Readonly<Record<string, string>> {
  const lines = env.matchAll(
    /^\s*(?:export\s+)?([A-Z_][A-Z0-9_]*)[ \t]*=[ \t]*(?:"((?:\\.|[^"\\])*)"|'([^']*)'|(.*?))[ \t]*(?:\s#.*)?$/gim,
  );
  return Object.fromEntries(
    [...lines].map(([, name = '', double, single, bare = '']) => [
      name,
      double?.replaceAll(/\\(["\\$])/g, '$1') ?? single ?? bare.trim(),
    ]),
  );
}

/**
 * An option file of mysql and mariadb (MariaDB's "Configuring MariaDB with Option Files"): values in double quotes, `\`
 * escaped.
 */
export function mysqlOptions({ host, port, socket, user, password }: ServerDatabase): string {
  // A host beside it makes the clients connect by TCP; Laravel takes the socket.
  const where = socket === '' ? { host, port } : { socket };
  const given = Object.entries({ ...where, user, password }).filter(([, value]) => value !== '');
  const lines = given.map(([name, value]) => `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`);
  return `[client]\n${lines.join('\n')}\n`;
}

/** A line of PGPASSFILE (PostgreSQL's "The Password File"): `:` and `\` escaped. */
export function pgPass({ password }: ServerDatabase): string {
  return `*:*:*:*:${password.replaceAll(/[\\:]/g, '\\$&')}\n`;
}
