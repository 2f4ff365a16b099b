import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Clock, Host } from '../../src/host/host.ts';
import { nodeHost } from '../../src/host/node.ts';
import { discordNotifier } from '../../src/notification/discord.ts';
import { mailNotifier } from '../../src/notification/mail.ts';
import { notify } from '../../src/notification/notifier.ts';
import { Secret } from '../../src/notification/secret.ts';
import { slackNotifier, slackText } from '../../src/notification/slack.ts';
import { teamsNotifier } from '../../src/notification/teams.ts';
import { webhookNotifier } from '../../src/notification/webhook.ts';
import { secrets } from '../support/secrets.ts';
import { smtpServer } from './smtp-server.ts';

const real = nodeHost();
const message = {
  text: 'Deployment successful: <!channel> & more',
  details: [{ name: 'branch', value: 'main' }],
  document: { state: 'verified' },
};

interface Got {
  readonly headers: IncomingMessage['headers'];
  readonly method: string | undefined;
  readonly body: string;
}

/** A chat's webhook that gives these answers, one after the other; undefined never answers. */
async function chat(t: TestContext, answers: readonly (readonly [number, Record<string, string>?] | undefined)[]) {
  const got: Got[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      const answer = answers[got.length];
      got.push({ headers: request.headers, method: request.method, body });
      if (answer !== undefined) response.writeHead(answer[0], answer[1]).end('invalid_payload');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = new Secret(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/services/T/B/${secrets.chatWebhook}`,
  );
  return { got, url };
}

/** Real requests, and pauses that take no time but are written down. */
function hurried(): { host: Pick<Host, 'http' | 'clock'>; pauses: number[] } {
  const pauses: number[] = [];
  let passed = 0;
  const clock: Clock = {
    ...real.clock,
    monotonicSeconds: () => real.clock.monotonicSeconds() + passed,
    sleep: async (seconds) => {
      pauses.push(seconds);
      passed += seconds;
    },
  };
  return { host: { http: real.http, clock }, pauses };
}

test('Slack gets a POST of JSON with the one string field text, its three characters escaped', async (t) => {
  const { got, url } = await chat(t, [[200]]);
  await slackNotifier(real, url).send(message);
  assert.equal(got[0]?.method, 'POST');
  assert.equal(got[0]?.headers['content-type'], 'application/json');
  assert.deepEqual(JSON.parse(got[0]?.body ?? ''), { text: 'Deployment successful: &lt;!channel&gt; &amp; more' });
});

test('Teams gets a message with one Adaptive Card: the text, and the details as facts', async (t) => {
  const { got, url } = await chat(t, [[202]]);
  const details = [
    { name: 'branch', value: '[main](http://x)' },
    { name: 'time', value: '10:00: x' },
  ];
  await teamsNotifier(real, url).send({ ...message, details });
  const { type, attachments } = JSON.parse(got[0]?.body ?? '');
  assert.deepEqual([type, attachments.length], ['message', 1]);
  assert.equal(attachments[0].contentType, 'application/vnd.microsoft.card.adaptive');
  const { content } = attachments[0];
  assert.deepEqual([content.type, content.version], ['AdaptiveCard', '1.4']);
  assert.equal(content.body[0].text, 'Deployment successful: &lt;!channel> & more');
  assert.deepEqual(content.body[1].facts, [
    { title: 'branch', value: '\\[main\\]\\(http://x\\)' },
    { title: 'time', value: '10:00: x' },
  ]);
});

test('Discord gets the field content, which mentions nobody and is at most 2000 characters', async (t) => {
  const { got, url } = await chat(t, [[204], [204]]);
  await discordNotifier(real, url).send({ ...message, text: '@everyone **bold** is deployed' });
  assert.deepEqual(JSON.parse(got[0]?.body ?? ''), {
    content: '@everyone \\*\\*bold\\*\\* is deployed',
    allowed_mentions: { parse: [] },
  });
  await discordNotifier(real, url).send({ ...message, text: 'x'.repeat(10_000) });
  assert.equal(JSON.parse(got[1]?.body ?? '').content.length, 2000);
});

test('Teams and Discord that refuse are named without their address, and a 429 is waited for', async (t) => {
  for (const make of [teamsNotifier, discordNotifier]) {
    const refusing = await chat(t, [[400]]);
    const { host, pauses } = hurried();
    const [ended] = await notify([make(host, refusing.url)], message);
    assert.equal(ended?.ok, false);
    assert.match(ended?.error ?? '', /^Sending a message to the (Teams|Discord) webhook: status 400/);
    assert.doesNotMatch(JSON.stringify(ended), new RegExp(secrets.chatWebhook));
    const busy = await chat(t, [[429, { 'retry-after': '0.5' }], [200]]);
    await make(host, busy.url).send(message);
    assert.deepEqual(pauses, [0.5]);
  }
});

test('nothing else is escaped, and a text that is too long is cut', () => {
  assert.equal(slackText('"a" \'b\' & c'), '"a" \'b\' &amp; c');
  assert.ok(slackText('x'.repeat(10_000)).length < 4000);
});

test('a 429 is retried after its Retry-After, and the message is sent once', async (t) => {
  const { got, url } = await chat(t, [[429, { 'retry-after': '3' }], [200]]);
  const { host, pauses } = hurried();
  await slackNotifier(host, url).send(message);
  assert.deepEqual(pauses, [3]);
  assert.equal(got.length, 2);
});

test('a 429 with a Retry-After beyond the limit is not retried', async (t) => {
  const { got, url } = await chat(t, [[429, { 'retry-after': '600' }]]);
  const { host, pauses } = hurried();
  await assert.rejects(slackNotifier(host, url).send(message), /Sending a message to the chat webhook: status 429/);
  assert.deepEqual([got.length, pauses], [1, []]);
});

test('a 500 is tried three times, and a 404 once', async (t) => {
  const { host } = hurried();
  const broken = await chat(t, [[500], [500], [500]]);
  await assert.rejects(slackNotifier(host, broken.url).send(message), /status 500/);
  assert.equal(broken.got.length, 3);
  const gone = await chat(t, [[404]]);
  await assert.rejects(slackNotifier(host, gone.url).send(message), /status 404/);
  assert.equal(gone.got.length, 1);
});

test('a redirect is not followed with the secret', async (t) => {
  const elsewhere = await chat(t, [[200]]);
  const { got, url } = await chat(t, [[302, { location: elsewhere.url.reveal() }]]);
  await assert.rejects(slackNotifier(real, url).send(message), /status 302/);
  assert.deepEqual([got.length, elsewhere.got.length], [1, 0]);
});

test('a webhook that hangs is given up', async (t) => {
  const { url } = await chat(t, []);
  const { host } = hurried();
  const impatient: typeof host = { ...host, http: (request) => host.http({ ...request, timeoutSeconds: 0.05 }) };
  await assert.rejects(slackNotifier(impatient, url).send(message), /no answer within/);
});

test('no failure names the address, and one channel does not hinder another', async (t) => {
  const { got, url } = await chat(t, [[200]]);
  const { host } = hurried();
  const nowhere = new Secret(`http://127.0.0.1:1/services/T/B/${secrets.chatWebhook}`);
  const ended = await notify([slackNotifier(host, nowhere), webhookNotifier(host, url)], message);
  assert.deepEqual(
    ended.map(({ channel, ok }) => [channel, ok]),
    [
      ['slack', false],
      ['webhook', true],
    ],
  );
  assert.doesNotMatch(JSON.stringify(ended), new RegExp(secrets.chatWebhook));
  assert.deepEqual(JSON.parse(got[0]?.body ?? ''), { state: 'verified' });
});

const mail = { to: 'ops@example.com, dev@example.com', from: 'deploy@example.com', subject: 'Deployment of äpp' };

test('mail by SMTP has the constant subject, both recipients and safe headers', async (t) => {
  const { port, mails } = await smtpServer(t);
  const transport = new Secret(`smtp://127.0.0.1:${port}`);
  const evil = { ...message, text: 'rolled back\r\nBcc: evil@example.com\n.\nend' };
  await mailNotifier(real, { ...mail, transport }, {}).send(evil);
  const [received] = mails;
  assert.deepEqual(received?.to, ['ops@example.com', 'dev@example.com']);
  assert.equal(received?.from, 'deploy@example.com');
  const [head = '', ...body] = (received?.data ?? '').split('\n\n');
  assert.match(head, /^Subject: =\?UTF-8\?Q\?Deployment_of_=C3=A4pp\?=$/im);
  assert.match(head, /^Auto-Submitted: auto-generated$/m);
  assert.match(head, /^Content-Type: text\/plain; charset=utf-8$/m);
  assert.doesNotMatch(head, /evil/);
  assert.match(body.join('\n\n'), /rolled back\s+Bcc: evil@example.com\s+\.\s+end/);
});

test('a server that refuses the recipient is an error without the password', async (t) => {
  const { port } = await smtpServer(t, { refuse: true });
  const transport = new Secret(`smtp://127.0.0.1:${port}`);
  await assert.rejects(
    mailNotifier(real, { ...mail, transport }, {}).send(message),
    /Sending mail by .*nobody here by that name/s,
  );
  const closed = new Secret(`smtp://me:${encodeURIComponent(secrets.mailPassword)}@127.0.0.1:1`);
  await assert.rejects(mailNotifier(real, { ...mail, transport: closed }, {}).send(message), (error: Error) => {
    assert.doesNotMatch(`${error.message} ${error.stack}`, /mail-p(?:%40|@)ssword/);
    return true;
  });
});

test('a missing mail command is an error', async () => {
  const host: Pick<Host, 'run'> = {
    run: async () => ({
      exitCode: 127,
      stdout: '',
      stderr: 'sendmail: command not found\n',
      seconds: 0,
      timedOut: false,
    }),
  };
  await assert.rejects(
    mailNotifier(host, { ...mail, transport: 'sendmail' }, {}).send(message),
    /exit code 127, sendmail: command not found/,
  );
});
