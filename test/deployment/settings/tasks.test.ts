import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { rollback } from '../../../src/deployment/rollback.ts';
import { readDeploymentSettings } from '../../../src/deployment/settings/settings.ts';
import { needs } from '../../support/needs.ts';
import { buildLaravel, needsLaravel } from '../support/laravel.ts';
import { needsMariaDb, startMariaDb } from '../support/mariadb.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite } from '../support/site.ts';

const all = { composer: true, assets: true, migrations: true, queue: true, scheduler: true };

test('each word is a step at its place, and migrations are never run by a rollback', async (t) => {
  const site = await buildSite(t);
  for (const program of ['composer', 'npm']) {
    const path = join(site.folder, 'bin', program);
    writeFileSync(path, `#!/bin/sh\necho "${program} $*" >> calls\n`);
    chmodSync(path, 0o755);
  }
  const file = { ...all, steps: { before: [{ name: 'own', command: ['sh', '-c', 'echo own >> calls'] }] } };
  const first = site.push({ 'composer.lock': '1', 'resources/app.js': '1', 'database/migrations/1.php': '' });
  assert.equal((await deploy(quietHost(), site.settings({}, file))).state, 'verified', site.log());
  const names = () => site.artisanCalls().map((call) => call.split(' ').slice(0, 2).join(' ').replace(/ --.*/, ''));
  const [before, after] = [names().indexOf('config:clear'), names().lastIndexOf('view:cache')];
  assert.deepEqual(names().slice(0, before), ['composer install', 'npm ci', 'npm run', 'own', 'migrate']);
  assert.deepEqual(names().slice(after + 1), ['queue:restart', 'schedule:interrupt']);
  const count = names().length;
  site.push({ page: 'two' });
  await deploy(quietHost(), site.settings({}, file));
  assert.deepEqual(names().slice(count, count + 2), ['own', 'config:clear'], 'nothing that they depend on has changed');
  const second = names().length;
  assert.equal((await rollback(quietHost(), site.settings({}, file), { commit: `${first}~1` })).state, 'verified');
  assert.ok(names().slice(second).includes('composer install'));
  assert.ok(!names().slice(second).includes('migrate'));
});

test('with umask 077 what composer and the build make has the permissions of the checkout, after a rollback too', async (t) => {
  const site = await buildSite(t);
  const bin = (program: string, made: string) =>
    writeFileSync(join(site.folder, 'bin', program), `#!/bin/sh\nrm -rf ${made}; mkdir ${made}; : > ${made}/file\n`, {
      mode: 0o755,
    });
  bin('composer', 'storage/vendor');
  bin('npm', 'storage/build');
  const modes = () => {
    const made = ['vendor', 'vendor/file', 'build/file', 'own'];
    return made.map((path) => (statSync(join(site.app, 'storage', path)).mode & 0o777).toString(8));
  };
  const own = { command: ['sh', '-c', 'rm -f storage/own; : > storage/own'] };
  const file = { composer: true, assets: true, steps: { before: [own] } };
  site.write('storage/kept', '');
  const ours = process.umask(0o077);
  t.after(() => process.umask(ours));
  site.push({ 'composer.lock': '1', 'resources/app.js': '1' });
  assert.equal((await deploy(quietHost(), site.settings({}, file))).state, 'verified', site.log());
  assert.deepEqual(modes(), ['755', '644', '644', '600'], 'a step of the settings has our umask');
  site.push({ 'composer.lock': '2', 'resources/app.js': '2', status: '500' });
  assert.equal((await deploy(quietHost(), site.settings({}, file))).state, 'rolled-back', site.log());
  assert.deepEqual(modes(), ['755', '644', '644', '600']);
});

test('a word that the preset knows no step for is a mistake', () => {
  const flags = { appDir: '/srv/app', branch: 'main', logFile: '/log', healthUrl: 'http://x/' };
  const read = readDeploymentSettings({
    flags,
    environment: {},
    file: { preset: 'none', composer: true, queue: true },
  });
  assert.deepEqual('mistakes' in read ? read.mistakes : [], [
    'deployment.queue is on, and the preset "none" knows no step for it: write one under steps.',
  ]);
});

test('a real Laravel migrates a real SQLite, and its workers are told to restart', async (t) => {
  if (!needsLaravel(t) || !needs(t, 'sqlite3')) return;
  const site = await buildLaravel(t);
  const database = join(site.app, 'database', 'database.sqlite');
  writeFileSync(database, '');
  site.push({ 'database/migrations/2026_01_01_000000_posts.php': migration });
  const document = await deploy(quietHost(), site.settings({}, { migrations: true, queue: true }));
  assert.equal(document.state, 'verified', site.log());
  assert.match(site.log(), /Broadcasting queue restart signal/);
  assert.match(execFileSync('sqlite3', [database, '.tables'], { encoding: 'utf8' }), /posts/);
});

