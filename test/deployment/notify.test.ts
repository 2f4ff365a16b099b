import assert from 'node:assert/strict';
import { chmodSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { deploy } from '../../src/deployment/deploy.ts';
import { rollback } from '../../src/deployment/rollback.ts';
import { smtpServer } from '../notification/smtp-server.ts';
import { needs, whereIs } from '../support/needs.ts';
import { frame, tagged } from './support/log.ts';
import { quietHost } from './support/quiet-host.ts';
import { buildSite } from './support/site.ts';

/** A chat that keeps the texts that it got. */
async function chat(t: TestContext, status = 200): Promise<{ url: string; texts: string[] }> {
  const texts: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      texts.push(JSON.parse(body).text);
      response.writeHead(status).end('ok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/services/secret-of-chat`, texts };
}

test('each outcome has a notification of its own, with its commit, branch, status and duration', async (t) => {
  const site = await buildSite(t);
  const { url, texts } = await chat(t);
  const settings = () => site.settings({}, { slackWebhookUrl: url });
  const first = site.head();
  const good = site.push({ page: 'two' });
  await deploy(quietHost(), settings());
  assert.match(
    texts[0] ?? '',
    new RegExp(`^Deployment successful: branch main is at new commit ${good} \\(.*, [\\d.]+ m?s\\)$`),
  );
  site.push({ status: '500' });
  await deploy(quietHost(), settings());
  assert.match(
    texts[1] ?? '',
    new RegExp(
      `^Deployment rolled back: the health check failed with HTTP status 500 on branch main; previous commit ${good} is healthy again`,
    ),
  );
  await rollback(quietHost(), settings(), { commit: first });
  assert.match(texts[2] ?? '', new RegExp(`^Rollback successful: branch main is back at commit ${first}`));
  site.write('down', '');
  site.push({ status: '200' });
  await deploy(quietHost(), settings());
  assert.match(
    texts[3] ?? '',
    /^Deployment rolled back and the site is STILL UNHEALTHY \(HTTP status 503 after the rollback\)/,
  );
  rmSync(join(site.app, 'down'));
  writeFileSync(join(site.app, '.git', 'index.lock'), '');
  site.push({ page: 'four' });
  await deploy(quietHost(), settings());
  assert.match(texts[4] ?? '', /^Deployment failed: git reset failed on branch main/);
  rmSync(site.remote, { recursive: true });
  await deploy(quietHost(), settings());
  assert.match(texts[5] ?? '', /^Deployment failed: git fetch failed on branch main/);
  assert.equal(new Set(texts).size, 6);
  assert.match(site.log(), /^\[INFO\] Notified by slack$/m);
  assert.doesNotMatch(site.log(), /secret-of-chat/);
});

test('nothing new, a refusal and a directory that cannot be entered send no notification', async (t) => {
  const site = await buildSite(t);
  const { url, texts } = await chat(t);
  await deploy(quietHost(), site.settings({ ifChanged: true }, { slackWebhookUrl: url }));
  await deploy(quietHost(), site.settings({ appDir: '/nowhere' }, { slackWebhookUrl: url }));
  assert.deepEqual(texts, []);
});

test('without the notification variant no message is sent', async (t) => {
  const site = await buildSite(t);
  const { url, texts } = await chat(t);
  site.push({ page: 'two' });
  await deploy(quietHost(), site.settings({ variant: 'full' }, { slackWebhookUrl: url }));
  assert.deepEqual(texts, []);
});

test('notifiers that fail change no outcome, and each has its line', async (t) => {
  const site = await buildSite(t);
  const { url } = await chat(t, 404);
  site.push({ page: 'two' });
  const mail = { to: 'ops@example.com', from: 'deploy@example.com' };
  const document = await deploy(
    quietHost(),
    site.settings({}, { slackWebhookUrl: url, mail, environment: { PATH: `${site.folder}/bin:/bin` } }),
  );
  assert.equal(document.state, 'verified');
  assert.equal(document.exitCode, 0);
  assert.deepEqual(
    document.notifications.map(({ channel, ok }) => [channel, ok]),
    [
      ['slack', false],
      ['mail', false],
    ],
  );
  const lines = tagged(site.log()).slice(-2);
  assert.match(lines[0] ?? '', /^\[ERROR\] Not notified by slack: Sending a message to the chat webhook: status 404$/);
  assert.match(lines[1] ?? '', /^\[ERROR\] Not notified by mail: /);
  assert.equal(frame(site.log()).at(-3), '===== Deployment completed TIME =====');
});

test('mail through msmtp as sendmail, to a real mail server', async (t) => {
  if (!needs(t, 'msmtp')) return;
  const site = await buildSite(t);
  const { port, mails } = await smtpServer(t);
  symlinkSync(whereIs('msmtp') ?? '', join(site.folder, 'bin', 'sendmail'));
  writeFileSync(
    join(site.folder, '.msmtprc'),
    `account default\nhost 127.0.0.1\nport ${port}\nauto_from off\nfrom x@example.com\n`,
  );
  chmodSync(join(site.folder, '.msmtprc'), 0o600);
  const commit = site.push({ page: 'two' });
  const mail = { to: 'ops@example.com', from: 'deploy@example.com', subject: 'Deployment of app' };
  const document = await deploy(quietHost(), site.settings({}, { mail }));
  assert.deepEqual(document.notifications, [{ channel: 'mail', ok: true }], site.log());
  assert.deepEqual(mails[0]?.to, ['ops@example.com']);
  assert.equal(mails[0]?.from, 'deploy@example.com');
  assert.match(mails[0]?.data ?? '', /^Subject: Deployment of app$/m);
  assert.match((mails[0]?.data ?? '').replaceAll('=\n', ''), new RegExp(`new commit ${commit}`));
});

test('a generic webhook gets the JSON document of the deploy', async (t) => {
  const site = await buildSite(t);
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => bodies.push(text));
    request.on('end', () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const commit = site.push({ page: 'two' });
  const webhookUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await deploy(quietHost(), site.settings({}, { webhookUrl }));
  const document = JSON.parse(bodies.join(''));
  assert.deepEqual([document.state, document.newCommit], ['verified', commit]);
  const journal = readFileSync(join(site.app, '.git/holdfast/journal.jsonl'), 'utf8').trim().split('\n');
  const [finished, notified] = journal.slice(-2).map((line) => JSON.parse(line));
  assert.equal(finished.document.id, document.id);
  assert.match(notified.message, /^Deployment successful/);
  assert.deepEqual(notified.notifications, [{ channel: 'webhook', ok: true }]);
});
