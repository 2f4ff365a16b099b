import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { repairNow } from '../../../src/deployment/repair-now.ts';
import { rollback } from '../../../src/deployment/rollback.ts';
import type { Host } from '../../../src/host/host.ts';
import { holdfast, startHoldfast, until } from '../support/holdfast.ts';
import { frame, tagged } from '../support/log.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite, type Site } from '../support/site.ts';

const releasesOf = (site: Site): readonly string[] => readdirSync(join(site.app, 'releases')).sort();
const live = (site: Site): string => realpathSync(join(site.app, 'current'));
const inTree = (site: Site, path: string): string => readFileSync(join(site.app, path), 'utf8');
const untilNow = (site: Site): ((log: string) => readonly string[]) => {
  const { length } = site.log();
  return (log) => tagged(log.slice(length));
};

test('a good commit is completed in a folder of its own, and then made live by one link', async (t) => {
  const site = await buildSite(t, 'releases');
  const before = site.git(site.app, 'rev-parse', 'HEAD');
  const commit = site.push({ page: 'two', '.gitattributes': '*.txt eol=crlf\n', 'windows.txt': 'a\nb\n' });
  const document = await deploy(quietHost(), site.settings({}, { releases: { shared: [] } }));
  assert.deepEqual([document.state, document.exitCode], ['verified', 0], site.log());
  assert.deepEqual([document.previousCommit, document.newCommit], [before, commit]);
  const [name, ...others] = releasesOf(site);
  assert.deepEqual(others, []);
  assert.equal(readlinkSync(join(site.app, 'current')), join(site.app, 'releases', name ?? ''));
  assert.deepEqual([site.head(), site.read('page'), site.read('windows.txt')], [commit, 'two', 'a\r\nb\r\n']);
  assert.equal(site.read('bootstrap/cache/views/cached-page'), 'two');
  assert.equal(site.git(live(site), 'status', '--porcelain', '--untracked-files=no'), '');
  assert.deepEqual([inTree(site, 'page'), site.git(site.app, 'rev-parse', 'HEAD')], ['one', before]);
  assert.equal(site.git(site.app, 'status', '--porcelain'), '', 'git takes neither for something to clean away');
  assert.deepEqual(frame(site.log()), [
    '===== Deployment started TIME =====',
    `[INFO] Previous commit: ${before}`,
    '[INFO] The site is unhealthy before the deploy begins (404)',
    `[INFO] New commit: ${commit}`,
    `[INFO] Live release: ${live(site)}`,
    `[SUCCESS] Health check passed (200) at ${commit}`,
    '===== Deployment completed TIME =====',
    '',
    '',
  ]);
});

test('nothing new leaves the live release alone with --if-changed, and makes another one without it', async (t) => {
  const site = await buildSite(t, 'releases');
  assert.equal((await deploy(quietHost(), site.settings({ ifChanged: true }))).state, 'verified', 'none was live yet');
  const first = live(site);
  assert.equal((await deploy(quietHost(), site.settings({ ifChanged: true }))).state, 'unchanged');
  assert.equal(live(site), first);
  assert.equal((await deploy(quietHost(), site.settings())).state, 'verified');
  assert.notEqual(live(site), first);
});

test('a broken commit is rolled back to the release before, whose caches are unchanged, and is quarantined', async (t) => {
  const site = await buildSite(t, 'releases');
  await deploy(quietHost(), site.settings());
  const [before, head] = [live(site), site.head()];
  const since = untilNow(site);
  const commit = site.push({ page: 'broken', status: '500' });
  const document = await deploy(quietHost(), site.settings());
  assert.deepEqual([document.state, document.exitCode, document.httpStatus], ['rolled-back', 3, 200]);
  assert.deepEqual([document.previousCommit, document.newCommit], [head, commit]);
  assert.equal(live(site), before);
  assert.equal(site.artisanCalls().length, 7, 'the old release has kept its caches');
  assert.equal((await fetch(site.healthUrl)).status, 200);
  const broken = releasesOf(site).find((name) => !before.endsWith(name)) ?? '';
  assert.equal(inTree(site, `releases/${broken}/page`), 'broken', 'kept for whoever wants to know why');
  assert.deepEqual(
    since(site.log()).filter((line) => !line.includes('to be shared')),
    [
      `[INFO] Previous commit: ${head}`,
      `[INFO] New commit: ${commit}`,
      `[INFO] Live release: ${join(site.app, 'releases', broken)}`,
      `[ERROR] Health check failed (500) at ${commit}`,
      `[INFO] Live release: ${before}`,
      `[ROLLBACK] Rolled back to ${head}`,
      `[INFO] Health check passed (200) at ${head}`,
    ],
  );
  assert.equal((await deploy(quietHost(), site.settings())).exitCode, 6);
});

