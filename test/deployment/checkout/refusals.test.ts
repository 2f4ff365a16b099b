import assert from 'node:assert/strict';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { rollback } from '../../../src/deployment/rollback.ts';
import { UsageError } from '../../../src/host/errors.ts';
import { frame, tagged } from '../support/log.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite } from '../support/site.ts';

const isRoot = process.getuid?.() === 0;

test('a directory that is not there: exit 1, the error between the start line and the completion line', async (t) => {
  const site = await buildSite(t);
  const document = await deploy(quietHost(), site.settings({ appDir: join(site.folder, 'nowhere') }));
  assert.equal(document.state, 'aborted');
  assert.equal(document.exitCode, 1);
  assert.deepEqual(frame(site.log()), [
    '===== Deployment started TIME =====',
    `[ERROR] Cannot change to the directory: ${site.folder}/nowhere does not exist`,
    '===== Deployment completed TIME =====',
    '',
    '',
  ]);
});

test('a file instead of the directory: exit 1', async (t) => {
  const site = await buildSite(t);
  writeFileSync(join(site.folder, 'file'), '');
  const document = await deploy(quietHost(), site.settings({ appDir: join(site.folder, 'file') }));
  assert.equal(document.exitCode, 1);
  assert.match(site.log(), /^\[ERROR\] Cannot change to the directory: /m);
});

const notTops: readonly (readonly [string, (folder: string, app: string) => string])[] = [
  ['a folder of the checkout', (_, app) => join(app, 'inner')],
  ['a bare repository', (folder) => join(folder, 'origin.git')],
  ['a folder without a checkout', (folder) => join(folder, 'bin')],
];
for (const [what, where] of notTops) {
  test(`${what} is not the top of a checkout: exit 2, one sentence, nothing touched`, async (t) => {
    const site = await buildSite(t);
    mkdirSync(join(site.app, 'inner'));
    const appDir = where(site.folder, site.app);
    const before = site.head();
    site.push({ page: 'two' });
    const document = await deploy(quietHost(), site.settings({ appDir }));
    assert.equal(document.exitCode, 2);
    assert.equal(tagged(site.log()).length, 1);
    assert.match(site.log(), /^\[ERROR\] .* is not the top of a git checkout: [^\n]+\.$/m);
    assert.equal(site.head(), before);
    assert.ok(!existsSync(join(appDir, '.git')));
  });
}

test('a symbolic link to the checkout is the checkout', async (t) => {
  const site = await buildSite(t);
  const commit = site.push({ page: 'two' });
  symlinkSync(site.app, join(site.folder, 'link'));
  const document = await deploy(quietHost(), site.settings({ appDir: join(site.folder, 'link') }));
  assert.equal(document.exitCode, 0);
  assert.equal(site.head(), commit);
});

test('not run as the owner: exit 2 naming the user', {
  skip: isRoot ? false : 'only root can give files away',
}, async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  site.push({ page: 'two' });
  const give = (owner: number) => [site.app, join(site.app, '.git')].map((path) => chownSync(path, owner, owner));
  give(1);
  const stranger = /app belongs to daemon and this runs as root: run it as daemon\.$/m;
  // A log of root's would keep the right user out.
  await assert.rejects(deploy(quietHost(), site.settings()), stranger);
  assert.equal(existsSync(site.logFile), false);
  writeFileSync(site.logFile, '');
  const document = await deploy(quietHost(), site.settings());
  give(0);
  assert.equal(document.exitCode, 2);
  assert.match(site.log(), stranger);
  assert.equal(site.head(), before);
});

test('owners of APP_DIR and of its .git that differ: one advice that works', {
  skip: isRoot ? false : 'only root can give files away',
}, async (t) => {
  const site = await buildSite(t);
  writeFileSync(site.logFile, '');
  chownSync(site.app, 1, 1);
  const { because, exitCode } = await deploy(quietHost(), site.settings());
  assert.equal(exitCode, 2);
  assert.match(
    String(because),
    /app belongs to daemon and \S+\/\.git to root: one user has to own both\. chown -R daemon \S+\/\.git, and run it as daemon\.$/,
  );
});

test('a checkout that has no commit yet: nothing is touched', async (t) => {
  const site = await buildSite(t);
  rmSync(site.app, { recursive: true });
  site.git(site.folder, 'init', '--quiet', '--initial-branch=main', site.app);
  site.git(site.app, 'remote', 'add', 'origin', site.remote);
  const document = await deploy(quietHost(), site.settings());
  assert.equal(document.exitCode, 1);
  assert.match(
    site.log(),
    /^\[ERROR\] .*HEAD.*there is none\. The first deploy of a checkout that has no commit yet takes --clone URL$/m,
  );
});

const badLogs: readonly (readonly [string, (path: string) => void])[] = [
  ['is a folder', (path) => mkdirSync(path)],
  ['is a symbolic link', (path) => symlinkSync('/etc/passwd', path)],
  ['lies in a folder that is not there', () => {}],
];
for (const [what, make] of badLogs) {
  test(`a log that ${what} is found before anything is touched: a mistake of the settings`, async (t) => {
    const site = await buildSite(t);
    const before = site.head();
    site.push({ page: 'two' });
    const logFile = join(site.folder, ...(what.startsWith('lies') ? ['nowhere'] : []), 'other.log');
    make(logFile);
    await assert.rejects(deploy(quietHost(), site.settings({ logFile })), (error) => {
      assert.ok(error instanceof UsageError);
      assert.equal(error.mistakes.length, 1);
      assert.match(error.message, /^The deployment log cannot be written: .*other\.log.*: .*\.$/);
      return true;
    });
    assert.equal(site.head(), before);
    assert.ok(!existsSync(join(site.app, '.git', 'holdfast')));
  });
}

test('another git directory in the environment is not followed', async (t) => {
  const site = await buildSite(t);
  const commit = site.push({ page: 'two' });
  const settings = site.settings();
  const environment = { ...settings.environment, GIT_DIR: site.remote };
  assert.ok(!('GIT_DIR' in site.settings({}, {}).environment));
  const read = await import('../../../src/deployment/settings/settings.ts');
  const given = read.readDeploymentSettings({
    flags: { appDir: site.app, branch: 'main', logFile: settings.logFile, healthUrl: site.healthUrl },
    environment,
    file: {},
  });
  assert.ok('settings' in given);
  const document = await deploy(quietHost(), given.settings);
  assert.equal(document.exitCode, 0);
  assert.equal(site.head(), commit);
});

test('hooks of the checkout are not run', async (t) => {
  const site = await buildSite(t);
  const hook = join(site.app, '.git', 'hooks', 'reference-transaction');
  writeFileSync(hook, `#!/bin/sh\ntouch ${site.folder}/hooked\n`);
  chmodSync(hook, 0o755);
  site.push({ page: 'two' });
  await deploy(quietHost(), site.settings());
  assert.ok(!existsSync(join(site.folder, 'hooked')));
});

test('an unknown commit cannot be rolled back to', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  const document = await rollback(quietHost(), site.settings(), { commit: '--hard' });
  assert.equal(document.exitCode, 1);
  assert.equal(site.head(), before);
});

test('the log is not readable by everybody', async (t) => {
  const site = await buildSite(t);
  await deploy(quietHost(), site.settings());
  const { statSync } = await import('node:fs');
  assert.equal(statSync(join(site.folder, 'deploy.log')).mode & 0o007, 0);
  assert.ok(readFileSync(join(site.app, '.git', 'holdfast', 'journal.jsonl'), 'utf8').length > 0);
});