test('a migration has the configuration of its own commit, not the cached one of the commit before', async (t) => {
  if (!needsLaravel(t) || !needs(t, 'sqlite3')) return;
  const site = await buildLaravel(t);
  const [before, now] = ['database', 'other'].map((name) => join(site.app, 'database', `${name}.sqlite`)) as [
    string,
    string,
  ];
  for (const database of [before, now]) writeFileSync(database, '');
  const config = site.read('config/database.php') ?? '';
  site.push({
    'config/database.php': config.replace('database.sqlite', 'other.sqlite'),
    'database/migrations/2026_01_01_000000_posts.php': migration,
  });
  const document = await deploy(quietHost(), site.settings({}, { migrations: true }));
  assert.equal(document.state, 'verified', site.log());
  const tables = (database: string) => execFileSync('sqlite3', [database, '.tables'], { encoding: 'utf8' });
  assert.match(tables(now), /posts/);
  assert.equal(tables(before), '');
  assert.equal(site.git(site.app, 'status', '--porcelain'), '');
});

test('a real Laravel migrates a real MariaDB, with the password of .env', async (t) => {
  if (!needsLaravel(t) || !needsMariaDb(t) || !needs(t, phpMysql)) return;
  const site = await buildLaravel(t);
  const { socket, sql } = await startMariaDb(t, site.folder);
  sql(`create database app; create user me@localhost identified by 'a word'; grant all on app.* to me@localhost`);
  const values = { DATABASE: 'app', USERNAME: 'me', PASSWORD: '"a word"', SOCKET: socket };
  const lines = Object.entries({ CONNECTION: 'mysql', ...values }).map(([name, value]) => `DB_${name}=${value}\n`);
  appendFileSync(join(site.app, '.env'), `\n${lines.join('')}`);
  site.push({ 'config/database.php': databaseConfig });
  assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
  site.push({ 'database/migrations/2026_01_01_000000_posts.php': migration });
  const document = await deploy(quietHost(), site.settings({}, { migrations: true }));
  assert.equal(document.state, 'verified', site.log());
  assert.equal(sql('select migration from app.migrations'), '2026_01_01_000000_posts');
  assert.equal(sql('select count(*) from app.posts'), '0');
  assert.doesNotMatch(site.log(), /a word/);
});

/** The package with PHP's driver, seen from a folder of programs. */
const phpMysql = '../../var/lib/dpkg/info/php-mysql.list';

const databaseConfig = `<?php
$names = ['unix_socket' => 'SOCKET', 'database' => 'DATABASE', 'username' => 'USERNAME', 'password' => 'PASSWORD'];
return [
    'default' => env('DB_CONNECTION'),
    'connections' => ['mysql' => ['driver' => 'mysql', 'host' => 'localhost', 'prefix' => '', 'charset' => 'utf8mb4', 'collation' => 'utf8mb4_unicode_ci']
        + array_map(fn ($name) => env("DB_$name"), $names)],
    'migrations' => 'migrations',
];
`;

const migration = `<?php
use Illuminate\\Database\\Migrations\\Migration;
use Illuminate\\Support\\Facades\\Schema;
return new class extends Migration {
    public function up() { Schema::create('posts', fn ($table) => $table->id()); }
};
`;

test('a real composer installs what the new composer.lock names', async (t) => {
  if (!needs(t, 'composer')) return;
  const site = await buildSite(t);
  const library = join(site.folder, 'library');
  execFileSync('mkdir', [library]);
  writeFileSync(join(library, 'composer.json'), JSON.stringify({ name: 'acme/library', version: '1.0.0' }));
  const repositories = [{ type: 'path', url: library, options: { symlink: false } }, { packagist: false }];
  const requiring = JSON.stringify({ repositories, require: { 'acme/library': '1.0.0' } });
  writeFileSync(join(site.developer, 'composer.json'), requiring);
  const env = { ...process.env, COMPOSER_ALLOW_SUPERUSER: '1', COMPOSER_HOME: site.folder };
  execFileSync('composer', ['update', '--no-install', '--no-interaction'], {
    cwd: site.developer,
    env,
    stdio: 'ignore',
  });
  site.push({ '.gitignore': 'storage/\n.env\ncalls\nvendor/\n' });
  const environment = {
    PATH: process.env.PATH ?? '',
    COMPOSER_ALLOW_SUPERUSER: '1',
    COMPOSER_HOME: site.folder,
  };
  const file = { preset: 'none', composer: true, environment };
  assert.equal((await deploy(quietHost(), site.settings({}, file))).state, 'verified', site.log());
  assert.match(site.read('vendor/acme/library/composer.json') ?? '', /acme/);
});