test('a commit whose caches cannot be built never becomes live', async (t) => {
  const site = await buildSite(t, 'releases');
  await deploy(quietHost(), site.settings());
  const before = live(site);
  site.push({ 'fail-route:cache': '' });
  const document = await deploy(quietHost(), site.settings());
  assert.deepEqual([document.state, document.exitCode], ['rolled-back', 3], site.log());
  assert.match(site.log(), /^\[ROLLBACK\] Nothing was changed: still at /m);
  assert.equal(live(site), before);
  assert.deepEqual(
    releasesOf(site).map((name) => join(site.app, 'releases', name)),
    [before],
  );
});

test('the very first release that fails leaves visitors what they had before: nothing', async (t) => {
  const site = await buildSite(t, 'releases');
  site.push({ 'fail-view:cache': '' });
  const document = await deploy(quietHost(), site.settings());
  assert.deepEqual([document.state, document.exitCode], ['rolled-back-unhealthy', 4], site.log());
  assert.match(site.log(), /^\[ROLLBACK\] Nothing was changed: still at /m);
  assert.equal(existsSync(join(site.app, 'current')), false);
  assert.deepEqual(releasesOf(site), []);
  const before = site.git(site.app, 'rev-parse', 'HEAD');
  assert.match(site.log(), new RegExp(`^\\[ROLLBACK\\] Nothing was changed: still at ${before}$`, 'm'));
  assert.doesNotMatch(site.log(), /Rolled back to/);
});

test('the very first deploy makes the checkout, and its files are only in the release', async (t) => {
  const site = await buildSite(t, 'releases');
  const commit = site.push({ page: 'two', 'storage/app/.gitkeep': '' });
  rmSync(site.app, { recursive: true });
  const document = await deploy(quietHost(), site.settings({ clone: site.remote }));
  assert.deepEqual(
    [document.state, document.previousCommit, document.newCommit],
    ['verified', null, commit],
    site.log(),
  );
  assert.deepEqual(readdirSync(site.app).sort(), ['.git', 'current', 'releases', 'storage']);
  assert.ok(existsSync(join(site.app, 'storage/app/.gitkeep')), 'what is shared begins as the commit has it');
  site.write('storage/app/upload', 'an upload');
  const next = site.push({ page: 'three' });
  assert.equal((await deploy(quietHost(), site.settings())).previousCommit, commit);
  assert.deepEqual([site.head(), site.read('storage/app/upload')], [next, 'an upload']);
});

test('rollback makes the last verified release live again, at once and through the same health check', async (t) => {
  const site = await buildSite(t, 'releases');
  await deploy(quietHost(), site.settings());
  const [first, head] = [live(site), site.head()];
  const commit = site.push({ page: 'two' });
  await deploy(quietHost(), site.settings());
  const since = untilNow(site);
  const document = await rollback(quietHost(), site.settings());
  assert.deepEqual([document.state, document.previousCommit, document.newCommit], ['verified', commit, head]);
  assert.equal(live(site), first);
  assert.deepEqual(since(site.log()), [
    `[INFO] Previous commit: ${commit}`,
    `[INFO] Rollback to: ${head}`,
    `[INFO] Live release: ${first}`,
    `[ROLLBACK] Rolled back to ${head}`,
    `[SUCCESS] Health check passed (200) at ${head}`,
  ]);
  assert.equal((await deploy(quietHost(), site.settings())).exitCode, 6, 'a timer does not bring it back');
});

test('rollback to a commit whose release is gone makes it anew', async (t) => {
  const site = await buildSite(t, 'releases');
  const keep = { releases: { keep: 1 } };
  await deploy(quietHost(), site.settings({}, keep));
  const first = site.head();
  site.push({ page: 'two' });
  await deploy(quietHost(), site.settings({}, keep));
  assert.equal(releasesOf(site).length, 1);
  assert.equal(
    (await rollback(quietHost(), site.settings({}, keep), { commit: first.slice(0, 10) })).state,
    'verified',
    site.log(),
  );
  assert.deepEqual([site.head(), site.read('page')], [first, 'one']);
});

