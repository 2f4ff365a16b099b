import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { channelKeys, channels } from '../../src/notification/notifiers.ts';
import { smtpServer } from '../notification/smtp-server.ts';
import { secrets } from '../support/secrets.ts';
import { holdfast, startHoldfast, until } from './support/holdfast.ts';
import { buildSite } from './support/site.ts';

test('doctor finds nothing wrong with a healthy checkout, and touches nothing', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  site.push({ page: 'two' });
  const { exitCode, stdout } = await holdfast(site, ['doctor']);
  assert.equal(exitCode, 0, stdout);
  assert.match(stdout, /^ {2}remote {4}main is at \w{7}$/m);
  assert.match(stdout, /^ {2}health {4}200$/m);
  assert.match(stdout, /^ {2}program {3}\/.*\/bin\/php$/m);
  assert.equal(site.head(), before);
  assert.equal(site.log(), '');
  const near = await holdfast(site, ['doctor'], { LOG_FILE: 'deploy.log' });
  assert.equal(near.exitCode, 0, `the log is opened where the command is run: ${near.stdout}`);
});

test('doctor names everything that would break a deploy, on one screen', async (t) => {
  const site = await buildSite(t);
  rmSync(site.remote, { recursive: true });
  rmSync(`${site.folder}/bin/php`);
  site.write('page', 'edited');
  const { exitCode, stdout } = await holdfast(site, ['doctor'], {
    HEALTH_URL: 'http://127.0.0.1:1/',
    PATH: `${site.folder}/bin:/usr/local/bin:/usr/bin:/bin`,
    TO_EMAIL: 'ops@example.com',
    FROM_EMAIL: 'deploy@example.com',
  });
  assert.equal(exitCode, 1);
  const wrong = stdout.split('\n').filter((line) => line.startsWith('! '));
  assert.match(
    stdout,
    /^! remote {4}origin cannot be reached: '.*' does not appear to be a git repository\. git -C \S+ ls-remote origin shows the same\.$/m,
  );
  assert.match(
    stdout,
    /^! health {4}http:\/\/127\.0\.0\.1:1\/ cannot be reached from here \(the connection was refused\): every deploy would be rolled back\. Name an address/m,
  );
  for (const name of ['state', 'remote', 'health'])
    assert.ok(
      wrong.some((line) => line.startsWith(`! ${name}`)),
      `${name}\n${stdout}`,
    );
  assert.ok(stdout.split('\n').length < 20);
  assert.equal((await holdfast(site, ['doctor', '--branch', 'main', '--json'])).exitCode, 1);
});

test('doctor names the lock that git left, a log that cannot be written, a script that is not there and a commit that was found bad', async (t) => {
  const site = await buildSite(t);
  const bad = site.push({ page: 'two', status: '500' });
  assert.equal((await holdfast(site, ['deploy'])).exitCode, 3, site.log());
  writeFileSync(`${site.app}/.git/index.lock`, '');
  const { exitCode, stdout } = await holdfast(site, ['doctor'], { LOG_FILE: `${site.folder}/nowhere/deploy.log` });
  assert.equal(exitCode, 1);
  assert.match(
    stdout,
    new RegExp(`^! remote {4}main is at ${bad.slice(0, 7)}, which was found bad; .*--again: .*500`, 'm'),
  );
  assert.match(
    stdout,
    /^! git {7}\S+\/index\.lock exists: a git that was killed has left it, and no deploy can reset the files\. holdfast doctor --repair removes it\.$/m,
  );
  assert.match(
    stdout,
    /^! log {7}The deployment log cannot be written: the folder of \S+\/nowhere\/deploy\.log does not exist: mkdir -p (\S+\/nowhere) && chown \w+ \1\.$/m,
  );
  assert.match(
    stdout,
    /^\? script {4}artisan is not in \S+, but a step runs it: a site .* needs preset: none \(--preset none\)$/m,
  );
});

test('doctor names each program that is not on the path of the deploy', async (t) => {
  const site = await buildSite(t);
  const steps = { before: [{ command: ['composer-of-nobody', 'install'] }] };
  writeFileSync(`${site.folder}/holdfast.yaml`, JSON.stringify({ deployment: { opcache: { wait: '0s' }, steps } }));
  const { exitCode, stdout } = await holdfast(site, ['doctor']);
  assert.equal(exitCode, 1);
  assert.match(stdout, /^! program {3}composer-of-nobody is not on the PATH of the deploy\.$/m);
});

test('doctor says that a deploy was killed, and --repair undoes what it left', async (t) => {
  const site = await buildSite(t);
  assert.equal((await holdfast(site, ['deploy'])).exitCode, 0);
  const before = site.head();
  site.push({ page: 'two' });
  site.write('hold-config:clear', '');
  const { child, ended } = startHoldfast(site, ['deploy']);
  await until(() => site.artisanCalls().length > 7, 'the deploy has reached its caches');
  child.kill('SIGKILL');
  await ended;
  rmSync(`${site.app}/hold-config:clear`);
  const found = await holdfast(site, ['doctor']);
  assert.equal(found.exitCode, 1);
  assert.match(
    found.stdout,
    /^! state {5}The run \S+ was killed; the next deploy or rollback repairs what it left\.$/m,
  );
  assert.equal((await holdfast(site, ['doctor', '--repair'])).exitCode, 0, site.log());
  assert.equal(site.head(), before);
  assert.match(site.log(), new RegExp(`^\\[INFO\\] Repaired: Health check passed \\(200\\) at ${before}$`, 'm'));
  assert.equal((await holdfast(site, ['doctor'])).exitCode, 0);
});

