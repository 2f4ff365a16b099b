import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { holdfast, startHoldfast, until } from './support/holdfast.ts';
import { buildSite, type Site } from './support/site.ts';

const page = readFileSync(new URL('../../docs/contract.md', import.meta.url), 'utf8');

/** The codes of a command as docs/contract.md has them; 143 stands for 128 + n. */
function documented(command: string): readonly number[] {
  const [, row = ''] = new RegExp(`^\\| [^|]*\`${command}\`[^|]*\\| (0; .*) \\|$`, 'm').exec(page) ?? [];
  const codes = row.split('; ').map((part) => (part === '128 + n' ? 143 : Number(/^\d+/.exec(part)?.[0])));
  assert.ok(codes.length > 1, command);
  return codes;
}

type Case = readonly [words: string, code: number, environment?: Readonly<Record<string, string>>];

/** Runs each, and demands that all codes that the contract has were seen. */
async function demandCodes(
  site: Site,
  command: string,
  cases: readonly Case[],
  more: readonly number[] = [],
): Promise<void> {
  for (const [words, code, environment] of cases) {
    const { exitCode, stderr } = await holdfast(site, words.split(' '), environment);
    assert.equal(exitCode, code, `${words}: ${stderr}`);
  }
  const seen = new Set([...cases.map(([, code]) => code), ...more]);
  assert.deepEqual(
    [...seen].toSorted((a, b) => a - b),
    documented(command),
    command,
  );
}

let pages = 0;
const nowhere = { APP_DIR: '/nowhere' };

test('each command that reads, freezes or notifies ends with the codes that the contract has, and with no other', async (t) => {
  const site = await buildSite(t);
  await holdfast(site, ['deploy']);
  await demandCodes(site, 'status', [
    ['status', 0],
    ['status', 1, nowhere],
    ['status --nonsense', 2],
    ['status', 2, { APP_DIR: site.folder }],
  ]);
  await demandCodes(site, 'doctor', [
    ['doctor', 0],
    ['doctor', 1, { HEALTH_URL: 'http://127.0.0.1:1/' }],
    ['doctor', 2, { HEALTH_URL: '' }],
    ['doctor --variant basic', 0, { HEALTH_URL: '' }],
  ]);
  for (const command of ['history', 'show', 'unlock'])
    await demandCodes(site, command, [
      [command, 0],
      [command, 1, nowhere],
      [command, 2, { APP_DIR: '' }],
    ]);
  await demandCodes(site, 'lock', [
    ['lock --reason a', 0],
    ['lock --reason b', 1],
    ['lock', 2],
    ['unlock', 0],
  ]);
  await demandCodes(site, 'notify --test', [
    ['notify --test', 0, { SLACK_WEBHOOK_URL: site.healthUrl.replace('127.0.0.1', 'localhost') }],
    ['notify --test', 1, { SLACK_WEBHOOK_URL: 'http://127.0.0.1:1/' }],
    ['notify --test', 2],
  ]);
  // The others: test/deployment/rehearsal/rehearse-deploy.test.ts.
  const rehearsed: readonly Case[] = [
    ['rehearse deploy', 4, { PATH: '/nowhere' }],
    ['rehearse deploy --nonsense', 2],
  ];
  await demandCodes(site, 'rehearse deploy', rehearsed, [0, 1, 143]);
});

test('backup, restore and doctor --repair end with the codes that the contract has, and with no other', async (t) => {
  const site = await buildSite(t);
  const deployment = { opcache: { wait: '0s' }, backup: { start: [['false']] } };
  writeFileSync(join(site.folder, 'holdfast.yaml'), JSON.stringify({ deployment }));
  const backup = `backup --backup-dir ${site.folder}/backups`;
  const code = async (words: string): Promise<number> => (await holdfast(site, words.split(' '))).exitCode;
  assert.deepEqual([await code('deploy'), await code(backup)], [0, 0]);
  const archive = /Backup: (\S+)/.exec(site.log())?.[1] ?? '';
  await demandCodes(site, 'restore', [
    [`restore ${archive}`, 0],
    [`restore ${archive} --yes`, 1],
    ['restore /nowhere.tar.gz', 2],
  ]);
  await code('lock --reason a');
  assert.deepEqual([await code(backup), await code('doctor --repair'), await code('unlock')], [6, 6, 0]);
  for (const words of [backup, 'doctor --repair']) {
    await killDeploy(site);
    assert.equal(await signalled(site, words, 'view:cache'), 143, words);
  }
  await killDeploy(site);
  const objects = join(site.app, '.git/objects');
  renameSync(objects, `${objects}-away`);
  mkdirSync(objects);
  assert.deepEqual([await code(backup), await code('doctor --repair')], [5, 5], site.log());
  rmSync(objects, { recursive: true });
  renameSync(`${objects}-away`, objects);
  await demandCodes(
    site,
    'backup',
    [
      [backup, 0],
      [`backup --backup-dir ${site.app}/in`, 1],
      ['backup', 2],
    ],
    [5, 6, 143],
  );
  assert.equal(await code('doctor --repair'), 0);
  const bad = site.push({ status: '500' });
  assert.equal(await code('deploy'), 3);
  site.git(site.app, 'reset', '--quiet', '--hard', bad);
  await demandCodes(
    site,
    'doctor --repair',
    [
      ['doctor --repair', 1],
      ['rollback', 0],
      ['doctor --repair --steps 1', 2],
    ],
    [5, 6, 143],
  );
});

