import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { repairNow } from '../../../src/deployment/repair-now.ts';
import { rollback } from '../../../src/deployment/rollback.ts';
import { holdfast } from '../support/holdfast.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite, type Site } from '../support/site.ts';

test('a branch that was force-pushed is followed, and the commits that it drops are counted', async (t) => {
  const site = await buildSite(t);
  site.push({ page: 'one and a half' });
  site.push({ page: 'two' });
  await deploy(quietHost(), site.settings());
  site.git(site.developer, 'reset', '--quiet', '--hard', 'HEAD~2');
  const commit = site.push({ page: 'another two' });
  const document = await deploy(quietHost(), site.settings());
  assert.equal(document.exitCode, 0);
  assert.equal(site.head(), commit);
  assert.equal(site.read('page'), 'another two');
  assert.match(site.log(), /^\[INFO\] The history of main was rewritten: 2 commits of the checkout are not in it$/m);
  site.push({ page: 'three' });
  await deploy(quietHost(), site.settings());
  assert.equal(site.log().match(/was rewritten/g)?.length, 1);
});

test('a branch below the name of a branch that was deleted upstream is fetched', async (t) => {
  const site = await buildSite(t);
  site.push({ page: 'old' }, 'rel');
  await deploy(quietHost(), site.settings({ branch: 'rel' }));
  site.git(site.remote, 'branch', '-D', 'rel');
  const commit = site.push({ page: 'new' }, 'rel/1');
  const document = await deploy(quietHost(), site.settings({ branch: 'rel/1' }));
  assert.equal(document.state, 'verified', site.log());
  assert.equal(site.head(), commit);
});

test('a clone of a single branch is brought to another one', async (t) => {
  const site = await buildSite(t);
  site.git(site.app, 'config', 'remote.origin.fetch', '+refs/heads/main:refs/remotes/origin/main');
  const commit = site.push({ page: 'other' }, 'other');
  const document = await deploy(quietHost(), site.settings({ branch: 'other' }));
  assert.equal(document.newCommit, commit, site.log());
});

test('a shallow clone keeps the commit to roll back to', async (t) => {
  const site = await buildSite(t);
  site.push({ page: 'two' });
  site.push({ page: 'three' });
  site.git(site.app, 'fetch', '--quiet', '--depth=1', 'origin', 'main');
  site.git(site.app, 'reset', '--quiet', '--hard', 'FETCH_HEAD');
  const before = site.head();
  site.push({ status: '500' });
  const document = await deploy(quietHost(), site.settings());
  assert.equal(document.state, 'rolled-back', site.log());
  assert.equal(site.head(), before);
});

test('the commit to roll back to survives a clean-up of git after a forced push', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  site.git(site.developer, 'checkout', '--quiet', '--orphan', 'another');
  site.push({ page: 'two' });
  await deploy(quietHost(), site.settings());
  site.git(site.app, 'reflog', 'expire', '--expire=now', '--all');
  site.git(site.app, 'gc', '--quiet', '--prune=now');
  assert.equal((await rollback(quietHost(), site.settings(), { commit: before })).state, 'verified', site.log());
});

test('a detached HEAD is deployed like any other', async (t) => {
  const site = await buildSite(t);
  site.git(site.app, 'checkout', '--quiet', '--detach');
  const commit = site.push({ page: 'two' });
  assert.equal((await deploy(quietHost(), site.settings())).newCommit, commit);
});

async function withSubmodule(t: Parameters<typeof buildSite>[0]): Promise<{ site: Site; library: string }> {
  const site = await buildSite(t);
  // Git does not clone a submodule from a path unless it is told that it may.
  writeFileSync(join(site.folder, '.gitconfig'), '[protocol "file"]\n\tallow = always\n');
  const library = join(site.folder, 'library');
  site.git(site.folder, 'init', '--quiet', '--initial-branch=main', library);
  writeFileSync(join(library, 'code'), 'library one');
  site.git(library, 'add', '--all');
  site.git(library, 'commit', '--quiet', '--message', 'one');
  site.git(site.developer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'lib');
  site.push({ page: 'two' });
  return { site, library };
}