test('a shared path is the same file in every release, byte for byte, whatever a commit has there', async (t) => {
  const site = await buildSite(t, 'releases');
  const own = { '.env': 'APP_KEY=secret\n', 'storage/upload.bin': 'an upload\u0000\u0001', 'public/storage': 'public' };
  for (const [path, text] of Object.entries(own)) site.write(path, text);
  for (const status of ['200', '500']) {
    site.push({ status, '.env': 'APP_KEY=of-the-commit\n', 'storage/upload.bin': 'of the commit', page: status });
    await deploy(quietHost(), site.settings());
    for (const [path, text] of Object.entries(own))
      assert.deepEqual([inTree(site, path), site.read(path)], [text, text]);
    assert.equal(site.git(live(site), 'status', '--porcelain', '--untracked-files=no'), '', 'no local edit');
  }
  assert.equal((await holdfast(site, ['status', '--mode', 'releases'])).exitCode, 0);
});

test('a commit whose folder is a link cannot make us link or remove anything elsewhere', async (t) => {
  const site = await buildSite(t, 'releases');
  await deploy(quietHost(), site.settings());
  const before = live(site);
  const elsewhere = join(site.folder, 'elsewhere');
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, 'storage'), 'not ours');
  site.write('public/storage', 'ours');
  symlinkSync(elsewhere, join(site.developer, 'public'));
  site.push({});
  const document = await deploy(quietHost(), site.settings());
  assert.equal(document.exitCode, 3, site.log());
  assert.equal(live(site), before);
  assert.equal(readFileSync(join(elsewhere, 'storage'), 'utf8'), 'not ours');
});

test('old releases are removed, but never the live one, and never a folder without a record', async (t) => {
  const site = await buildSite(t, 'releases');
  mkdirSync(join(site.app, 'releases/20200101T000000Z-0000-1234567'), { recursive: true });
  const settings = () => site.settings({}, { releases: { keep: 2 } });
  const seen = new Set<string>();
  for (const page of ['two', 'three', 'four', 'five']) {
    site.push({ page });
    assert.equal((await deploy(quietHost(), settings())).state, 'verified');
    seen.add(live(site));
  }
  const left = releasesOf(site);
  assert.deepEqual(left[0], '20200101T000000Z-0000-1234567');
  assert.deepEqual(
    new Set(left.slice(1).map((name) => join(site.app, 'releases', name))),
    new Set([...seen].slice(-2)),
  );
  assert.deepEqual(readdirSync(join(site.app, '.git/worktrees')).sort(), left.slice(1));
});

test('edits in the live release are kept aside, or stop the deploy with localEdits: refuse', async (t) => {
  const site = await buildSite(t, 'releases');
  await deploy(quietHost(), site.settings());
  writeFileSync(join(live(site), 'page'), 'by a person');
  site.push({ page: 'two' });
  const refused = await deploy(quietHost(), site.settings({}, { localEdits: 'refuse' }));
  assert.deepEqual([refused.exitCode, site.read('page')], [1, 'by a person'], site.log());
  const { id, state } = await deploy(quietHost(), site.settings());
  assert.deepEqual([state, site.read('page')], ['verified', 'two']);
  assert.match(inTree(site, `.git/holdfast/runs/${id}/local-edits.patch`), /^\+by a person$/m);
});

test('steps run in the release before it is live, whatever has changed, and steps for rollbacks in a rollback', async (t) => {
  const site = await buildSite(t, 'releases');
  const step = (name: string, more: object) => ({
    command: ['sh', '-c', `echo ${name} >> ${site.folder}/steps`],
    ...more,
  });
  const steps = {
    before: [
      step('library', { whenChanged: ['composer.lock'] }),
      step('build', {}),
      step('migrate', { on: 'deploy' }),
      step('back', { on: 'rollback' }),
    ],
    after: [{ command: ['sh', '-c', `pwd >> ${site.folder}/steps`] }],
  };
  const settings = () => site.settings({}, { steps });
  await deploy(quietHost(), settings());
  const first = live(site);
  site.push({ status: '500' });
  await deploy(quietHost(), settings());
  const ran = readFileSync(join(site.folder, 'steps'), 'utf8').trim().split('\n');
  const second = ran[7];
  assert.deepEqual(ran, ['library', 'build', 'migrate', first, 'library', 'build', 'migrate', second, 'back', first]);
});

test('the basic variant makes live what it has built, without a check, and nothing that it could not build', async (t) => {
  const site = await buildSite(t, 'releases');
  const settings = () => site.settings({ variant: 'basic' });
  assert.equal((await deploy(quietHost(), settings())).state, 'updated', site.log());
  const before = live(site);
  assert.equal(site.requests(), 1, 'the one before anything is touched');
  site.push({ 'fail-view:cache': '' });
  const document = await deploy(quietHost(), settings());
  assert.deepEqual([document.state, document.exitCode, live(site)], ['aborted', 1, before], site.log());
  assert.equal(releasesOf(site).length, 1);
});

