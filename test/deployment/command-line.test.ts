import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { holdfast } from './support/holdfast.ts';
import { buildSite } from './support/site.ts';

const schema = JSON.parse(readFileSync(new URL('../../schemas/deploy.schema.json', import.meta.url), 'utf8'));
const validate = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true }).compile(schema);

test('deploy --json prints one document that its schema accepts, on every path', async (t) => {
  const site = await buildSite(t);
  const runs: [() => void, readonly string[], number, string][] = [
    [() => site.push({ page: 'two' }), [], 0, 'verified'],
    [() => {}, ['--if-changed'], 0, 'unchanged'],
    [() => site.push({ page: 'three' }), ['--variant', 'basic'], 0, 'updated'],
    [() => site.push({ status: '500' }), [], 3, 'rolled-back'],
    [() => {}, [], 6, 'aborted'],
    [() => site.write('down', ''), ['--again', '--probe-rate', '5'], 4, 'rolled-back-unhealthy'],
    [() => {}, ['--branch', 'nobodys'], 1, 'aborted'],
    [() => {}, ['--app-dir', site.folder], 2, 'aborted'],
  ];
  for (const [prepare, words, exitCode, state] of runs) {
    prepare();
    const ended = await holdfast(site, ['deploy', '--json', ...words]);
    const document: { state: string; exitCode: number } = JSON.parse(ended.stdout);
    const valid: boolean = validate(document);
    assert.ok(valid, JSON.stringify(validate.errors));
    assert.deepEqual([document.state, document.exitCode, ended.exitCode], [state, exitCode, exitCode], ended.stderr);
  }
});