test('submodules follow the commit, in the deploy and in the rollback', async (t) => {
  const { site, library } = await withSubmodule(t);
  assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
  assert.equal(site.read('lib/code'), 'library one');
  writeFileSync(join(library, 'code'), 'library two');
  site.git(library, 'commit', '--quiet', '--all', '--message', 'two');
  site.git(join(site.developer, 'lib'), '-c', 'protocol.file.allow=always', 'pull', '--quiet', 'origin', 'main');
  site.push({ page: 'three' });
  assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
  assert.equal(site.read('lib/code'), 'library two');
  assert.equal((await rollback(quietHost(), site.settings())).state, 'verified', site.log());
  assert.equal(site.read('lib/code'), 'library one');
});

/** The step ends the deploy that runs it. */
async function killedInItsCaches(site: Site, steps: unknown = {}): Promise<void> {
  const caches = { clear: [], rebuild: [{ command: ['sh', '-c', 'kill -9 "$PPID"'] }] };
  writeFileSync(
    join(site.folder, 'holdfast.yaml'),
    JSON.stringify({ deployment: { opcache: { wait: '0s' }, caches, steps } }),
  );
  assert.equal((await holdfast(site, ['deploy'])).exitCode, -1);
}

test('the lock of a killed git is removed, and never one that a running git may hold', async (t) => {
  const site = await buildSite(t);
  const commit = site.push({ page: 'two' });
  await killedInItsCaches(site);
  const lock = join(site.app, '.git', 'index.lock');
  writeFileSync(lock, '');
  const living = spawn('git', ['cat-file', '--batch'], { cwd: site.app, stdio: ['pipe', 'ignore', 'ignore'] });
  const gone = new Promise((resolve) => living.once('exit', resolve));
  assert.equal((await deploy(quietHost(), site.settings())).exitCode, 5);
  assert.ok(existsSync(lock));
  living.stdin.end();
  await gone;
  assert.equal((await deploy(quietHost(), site.settings())).exitCode, 0, site.log());
  assert.equal(site.head(), commit);
  assert.match(site.log(), /^\[INFO\] Removed the locks that it left: .*index\.lock$/m);
});

test('a new submodule whose origin is away says why, and no commit is quarantined for it', async (t) => {
  const site = await buildSite(t);
  const library = join(site.folder, 'library');
  site.git(site.folder, 'init', '--quiet', library);
  site.git(library, 'commit', '--quiet', '--allow-empty', '--message', 'one');
  site.git(site.developer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'lib');
  const commit = site.push({});
  const environment = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'protocol.file.allow', GIT_CONFIG_VALUE_0: 'always' };
  const settings = site.settings({}, { environment });
  renameSync(library, `${library}-away`);
  const { exitCode, because } = await deploy(quietHost(), settings);
  assert.equal(exitCode, 3, site.log());
  assert.match(because ?? '', /^Step submodules failed: exit code \d+: .*library' does not exist/);
  renameSync(`${library}-away`, library);
  assert.equal((await deploy(quietHost(), settings)).newCommit, commit, site.log());
});

test('submodules follow the commit in the repair of a killed deploy too', async (t) => {
  const { site, library } = await withSubmodule(t);
  assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
  writeFileSync(join(library, 'code'), 'library two');
  site.git(library, 'commit', '--quiet', '--all', '--message', 'two');
  site.git(join(site.developer, 'lib'), '-c', 'protocol.file.allow=always', 'pull', '--quiet', 'origin', 'main');
  site.push({ page: 'three' });
  await killedInItsCaches(site);
  assert.equal(site.read('lib/code'), 'library two', 'killed after the submodules');
  assert.equal((await repairNow(quietHost(), site.settings())).exitCode, 0, site.log());
  assert.deepEqual([site.read('page'), site.read('lib/code')], ['two', 'library one']);
});

test('the steps of the settings follow the commit in the repair of a killed deploy too', async (t) => {
  const site = await buildSite(t);
  const install = { command: ['sh', '-c', 'mkdir -p storage; cp page storage/libraries'], whenChanged: ['page'] };
  const migrate = { command: ['sh', '-c', 'touch storage/migrated-again'], on: 'deploy' };
  site.push({ page: 'two' });
  await killedInItsCaches(site, { before: [install] });
  assert.equal(site.read('storage/libraries'), 'two');
  const settings = site.settings({}, { steps: { before: [install, migrate] } });
  assert.equal((await repairNow(quietHost(), settings)).exitCode, 0, site.log());
  assert.equal(site.read('storage/libraries'), 'one');
  assert.equal(site.read('storage/migrated-again'), undefined);
});