test('a checkout where releases cannot be is refused before anything is touched: exit 2', async (t) => {
  const site = await buildSite(t, 'releases');
  const current = join(site.app, 'current');
  mkdirSync(current);
  const refusedWith = async (pattern: RegExp, mode = 'releases') => {
    const { exitCode } = await deploy(quietHost(), site.settings({ mode }));
    assert.equal(exitCode, 2, site.log());
    assert.match(tagged(site.log()).at(-1) ?? '', pattern);
  };
  await refusedWith(/current is not the symbolic link that leads to the live release/);
  rmSync(current, { recursive: true });
  symlinkSync(site.developer, current);
  await refusedWith(/current leads to .*developer, which is no release of holdfast/);
  rmSync(current);
  assert.equal(existsSync(join(site.app, 'releases')), false);
  assert.equal((await deploy(quietHost(), site.settings())).state, 'verified');
  await refusedWith(/get the release .*: use --mode releases, or remove /, 'in-place');
  assert.equal((await deploy(quietHost(), site.settings())).state, 'verified');
});

test('the link may lead to the checkout itself until the first release is live, and leads there again when that is broken', async (t) => {
  const site = await buildSite(t, 'releases');
  const before = site.git(site.app, 'rev-parse', 'HEAD');
  symlinkSync('.', join(site.app, 'current'));
  const commit = site.push({ page: 'two', status: '500' });
  const document = await deploy(quietHost(), site.settings());
  assert.deepEqual([document.exitCode, document.previousCommit, document.newCommit], [3, before, commit], site.log());
  assert.deepEqual([site.head(), site.read('page')], [before, 'one']);
  assert.equal((await fetch(site.healthUrl)).status, 200);
  const next = site.push({ page: 'three', status: '200' });
  assert.equal((await deploy(quietHost(), site.settings())).state, 'verified');
  assert.equal(site.head(), next);
});

test('the command line: deploy, status, history, doctor, lock and bad combinations', async (t) => {
  const site = await buildSite(t, 'releases');
  const commit = site.push({ page: 'two' });
  const run = (...words: readonly string[]) => holdfast(site, [...words, '--mode', 'releases']);
  const { stdout } = await run('deploy', '--json');
  assert.equal(JSON.parse(stdout).state, 'verified');
  const status = await run('status');
  assert.match(status.stdout, new RegExp(`^commit         ${commit}\nrelease        ${live(site)}$`, 'm'));
  assert.match((await holdfast(site, ['history'])).stdout, /verified, exit 0, by [^\n]+\n$/);
  const doctor = await run('doctor');
  assert.match(doctor.stdout, /^ {2}releases {2}\S+ is live, of 1$/m);
  await holdfast(site, ['lock', '--reason', 'a holiday']);
  assert.equal((await run('deploy')).exitCode, 6);
  const bad = await run('deploy', '--clean', '--health-attempts', 'many');
  assert.equal(bad.exitCode, 2);
  assert.match(bad.stderr, /deployment\.clean is for the mode "in-place"/);
  assert.match(bad.stderr, /attempts/);
});

test('submodules of a release are as its commit has them', async (t) => {
  const site = await buildSite(t, 'releases');
  const library = join(site.folder, 'library.git');
  site.git(site.folder, 'clone', '--quiet', '--bare', site.remote, library);
  const file = ['-c', 'protocol.file.allow=always'];
  site.git(site.developer, ...file, 'submodule', '--quiet', 'add', library, 'library');
  site.push({});
  const environment = { GIT_CONFIG_COUNT: '1' };
  const document = await deploy(
    quietHost(),
    site.settings(
      {},
      { environment: { ...environment, GIT_CONFIG_KEY_0: 'protocol.file.allow', GIT_CONFIG_VALUE_0: 'always' } },
    ),
  );
  assert.equal(document.state, 'verified', site.log());
  assert.equal(site.read('library/page'), 'one');
});

