import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { databaseIn, mysqlOptions } from '../../../src/deployment/backup/database.ts';
import { acquireLock } from '../../../src/deployment/checkout/lock.ts';
import { identify } from '../../../src/deployment/checkout/owner.ts';
import { deploy } from '../../../src/deployment/deploy.ts';
import { needs } from '../../support/needs.ts';
import { holdfast } from '../support/holdfast.ts';
import { needsMariaDb, startMariaDb } from '../support/mariadb.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite, type Site } from '../support/site.ts';

const password = 'pa ss"w\\ord#1';
const backup = (site: Site) => ({ backup: { dir: join(site.folder, 'backups'), database: true } });
const dumpsOf = (site: Site) => readdirSync(join(site.folder, 'backups')).filter((name) => !name.endsWith('.sha256'));

test('the database is read from .env as Laravel and Symfony write it', () => {
  const env = `DB_CONNECTION=mysql # here\nDB_HOST=db\nDB_DATABASE=app\nDB_USERNAME='me'\nDB_PASSWORD="p\\"q # r"\n`;
  const server = { kind: 'mysql', host: 'db', port: '', socket: '', name: 'app', user: 'me', password: 'p"q # r' };
  assert.deepEqual(databaseIn(env, '/app'), server);
  assert.deepEqual(databaseIn('DATABASE_URL="postgresql://me:p%40q@db:5433/app?serverVersion=15"', '/app'), {
    ...server,
    kind: 'pgsql',
    port: '5433',
    password: 'p@q',
  });
  assert.deepEqual(databaseIn('DB_CONNECTION=sqlite', '/app'), {
    kind: 'sqlite',
    path: '/app/database/database.sqlite',
  });
  assert.match(String(databaseIn('DB_CONNECTION=sqlsrv', '/app')), /"sqlsrv", of which no dump is known/);
  assert.match(String(databaseIn('DB_CONNECTION=mysql', '/app')), /does not name the database/);
});

test('SQLite: the dump is made before anything changes, is its owner’s alone, and restore brings it back', async (t) => {
  if (!needs(t, 'sqlite3')) return;
  const site = await buildSite(t);
  const path = join(site.app, 'storage', 'app.sqlite');
  const sql = (words: string) => execFileSync('sqlite3', [path, words], { encoding: 'utf8' }).trim();
  site.write('storage/kept', '');
  sql('create table posts(title); insert into posts values (1), (2)');
  site.write('.env', `DB_CONNECTION=sqlite\nDB_DATABASE=${path}\n`);
  site.push({ page: 'two' });
  const migrate = { command: ['sqlite3', path, 'delete from posts'] };
  const document = await deploy(quietHost(), site.settings({}, { ...backup(site), steps: { before: [migrate] } }));
  assert.equal(document.state, 'verified', site.log());
  assert.equal(sql('select count(*) from posts'), '0');
  const [dump = ''] = dumpsOf(site);
  assert.equal(dump, `app-${document.id}.sqlite`);
  const file = join(site.folder, 'backups', dump);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal((await holdfast(site, ['restore', file])).exitCode, 0);
  assert.equal(sql('select count(*) from posts'), '0', 'without --yes nothing is done');
  const restored = await holdfast(site, ['restore', file, '--yes']);
  assert.equal(restored.exitCode, 0, restored.stderr);
  assert.equal(sql('select count(*) from posts'), '2');
});

test('a SQLite database that is not there ends the deploy, and no empty one is made in its place', async (t) => {
  if (!needs(t, 'sqlite3')) return;
  const site = await buildSite(t);
  const before = site.head();
  const path = join(site.folder, 'gone.sqlite');
  site.write('.env', `DB_CONNECTION=sqlite\nDB_DATABASE=${path}\n`);
  site.push({ page: 'two' });
  const document = await deploy(quietHost(), site.settings({}, backup(site)));
  assert.deepEqual([document.state, document.exitCode, site.head()], ['aborted', 1, before]);
  assert.match(site.log(), /^\[ERROR\] Dumping the database \S+gone\.sqlite: there is no such file$/m);
  assert.ok(!existsSync(path));
});