test('large files without git-lfs are refused before anything is touched: no pointer is served', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  site.push({
    '.gitattributes': '*.bin -filter\n# *.big filter=lfs\n*.big filter=lfs -text\n',
    'a.big': 'version https://git-lfs\n',
  });
  const document = await deploy(quietHost(), site.settings());
  assert.deepEqual([document.state, document.exitCode], ['aborted', 2], site.log());
  assert.equal(site.head(), before);
  assert.match(site.log(), /^\[ERROR\] The commit has large files \(filter=lfs\), and git-lfs is not installed: /m);
});

test('a fetch that hangs is ended with all that it started', async (t) => {
  const site = await buildSite(t);
  site.git(site.app, 'remote', 'set-url', 'origin', 'ssh://nobody.example/app.git');
  const ssh = join(site.folder, 'bin', 'ssh');
  writeFileSync(ssh, `#!/bin/sh\nsleep 300 & echo $! > ${site.folder}/sleeper\nwait\n`, { mode: 0o755 });
  const document = await deploy(quietHost(), site.settings({}, { commandTimeout: '500ms' }));
  assert.equal(document.exitCode, 1);
  assert.match(site.log(), /^ {2}fetch was ended after 500 ms$/m);
  const sleeper = readFileSync(join(site.folder, 'sleeper'), 'utf8').trim();
  assert.ok(
    !existsSync(`/proc/${sleeper}`) || /\) Z /.test(readFileSync(`/proc/${sleeper}/stat`, 'utf8')),
    'nothing of it still runs',
  );
});

test('nobody is asked for a password', async (t) => {
  const site = await buildSite(t);
  const { createServer } = await import('node:http');
  const server = createServer((_, response) =>
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end(),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as { port: number };
  site.git(site.app, 'remote', 'set-url', 'origin', `http://127.0.0.1:${port}/app.git`);
  const document = await deploy(quietHost(), site.settings());
  assert.equal(document.exitCode, 1);
  assert.match(site.log(), /^\[ERROR\] Git fetch failed$/m);
});

test("the checkout's own ssh command keeps its deploy key, and is told not to ask", async (t) => {
  const site = await buildSite(t);
  const ssh = join(site.folder, 'my-ssh');
  writeFileSync(ssh, `#!/bin/sh\necho "$*" > ${site.folder}/ssh-words\nexit 1\n`, { mode: 0o755 });
  site.git(site.app, 'config', 'core.sshCommand', `${ssh} -i /keys/deploy`);
  site.git(site.app, 'remote', 'set-url', 'origin', 'ssh://git.example/app.git');
  await deploy(quietHost(), site.settings());
  assert.match(
    readFileSync(join(site.folder, 'ssh-words'), 'utf8'),
    /^-i \/keys\/deploy -o BatchMode=yes -o ConnectTimeout=10/,
  );
});

test('the end of the application’s log is kept where a commit fails', async (t) => {
  const site = await buildSite(t);
  site.push({ '.gitignore': 'storage/\n.env\ncalls\n', status: '500' });
  site.write('storage/logs/laravel.log', 'before\n');
  site.server.prependListener('request', () => {
    if (site.read('status') === '500')
      appendFileSync(
        join(site.app, 'storage/logs/laravel.log'),
        'RuntimeException: why it failed ghp_0123456789abcdef\n',
      );
  });
  const { id } = await deploy(quietHost(), site.settings());
  const kept = readFileSync(join(site.app, '.git/holdfast/runs', id, 'laravel.log'), 'utf8');
  assert.match(kept, /RuntimeException: why it failed \[secret\]/);
  assert.match(site.log(), /^\[INFO\] The end of storage\/logs\/laravel\.log is kept in /m);
});

test('a migration is not undone, and the rollback says so', async (t) => {
  const site = await buildSite(t);
  site.push({ status: '500' });
  const steps = { before: [{ name: 'migrate', command: ['true'], on: 'deploy' }] };
  await deploy(quietHost(), site.settings({}, { steps }));
  assert.match(site.log(), /^\[INFO\] These steps are not undone, and may be ahead of the code: migrate$/m);
});