test('a release is complete, on the disk and recorded as ready before one rename makes it live', async (t) => {
  const site = await buildSite(t, 'releases');
  const real = quietHost();
  const deeds: string[] = [];
  const files: Host['files'] = {
    ...real.files,
    replace: (path, text, options) => {
      if (path.endsWith('.json')) deeds.push(`${JSON.parse(text).state}`);
      return real.files.replace(path, text, options);
    },
    link: (path, target) => {
      deeds.push(path === join(site.app, 'current') ? 'shown' : 'linked');
      return real.files.link(path, target);
    },
  };
  const run: Host['run'] = (command, options) => {
    if (/worktree|view:cache|^sync/.test(command.join(' ')))
      deeds.push(command.find((word) => /^(?:worktree|view:|sync)/.test(word)) ?? '');
    return real.run(command, options);
  };
  site.write('.env', 'APP_KEY=secret');
  assert.equal((await deploy({ ...real, files, run }, site.settings())).state, 'verified');
  const order = ['making', 'worktree', 'linked', 'view:cache', 'sync', 'ready', 'shown', 'sync', 'good'];
  assert.deepEqual(deeds, order);
});

test('a commit whose files git cannot write ends the deploy: exit 1, and nothing is left of it', async (t) => {
  const site = await buildSite(t, 'releases');
  await deploy(quietHost(), site.settings());
  const before = live(site);
  site.git(site.app, 'config', 'filter.nobodys.smudge', 'false');
  site.git(site.app, 'config', 'filter.nobodys.required', 'true');
  site.push({ '.gitattributes': 'page filter=nobodys\n', page: 'two' });
  const document = await deploy(quietHost(), site.settings());
  assert.deepEqual([document.state, document.exitCode, live(site)], ['aborted', 1, before], site.log());
  assert.match(site.log(), /^\[ERROR\] Git reset failed$/m);
  assert.equal(releasesOf(site).length, 1);
  assert.equal(readdirSync(join(site.app, '.git/holdfast/releases')).length, 1);
});

test('a signal while a release is being prepared: it never becomes live and is removed, exit 143', async (t) => {
  const site = await buildSite(t, 'releases');
  await deploy(quietHost(), site.settings());
  const before = live(site);
  site.push({ 'wait-config:cache': '60', page: 'two' });
  const { child, ended } = startHoldfast(site, ['deploy', '--mode', 'releases']);
  const waits = (name: string) => existsSync(join(site.app, 'releases', name, 'calls'));
  await until(() => releasesOf(site).filter(waits).length === 2, 'the second release is being prepared');
  child.kill('SIGTERM');
  assert.equal((await ended).exitCode, 143, site.log());
  assert.equal(live(site), before);
  assert.equal(releasesOf(site).length, 1);
});

test('the releases may be anywhere on this machine', async (t) => {
  const site = await buildSite(t, 'releases');
  const folder = join(site.folder, 'elsewhere/of app');
  const settings = () => site.settings({}, { releases: { folder, keep: 1 } });
  for (const page of ['two', 'three']) {
    site.push({ page });
    assert.equal((await deploy(quietHost(), settings())).state, 'verified', site.log());
  }
  assert.deepEqual(
    readdirSync(folder).map((name) => join(folder, name)),
    [live(site)],
  );
  assert.equal(site.read('page'), 'three');
});

for (const [where, steps] of [
  ['before it was shown', { before: [{ command: ['sh', '-c', 'kill -9 "$PPID"'] }] }],
  ['after it was shown, and before it was proved', { after: [{ command: ['sh', '-c', 'kill -9 "$PPID"'] }] }],
] as const)
  test(`a release whose run was killed ${where}: the repair goes back to the verified one`, async (t) => {
    const site = await buildSite(t, 'releases');
    await deploy(quietHost(), site.settings());
    const before = live(site);
    site.push({ page: 'two', status: '500' });
    const deployment = { mode: 'releases', opcache: { wait: '0s' }, steps };
    writeFileSync(join(site.folder, 'holdfast.yaml'), JSON.stringify({ deployment }));
    await holdfast(site, ['deploy']);
    assert.equal(releasesOf(site).length, 2, site.log());
    const wrong = await holdfast(site, ['doctor', '--repair', '--mode', 'in-place']);
    assert.equal(wrong.exitCode, 2);
    assert.match(site.log(), /^\[ERROR\] The run \S+ was killed in the mode releases, and only that mode repairs it/m);
    const { exitCode } = await repairNow(quietHost(), site.settings());
    assert.deepEqual([exitCode, live(site)], [0, before], site.log());
    const left = releasesOf(site).length;
    const wasShown = where !== 'before it was shown';
    assert.equal(left, wasShown ? 2 : 1, 'the half-made one goes');
    assert.equal(/^\[INFO\] Removed the releases that were not whole: \S+$/m.test(site.log()), !wasShown);
    assert.match(site.log(), new RegExp(`Repaired: Health check passed \\(200\\) at ${site.head()}$`, 'm'));
  });