test('deploy and rollback end with the codes that the contract has, and with no other', async (t) => {
  const site = await buildSite(t);
  const code = async (words: string, environment = {}): Promise<number> =>
    (await holdfast(site, words.split(' '), environment)).exitCode;
  const lock = join(site.app, '.git/index.lock');
  let locks = false;
  site.server.prependListener('request', () => {
    if (locks && site.read('status') === '500') writeFileSync(lock, '');
  });
  assert.equal(await code('rollback'), 1);
  assert.deepEqual([await code('deploy --branch nobodys'), await code('deploy', nowhere)], [1, 1]);
  assert.deepEqual([await code('deploy --variant fast'), await code('rollback x --steps 1')], [2, 2]);
  assert.equal(await code('deploy'), 0);
  site.push({ status: '500' });
  assert.deepEqual([await code('deploy'), await code('deploy'), await code('deploy --if-changed')], [3, 6, 6]);
  site.write('down', '');
  assert.deepEqual([await code('deploy --again'), await code('rollback HEAD')], [4, 4]);
  rmSync(join(site.app, 'down'));
  locks = true;
  assert.equal(await code('deploy --again'), 5);
  assert.equal(await code('rollback HEAD^'), 1, 'a rollback whose reset fails is undone');
  locks = false;
  rmSync(lock);
  assert.equal(await code('doctor --repair'), 0, site.log());
  await code('lock --reason a');
  assert.deepEqual([await code('deploy'), await code('rollback'), await code('unlock')], [6, 6, 0]);
  site.push({ status: '200', page: 'three' });
  assert.equal(await signalled(site, 'deploy', 'config:clear'), 143);
  assert.deepEqual([await code('deploy'), await code('deploy --if-changed')], [0, 0]);
  assert.equal(await signalled(site, 'rollback', 'config:clear'), 143);
  const row = (number: string) => page.includes(`\n| ${number} | `);
  assert.deepEqual(
    ['0', '1', '2', '3', '4', '5', '6', '70', '128 + n'].filter((number) => !row(number)),
    [],
  );
});

/** Leaves what a deploy leaves that is killed while it clears the caches. */
async function killDeploy(site: Site): Promise<void> {
  site.push({ page: `page ${pages++}` });
  const before = site.artisanCalls().length;
  site.write('hold-config:clear', '');
  const { child, ended } = startHoldfast(site, ['deploy']);
  await until(() => site.artisanCalls().length > before, 'the deploy has reached its caches');
  child.kill('SIGKILL');
  await ended;
  rmSync(join(site.app, 'hold-config:clear'));
}

/** How the command ends where SIGTERM comes while it runs that command of artisan. */
async function signalled(site: Site, words: string, command: string): Promise<number> {
  const before = site.artisanCalls().length;
  site.write(`hold-${command}`, '');
  const { child, ended } = startHoldfast(site, words.split(' '));
  const called = () =>
    site
      .artisanCalls()
      .slice(before)
      .some((call) => call.startsWith(command));
  await until(called, `${words} has reached ${command}`);
  const told = new Promise((resolve) =>
    child.stderr?.on('data', (text) => String(text).includes('SIGTERM') && resolve(0)),
  );
  child.kill('SIGTERM');
  await told;
  rmSync(join(site.app, `hold-${command}`), { force: true });
  return (await ended).exitCode;
}
