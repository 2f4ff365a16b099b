import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { needs } from '../../support/needs.ts';
import { holdfast, until } from '../support/holdfast.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite } from '../support/site.ts';

const password = 'pa:ss"w\\ord#1';
/** Debian keeps the programs of each version apart, and only the clients are on the PATH. */
const versions = '/usr/lib/postgresql';
/** PostgreSQL refuses to run as root. */
const nobody = 65534;

function serverProgram(name: string): string {
  const [newest = ''] = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a)) : [];
  return join(versions, newest, 'bin', name);
}

/** A PostgreSQL of its own on a socket in this folder, whose user `me` has this password. */
async function startPostgreSql(t: TestContext, folder: string): Promise<string> {
  const place = join(folder, 'postgresql');
  mkdirSync(place);
  chmodSync(folder, 0o755);
  const owner = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  if (owner.uid !== undefined) chownSync(place, owner.uid, owner.gid);
  const secret = join(place, 'password');
  writeFileSync(secret, `${password}\n`);
  const as = { ...owner, cwd: place, stdio: 'ignore' as const };
  const data = join(place, 'data');
  const initialised = ['-D', data, '-U', 'me', '--auth=scram-sha-256', `--pwfile=${secret}`, '--no-sync'];
  execFileSync(serverProgram('initdb'), initialised, as);
  const server = spawn(serverProgram('postgres'), ['-D', data, '-k', place, '-c', 'listen_addresses=', '-F'], as);
  t.after(async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    // Immediate shutdown.
    server.kill('SIGQUIT');
    await ended;
  });
  await until(() => existsSync(join(place, '.s.PGSQL.5432')), 'PostgreSQL listens');
  const waiting = { PGHOST: place, PGCONNECT_TIMEOUT: '10', PATH: process.env.PATH ?? '' };
  await until(() => isReady(waiting), 'PostgreSQL answers');
  return place;
}

function isReady(env: Readonly<Record<string, string>>): boolean {
  try {
    execFileSync('pg_isready', ['--quiet'], { env });
    return true;
  } catch {
    return false;
  }
}

const needsPostgreSql = (t: TestContext): boolean =>
  needs(t, 'psql') && needs(t, 'pg_dump') && needs(t, `..${serverProgram('postgres')}`);

/** A site whose `.env` names a database of this server, with two posts and a user in it. */
async function buildWithDatabase(t: TestContext) {
  const site = await buildSite(t);
  const place = await startPostgreSql(t, site.folder);
  const env = { PATH: process.env.PATH ?? '', PGHOST: place, PGUSER: 'me', PGPASSWORD: password };
  const sql = (words: string, database = 'app') =>
    execFileSync('psql', ['-X', '-q', '-t', '-A', '-d', database, '-c', words], { env, encoding: 'utf8' }).trim();
  sql('create database app', 'postgres');
  sql('create table posts(title int primary key); insert into posts values (1), (2)');
  sql("create table users(name text); insert into users values ('before')");
  const lines = ['DB_CONNECTION=pgsql', `DB_HOST=${place}`, 'DB_DATABASE=app', 'DB_USERNAME=me'];
  site.write('.env', `${lines.join('\n')}\nDB_PASSWORD='${password}'\n`);
  site.push({ page: 'two' });
  const dir = join(site.folder, 'backups');
  const dumpOf = (id: string): string => {
    const dumps = readdirSync(dir).filter((name) => name.endsWith('.pgdump'));
    assert.deepEqual(dumps, [`app-${id}.pgdump`]);
    return join(dir, ...dumps);
  };
  return { site, place, sql, backup: { dir, database: true }, dumpOf };
}

test('PostgreSQL: dumped before the migrations and restored with the password of .env, which is on no command line and in no log', async (t) => {
  if (!needsPostgreSql(t)) return;
  const { site, place, sql, backup, dumpOf } = await buildWithDatabase(t);
  const commands: string[] = [];
  const host = quietHost();
  const watched: typeof host = {
    ...host,
    run: (command, options) => {
      commands.push(`${command.join(' ')} ${JSON.stringify(options.env)}`);
      return host.run(command, options);
    },
  };
  const migration = [
    'psql',
    '-X',
    '-d',
    'app',
    '-c',
    'drop table posts; update users set name = $$after$$; create table comments(body text)',
  ];
  const migrate = {
    command: migration,
    environment: { PGHOST: place, PGUSER: 'me', PGPASSFILE: join(site.folder, 'pass') },
  };
  writeFileSync(join(site.folder, 'pass'), `*:*:*:*:${password.replaceAll(/[\\:]/g, '\\$&')}\n`, { mode: 0o600 });
  const settings = site.settings({}, { backup, steps: { before: [migrate] } });
  const document = await deploy(watched, settings);
  assert.equal(document.state, 'verified', site.log());
  assert.equal(sql("select to_regclass('posts') is null"), 't', 'the migration has run');
  assert.ok(commands.some((command) => command.startsWith('pg_dump ')));
  for (const text of [...commands, site.log()]) assert.ok(!text.includes('pa:ss') && !text.includes('word#1'), text);
  const file = dumpOf(document.id);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(readFileSync(file).subarray(0, 5).toString(), 'PGDMP');
  const restored = await holdfast(site, ['restore', file, '--yes']);
  assert.equal(restored.exitCode, 0, restored.stderr);
  assert.equal(sql('select count(*) from posts'), '2');
  assert.equal(sql('select name from users'), 'before', 'what is there is replaced');
  assert.equal(sql("select to_regclass('comments') is not null"), 't', 'a table made since stays');
  assert.ok(!existsSync(join(site.app, '.git/holdfast/database-credentials')));
});

test('PostgreSQL: a restore that cannot end changes nothing, and the services are started again', async (t) => {
  if (!needsPostgreSql(t)) return;
  const { site, sql, backup, dumpOf } = await buildWithDatabase(t);
  const document = await deploy(quietHost(), site.settings({}, { backup }));
  assert.equal(document.state, 'verified', site.log());
  sql("update users set name = 'after'; create view titles as select title from posts");
  const note = (word: string) => [['sh', '-c', `echo ${word} >> ${site.folder}/services`]];
  const services = { stop: note('stop'), start: note('start') };
  const path = join(site.folder, 'holdfast.yaml');
  writeFileSync(path, JSON.stringify({ deployment: { backup: { ...backup, ...services } } }));
  const { exitCode, stderr } = await holdfast(site, ['restore', dumpOf(document.id), '--yes', '--config', path]);
  assert.equal(exitCode, 1);
  assert.match(stderr, /Restoring the database with pg_restore\b.*exit code 1/);
  assert.equal(sql('select name from users'), 'after');
  assert.equal(sql('select count(*) from titles'), '2');
  assert.equal(readFileSync(join(site.folder, 'services'), 'utf8'), 'stop\nstart\n');
});