test('history, show and status list what ran', async (t) => {
  const site = await buildSite(t);
  const commit = site.push({ page: 'two' });
  const { id } = JSON.parse((await holdfast(site, ['deploy', '--json'])).stdout);
  const history = await holdfast(site, ['history']);
  assert.match(
    history.stdout,
    new RegExp(
      `^${id}  deploy    main  \\w{7} → ${commit.slice(0, 7)}  verified, exit 0, by ${userInfo().username}\n$`,
    ),
  );
  const shown = await holdfast(site, ['show', id.slice(0, 8), '--json']);
  const last = await holdfast(site, ['show']);
  assert.ok(last.stdout.startsWith(history.stdout), last.stdout);
  assert.match(last.stdout, /^started \S+Z, took [\d.]+ m?s$/m);
  assert.match(last.stdout, new RegExp(`^ +[\\d.]+ m?s {2}Goes from \\w+ to ${commit}$`, 'm'));
  assert.match(last.stdout, new RegExp(`^ +[\\d.]+ m?s {2}Health check passed \\(200\\) at ${commit}$`, 'm'));
  assert.match(last.stdout, /^ +[\d.]+ m?s {2}fetch: [\d.]+ m?s$/m);
  assert.doesNotMatch(last.stdout, /[{}"]/, 'it is text');
  assert.equal(JSON.parse(shown.stdout).run.document.newCommit, commit);
  assert.equal((await holdfast(site, ['show', 'nothing'])).exitCode, 2);
  const status = await holdfast(site, ['status']);
  assert.equal(status.exitCode, 0, status.stdout);
  assert.match(status.stdout, new RegExp(`commit         ${commit}\nlast verified  ${commit}`));
  site.write('page', 'edited');
  const edited = await holdfast(site, ['status', '--json']);
  assert.equal(edited.exitCode, 1);
  assert.deepEqual(JSON.parse(edited.stdout).localEdits, ['page']);
});

test('--dry-run prints the exact commands and runs none', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  site.push({ page: 'two' });
  const { exitCode, stdout } = await holdfast(site, ['deploy', '--dry-run']);
  assert.equal(exitCode, 0);
  assert.match(stdout, /\+refs\/heads\/main:refs\/remotes\/origin\/main/);
  const [plan = '', commands = ''] = stdout.split('# Nothing was run. The commands:\n');
  assert.match(
    plan,
    new RegExp(`^# Deploys the branch main to ${site.app}: mode in-place, variant full\n# {2}1\\. asks `),
  );
  assert.match(plan, /^# {2}\d\. clears config:clear, cache:clear, route:clear, view:clear\n.* rebuilds config:cache/m);
  assert.doesNotMatch(commands, /git -c/, 'what only guards git is left out');
  const whole = await holdfast(site, ['--verbose', 'deploy', '--dry-run']);
  assert.match(whole.stdout, /git -c core\.fsync=all -c core\.hooksPath=\/dev\/null .* fetch /);
  assert.match(stdout, /reset --hard "\$new"\nphp artisan config:clear --no-interaction --no-ansi\n/);
  assert.equal(site.head(), before);
  assert.equal(site.log(), '');
  assert.deepEqual(site.artisanCalls(), []);
});

test('show says that nothing has run yet, and lock and unlock say what they did', async (t) => {
  const site = await buildSite(t);
  const shown = await holdfast(site, ['show']);
  assert.deepEqual(
    [shown.exitCode, shown.stderr],
    [2, 'holdfast: nothing has run in this checkout yet: holdfast deploy makes the first run.\n'],
  );
  const said = async (...words: readonly string[]) => (await holdfast(site, words)).stdout;
  assert.equal(await said('unlock'), `Deploys of ${site.app} were not frozen.\n`);
  assert.equal(
    await said('lock', '--reason', 'a sale'),
    `Deploys of ${site.app} are frozen: a sale. holdfast unlock allows deploys again.\n`,
  );
  const again = await holdfast(site, ['lock', '--reason', 'another']);
  assert.deepEqual([again.exitCode, again.stdout], [1, '']);
  assert.match(
    again.stderr,
    /^Deploys were frozen already, and the first reason is kept\. Deploys are frozen since \S+Z by [^:]+: a sale\. holdfast unlock/,
  );
  assert.match(
    await said('unlock'),
    new RegExp(`^Deploys of ${site.app} are allowed again\\. They were frozen since \\S+Z: a sale\\.\n$`),
  );
});

test('lock, unlock and --dry-run print one document too where it is asked for', async (t) => {
  const site = await buildSite(t);
  const json = async (...words: readonly string[]) => {
    const { exitCode, stdout } = await holdfast(site, [...words, '--json']);
    return { exitCode, document: JSON.parse(stdout) };
  };
  const [previousCommit, newCommit] = [site.head(), site.push({ page: 'two' })];
  const dry = await json('deploy', '--dry-run');
  const { stdout: text } = await holdfast(site, ['deploy', '--dry-run']);
  const { plan, commands } = dry.document;
  const commits = { branch: 'main', previousCommit, newCommit };
  assert.deepEqual(dry, { exitCode: 0, document: { schemaVersion: 1, plan, commands, refusals: [], ...commits } });
  assert.equal(site.git(site.app, 'rev-parse', 'origin/main'), previousCommit, 'nothing was fetched');
  assert.deepEqual([plan.length > 5, commands.length > 5], [true, true]);
  assert.ok(text.startsWith(`# ${plan[0]}\n`));
  const { exitCode, document } = await json('lock', '--reason', 'a sale');
  const { at } = document.frozen;
  assert.ok(Math.abs(Date.now() - Date.parse(at)) < 600_000, at);
  const by = { user: userInfo().username, sudoUser: null, sshFrom: null };
  const frozen = { reason: 'a sale', at, by };
  assert.deepEqual([exitCode, document], [0, { schemaVersion: 1, frozen, already: false }]);
  const again = await json('lock', '--reason', 'another');
  assert.deepEqual(again, { exitCode: 1, document: { schemaVersion: 1, frozen, already: true } });
  assert.deepEqual((await json('status')).document.frozen, frozen);
  assert.deepEqual(await json('unlock'), { exitCode: 0, document: { schemaVersion: 1, frozen: null } });
  assert.equal((await json('status')).document.frozen, null);
});

test('--dry-run says why the deploy would be refused: a missing PHP, a broken .env, a freeze, the log, another folder', async (t) => {
  const site = await buildSite(t);
  const refused = async (...words: readonly string[]) => {
    const { exitCode, stdout } = await holdfast(site, ['deploy', '--dry-run', '--json', ...words]);
    const { plan, refusals } = JSON.parse(stdout);
    assert.deepEqual([exitCode, plan.length > 5], [0, true]);
    return refusals as readonly string[];
  };
  assert.deepEqual(await refused(), []);
  assert.deepEqual(await refused('--clone', site.remote, '--app-dir', join(site.folder, 'new')), []);
  assert.match((await refused('--app-dir', site.folder)).join(), /^\S+ is not the top of a git checkout: /);
  const caches = { clear: [{ command: [join(site.folder, 'no-php'), 'artisan'] }], rebuild: [] };
  writeFileSync(
    join(site.folder, 'holdfast.yaml'),
    JSON.stringify({ deployment: { opcache: { wait: '0s' }, caches } }),
  );
  site.write('artisan', '<?php');
  site.write('.env', 'A=two words');
  await holdfast(site, ['lock', '--reason', 'a sale']);
  const expected = [
    /^The deployment log cannot be written: the folder of \S+ does not exist: mkdir -p /,
    /^Deploys are frozen since \S+ by [^:]+: a sale\.$/,
    /^The environment file \S+\/\.env is broken in line 1 \(A\): [^.]+\.$/,
    /^There is no program \S+\/no-php\. The commands of the caches need it: install it, /,
  ];
  const found = await refused('--log-file', join(site.folder, 'nowhere/deploy.log'));
  assert.equal(found.length, expected.length, found.join('\n'));
  for (const [index, each] of expected.entries()) assert.match(found[index] ?? '', each);
  const { stdout } = await holdfast(site, ['deploy', '--dry-run']);
  assert.equal(
    [...stdout.matchAll(/^# ! As things are the deploy would end before it changes anything: /gm)].length,
    3,
  );
  assert.deepEqual([site.log(), site.artisanCalls()], ['', []]);
});

test('the plan of --dry-run names the copy, the maintenance page, the dump and who is told', async (t) => {
  const site = await buildSite(t);
  const more = { maintenance: true, backup: { dir: join(site.folder, 'backups'), database: true } };
  const slackWebhookUrl = 'http://127.0.0.1:1/x';
  const deployment = { opcache: { wait: '0s' }, ...more, slackWebhookUrl };
  writeFileSync(join(site.folder, 'holdfast.yaml'), JSON.stringify({ deployment }), { mode: 0o600 });
  const planned = async (...words: readonly string[]) =>
    JSON.parse((await holdfast(site, ['deploy', '--dry-run', '--json', ...words])).stdout).plan.slice(3);
  const dump = `dumps the database of the application to ${site.folder}/backups`;
  const inPlace = await planned();
  assert.deepEqual(inPlace.slice(1, 4), [
    dump,
    'starts the application with that commit in a copy: where it cannot start, that is the end',
    'sends visitors away with 503 until the new code runs',
  ]);
  assert.equal(inPlace.at(-1), 'sends how it ended by slackWebhookUrl');
  const releases = await planned('--mode', 'releases');
  assert.deepEqual([releases[1], releases[3]], [dump, 'sends visitors away with 503 until the new code runs']);
});

test('what --dry-run prints is what a deploy does', async (t) => {
  const site = await buildSite(t);
  const commit = site.push({ page: 'two' });
  const { stdout } = await holdfast(site, ['deploy', '--dry-run']);
  const { execFileSync } = await import('node:child_process');
  execFileSync('sh', ['-e', '-c', stdout], { env: { ...site.environment }, stdio: 'pipe' });
  assert.equal(site.head(), commit);
  assert.equal(site.artisanCalls().length, 7);
});

test('all mistakes in the settings are listed at once, one sentence each, no stack', async (t) => {
  const site = await buildSite(t);
  const { exitCode, stderr } = await holdfast(
    site,
    ['deploy', '--branch', 'a..b', '--health-url', 'nonsense', '--variant', 'fast', '--health-attempts', '0'],
    { APP_DIR: '' },
  );
  assert.equal(exitCode, 2);
  const lines = stderr.trim().split('\n');
  assert.equal(lines.length, 5, stderr);
  for (const word of ['appDir', 'branch', 'healthUrl', 'variant', 'attempts'])
    assert.ok(
      lines.some((line) => line.includes(word)),
      word,
    );
  for (const line of lines) assert.match(line, /^holdfast: deployment\..*\.$/);
});

test('no HEALTH_URL is a mistake, never a silent deploy without rollback', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  site.push({ page: 'two' });
  const { exitCode, stderr } = await holdfast(site, ['deploy'], { HEALTH_URL: '' });
  assert.equal(exitCode, 2);
  assert.match(stderr, /healthUrl is missing: .*--variant basic/);
  assert.equal(site.head(), before);
  assert.equal((await holdfast(site, ['deploy', '--variant', 'basic'], { HEALTH_URL: '' })).exitCode, 0);
});

test('a log that cannot be written: exit 2, one sentence', async (t) => {
  const site = await buildSite(t);
  const { exitCode, stderr } = await holdfast(site, ['deploy'], { LOG_FILE: '/proc/nothing.log' });
  assert.equal(exitCode, 2);
  assert.match(stderr, /^holdfast: The deployment log cannot be written: .*\n$/);
});