/** A site on SQLite with one post, and its first dump. */
async function dumpedSqlite(t: TestContext) {
  const site = await buildSite(t);
  const path = join(site.folder, 'app.sqlite');
  const sql = (words: string) => execFileSync('sqlite3', [path, words], { encoding: 'utf8' }).trim();
  sql('create table posts(title); insert into posts values (1)');
  site.write('.env', `DB_CONNECTION=sqlite\nDB_DATABASE=${path}\n`);
  const dir = join(site.folder, 'backups');
  mkdirSync(dir);
  // Older ones, and those of a site whose name begins with the same word.
  const older = Array.from({ length: 6 }, (_, index) => `app-2020010${index + 1}T000000Z`);
  const others = older.map((name) => name.replace('app-', 'app-two-'));
  for (const name of [...older, ...others])
    for (const suffix of ['-0000.sqlite', '.tar.zst', '.tar.gz']) writeFileSync(join(dir, `${name}${suffix}`), '');
  site.push({ page: 'two' });
  const document = await deploy(quietHost(), site.settings({}, backup(site)));
  assert.equal(document.state, 'verified', site.log());
  return { site, sql, older, others, dump: join(dir, `app-${document.id}.sqlite`), names: readdirSync(dir) };
}

test('the newest five dumps and archives stay, and those of a site with a longer name', async (t) => {
  if (!needs(t, 'sqlite3')) return;
  const { dump, older, others, names } = await dumpedSqlite(t);
  const kept = (end: RegExp, begin: string) => names.filter((name) => name.startsWith(begin) && end.test(name));
  const dumps = older.slice(-4).map((name) => `${name}-0000.sqlite`);
  assert.deepEqual(kept(/\.sqlite$/, 'app-2'), [...dumps, basename(dump)]);
  const archives = kept(/\.tar\.(?:zst|gz)$/, 'app-2').filter((name) => !name.startsWith('app-2020'));
  assert.equal(archives.length, 1, 'the new one');
  const suffix = archives[0]?.endsWith('.zst') ? '.tar.zst' : '.tar.gz';
  const olderKept = kept(/\.tar\.(?:zst|gz)$/, 'app-2020').filter((name) => name.endsWith(suffix));
  assert.deepEqual(
    olderKept,
    older.slice(-4).map((name) => `${name}${suffix}`),
  );
  assert.equal(names.filter((name) => name.startsWith('app-two-')).length, 3 * others.length);
});

test('a dump that was changed, and one of another kind of database, are refused', async (t) => {
  if (!needs(t, 'sqlite3')) return;
  const { site, sql, dump } = await dumpedSqlite(t);
  sql('insert into posts values (2)');
  const other = dump.replace('.sqlite', '.pgdump');
  writeFileSync(other, '');
  const refused = await holdfast(site, ['restore', other, '--yes']);
  assert.equal(refused.exitCode, 2);
  assert.match(refused.stderr, /is no dump of a sqlite database/);
  appendFileSync(dump, 'x');
  const changed = await holdfast(site, ['restore', dump, '--yes']);
  assert.equal(changed.exitCode, 2);
  assert.match(changed.stderr, /its checksum is another/);
  assert.equal(sql('select count(*) from posts'), '2');
});

test('a dump that cannot be made ends the deploy before anything has changed', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  site.push({ page: 'two' });
  const document = await deploy(quietHost(), site.settings({}, backup(site)));
  assert.deepEqual([document.state, document.exitCode, site.head()], ['aborted', 1, before]);
  assert.match(site.log(), /^\[ERROR\] Finding the database of [^\n]*there is no \.env/m);
});

test('MariaDB: dumped and restored with the password of .env, which is on no command line and in no log', async (t) => {
  if (!needsMariaDb(t)) return;
  const site = await buildSite(t);
  const { socket, sql } = await startMariaDb(t, site.folder);
  const quoted = password.replaceAll('\\', '\\\\');
  sql(`create database app; create table app.posts(title int); insert into app.posts values (1), (2);
    create user me@localhost identified by '${quoted}'; grant all on app.* to me@localhost`);
  const lines = [
    'DB_CONNECTION=mysql',
    // As Laravel's own .env has them; Laravel takes the socket.
    'DB_HOST=127.0.0.1',
    'DB_PORT=3306',
    `DB_SOCKET=${socket}`,
    'DB_DATABASE=app',
    'DB_USERNAME=me',
  ];
  site.write('.env', `${lines.join('\n')}\nDB_PASSWORD='${password}'\n`);
  site.push({ page: 'two' });
  const commands: string[] = [];
  const host = quietHost();
  const watched = {
    ...host,
    run: (command: Parameters<typeof host.run>[0], options: Parameters<typeof host.run>[1]) => {
      commands.push(`${command.join(' ')} ${JSON.stringify(options.env)}`);
      return host.run(command, options);
    },
  };
  const document = await deploy(watched, site.settings({}, backup(site)));
  assert.equal(document.state, 'verified', site.log());
  assert.ok(commands.some((command) => command.includes('--defaults-extra-file=')));
  for (const text of [...commands, site.log()]) assert.ok(!text.includes(password) && !text.includes('pa ss'), text);
  assert.ok(!existsSync(join(site.app, '.git/holdfast/database-credentials')));
  const file = join(site.folder, 'backups', dumpsOf(site)[0] ?? '');
  assert.match(readFileSync(file, 'utf8'), /INSERT INTO `posts` VALUES/);
  sql('drop table app.posts; create table app.later(id int)');
  const restored = await holdfast(site, ['restore', file, '--yes']);
  assert.equal(restored.exitCode, 0, restored.stderr);
  assert.equal(sql('select count(*) from app.posts'), '2');
  assert.equal(sql('show tables from app'), 'later\nposts', 'a table made since stays');
});