test('doctor reaches the server of every channel that is set, sends nothing, and names each that it cannot reach', async (t) => {
  const site = await buildSite(t);
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port, mails } = await smtpServer(t);
  const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const set = (origin: string, transport: string) => {
    const url = `${origin}/services/${secrets.chatWebhook}`;
    const mail = { to: 'ops@example.com', from: 'deploy@example.com', transport };
    const chats = { slackWebhookUrl: url, webhookUrl: url, teamsWebhookUrl: url, discordWebhookUrl: url };
    const deployment = { opcache: { wait: '0s' }, ...chats, mail };
    writeFileSync(join(site.folder, 'holdfast.yaml'), JSON.stringify({ deployment }), { mode: 0o600 });
  };
  set(here, `smtp://127.0.0.1:${port}`);
  const found = await holdfast(site, ['doctor']);
  assert.equal(found.exitCode, 0, `${found.stdout}${found.stderr}`);
  const channels = ['slack', 'mail', 'webhook', 'teams', 'discord'];
  assert.deepEqual(
    found.stdout.split('\n').filter((line) => line.includes('notifier')),
    channels.map((channel) => `  notifier  ${channel} can be reached`),
  );
  assert.deepEqual([asked, mails], [['HEAD /', 'HEAD /', 'HEAD /', 'HEAD /'], []]);
  set('http://127.0.0.1:1', 'smtp://127.0.0.1:1');
  const { exitCode, stdout, stderr } = await holdfast(site, ['doctor']);
  assert.equal(exitCode, 1);
  for (const channel of channels)
    assert.match(stdout, new RegExp(`^! notifier {2}${channel}: Reaching .*refused`, 'im'));
  assert.doesNotMatch(`${stdout}${stderr}`, new RegExp(secrets.chatWebhook));
});

test('notify --test sends one message through each notifier, and says which did not get it', async (t) => {
  const site = await buildSite(t);
  const texts: string[] = [];
  const server = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => texts.push(text));
    request.on('end', () => response.end('ok'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const SLACK_WEBHOOK_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/services/${secrets.chatWebhook}`;
  const sent = await holdfast(site, ['notify', '--test'], { SLACK_WEBHOOK_URL });
  assert.deepEqual([sent.exitCode, sent.stdout], [0, 'slack: sent\n']);
  assert.match(texts.join(''), /This is a test of holdfast/);
  const failed = await holdfast(site, ['notify', '--test'], {
    SLACK_WEBHOOK_URL: `http://127.0.0.1:1/services/${secrets.chatWebhook}`,
  });
  assert.equal(failed.exitCode, 1);
  assert.doesNotMatch(`${failed.stdout}${failed.stderr}`, new RegExp(secrets.chatWebhook));
});

test('notify --test without a notifier names the setting of every channel, and the variables that set it', async (t) => {
  const site = await buildSite(t);
  const { exitCode, stderr } = await holdfast(site, ['notify', '--test']);
  assert.equal(exitCode, 2);
  for (const key of channelKeys) {
    assert.match(stderr, new RegExp(`\\bdeployment\\.${key}\\b`));
    for (const variable of Object.keys(channels[key].variables)) assert.match(stderr, new RegExp(`\\b${variable}\\b`));
  }
});

test('backup and restore from the command line', async (t) => {
  const site = await buildSite(t);
  const made = await holdfast(site, ['backup', '--backup-dir', `${site.folder}/backups`]);
  assert.equal(made.exitCode, 0, made.stderr);
  const archive = /Backup: (\S+)/.exec(site.log())?.[1] ?? '';
  site.write('page', 'spoilt');
  writeFileSync(`${site.app}/later`, 'made after the backup');
  assert.equal((await holdfast(site, ['restore', archive])).exitCode, 0);
  assert.equal(site.read('page'), 'spoilt');
  const near = archive.replace(`${site.folder}/`, '');
  assert.equal((await holdfast(site, ['restore', near])).exitCode, 0, 'the commands of a restore run elsewhere');
  const dry = await holdfast(site, ['restore', archive]);
  const [extract = '', last = ''] = dry.stdout.split('\n');
  assert.match(
    last,
    /^These commands would restore \d+ members of the archive\. Nothing was done: run them with --yes\.$/,
  );
  const told = { schemaVersion: 1, archive, commands: [extract.split(' ')], members: Number(/\d+/.exec(last)?.[0]) };
  const json = async (...words: readonly string[]) =>
    JSON.parse((await holdfast(site, ['restore', archive, '--json', ...words])).stdout);
  assert.deepEqual(await json(), { ...told, restored: false });
  assert.equal(site.read('page'), 'spoilt');
  assert.deepEqual(await json('--yes'), { ...told, restored: true, notStarted: [] });
  assert.equal(site.read('page'), 'one');
  site.write('page', 'spoilt');
  assert.equal((await holdfast(site, ['restore', archive, '--yes'])).exitCode, 0);
  assert.equal(site.read('page'), 'one');
  assert.equal((await holdfast(site, ['restore', `${site.folder}/nothing.tar`])).exitCode, 2);
});