test('MariaDB: a dump that fails in the middle ends the deploy before anything has changed, and leaves nothing', async (t) => {
  if (!needsMariaDb(t)) return;
  const site = await buildSite(t);
  const before = site.head();
  const { socket, sql } = await startMariaDb(t, site.folder);
  sql('create database app; create table app.gone(id int); create table app.posts(title int)');
  sql('create view app.broken as select id from app.gone; drop table app.gone');
  site.write('.env', `DB_CONNECTION=mysql\nDB_SOCKET=${socket}\nDB_DATABASE=app\nDB_USERNAME=root\n`);
  site.push({ page: 'two' });
  const document = await deploy(quietHost(), site.settings({}, backup(site)));
  assert.deepEqual([document.state, document.exitCode, site.head()], ['aborted', 1, before]);
  assert.match(site.log(), /^\[ERROR\] Dumping the database with (?:mysqldump|mariadb-dump): exit code \d+/m);
  assert.deepEqual(
    readdirSync(join(site.folder, 'backups')).filter((name) => !name.includes('.tar.')),
    [],
  );
});

test('a restore of a database that does not answer is refused before a service is stopped', async (t) => {
  if (!needsMariaDb(t)) return;
  const site = await buildSite(t);
  const dump = join(site.folder, 'app-20200101T000000Z-0000.mysql.sql');
  writeFileSync(dump, 'select 1;');
  const stop = [['touch', join(site.folder, 'stopped')]];
  const deployment = { opcache: { wait: '0s' }, backup: { stop, start: stop } };
  writeFileSync(join(site.folder, 'holdfast.yaml'), JSON.stringify({ deployment }));
  const socket = join(site.folder, 'nobody.sock');
  site.write('.env', `DB_CONNECTION=mysql\nDB_SOCKET=${socket}\nDB_DATABASE=app\nDB_USERNAME=me\nDB_PASSWORD=x\n`);
  const { exitCode, stderr } = await holdfast(site, ['restore', dump, '--yes']);
  assert.equal(exitCode, 2, stderr);
  assert.match(stderr, /cannot be restored, and nothing was stopped: the database does not answer: ERROR 2002 /);
  assert.ok(!existsSync(join(site.folder, 'stopped')));
  assert.ok(!existsSync(join(site.app, '.git/holdfast')), 'root makes no folder that the deploys have to write to');
  assert.equal((await holdfast(site, ['restore', dump])).exitCode, 0);
  assert.ok(!existsSync(join(site.app, '.git/holdfast')), 'without --yes nothing is changed');
});

test('a database is restored under the lock of the deploys, and not while one runs', async (t) => {
  if (!needs(t, 'sqlite3')) return;
  const { site, sql, dump } = await dumpedSqlite(t);
  sql('insert into posts values (2)');
  const host = quietHost();
  const held = await acquireLock(host.files, join(site.app, '.git/holdfast'), await identify(host));
  assert.ok('lock' in held);
  const refused = await holdfast(site, ['restore', dump, '--yes']);
  assert.deepEqual([refused.exitCode, sql('select count(*) from posts')], [1, '2'], refused.stderr);
  assert.match(refused.stderr, /Another deploy holds the lock: process \d+/);
  await held.lock.release();
  assert.equal((await holdfast(site, ['restore', dump, '--yes'])).exitCode, 0);
  assert.equal(sql('select count(*) from posts'), '1');
});

test('a password of any characters is one value of the option file', () => {
  const server = { host: '', port: '', socket: '', name: 'app', user: 'me', password };
  assert.equal(mysqlOptions(server), '[client]\nuser="me"\npassword="pa ss\\"w\\\\ord#1"\n');
});
