import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { createRedactor } from '../../src/notification/redactor.ts';
import { Secret } from '../../src/notification/secret.ts';
import { secrets } from '../support/secrets.ts';

const webhook = `https://hooks.slack.com/services/T000/B000/${secrets.chatWebhook}`;

test('a secret prints as [secret] everywhere', () => {
  const secret = new Secret(secrets.mailPassword);
  assert.equal(`${secret} ${JSON.stringify({ secret })} ${inspect({ secret })}`.includes(secrets.mailPassword), false);
  assert.equal(secret.reveal(), secrets.mailPassword);
});

test('a secret address is redacted as a whole, and its path alone too', () => {
  const { redact } = createRedactor([new Secret(webhook)]);
  assert.equal(redact(`POST ${webhook} failed`), 'POST [secret] failed');
  assert.equal(redact(`POST https://proxy/services/T000/B000/${secrets.chatWebhook}`), 'POST https://proxy[secret]');
});

test('a secret is redacted in every encoding', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 8, maxLength: 30 }), fc.string({ maxLength: 10 }), (value, around) => {
      const { redact } = createRedactor([new Secret(value)]);
      for (const form of [
        value,
        encodeURIComponent(value),
        JSON.stringify(value).slice(1, -1),
        Buffer.from(value).toString('base64'),
      ]) {
        assert.ok(!redact(`${around}|${form}|${around}`).includes(`|${form}|`), form);
      }
    }),
  );
});

test('a secret that is added later is redacted too', () => {
  const redactor = createRedactor();
  redactor.add(new Secret(secrets.learnedPassword));
  assert.equal(
    redactor.redact(`token ${encodeURIComponent(secrets.learnedPassword)} and ${secrets.learnedPassword}`),
    'token [secret] and [secret]',
  );
});

test('text that has the form of a secret is redacted without being known', () => {
  const { redact } = createRedactor();
  assert.equal(
    redact("fatal: unable to access 'https://me:token@git.example/x.git/'"),
    "fatal: unable to access 'https://[secret]@git.example/x.git/'",
  );
  assert.equal(redact('GET /up?token=abc&full=1'), 'GET /up?token=[secret]&full=1');
  assert.equal(redact('with ghp_0123456789abcdefghij'), 'with [secret]');
  assert.equal(redact('Authorization: Bearer abc.def'), 'Authorization: Bearer [secret]');
});

test('a secret is found in base64 at any place of a longer text, as basic authentication has it', () => {
  const password = secrets.learnedPassword;
  const { redact } = createRedactor([new Secret(password)]);
  for (const before of ['', 'u:', 'me:', 'user:', 'deployer:'])
    for (const after of ['', '!', '&more']) {
      const bytes = Buffer.from(before + password + after);
      for (const text of [bytes.toString('base64'), bytes.toString('base64url')]) {
        const said = redact(`header: Basic ${text} sent`);
        assert.equal(said, 'header: Basic [secret] sent', `${before}…${after}`);
      }
    }
  const started = performance.now();
  redact('a'.repeat(300_000));
  assert.ok(performance.now() - started < 2000, 'one long word is read once');
});

test('a password in a command is redacted, and what stands around it is not', () => {
  const { redact } = createRedactor();
  const known = [
    ['mysql -uapp -phunter2 shop', 'mysql -uapp -p[secret] shop'],
    ['mariadb-dump --password=hunter2 shop', 'mariadb-dump --password=[secret] shop'],
    ["sh -c 'PGPASSWORD=hunter2 psql shop'", "sh -c 'PGPASSWORD=[secret] psql shop'"],
    ['curl -s -u me:hunter2 http://x/', 'curl -s -u [secret] http://x/'],
    ['deployer --api-token "hunter 2" --quiet', 'deployer --api-token [secret] --quiet'],
  ] as const;
  for (const [command, shownAs] of known) assert.equal(redact(command), shownAs);
  const harmless = 'php artisan passport:keys --force; git -p log; the token of a run; passwords: none';
  assert.equal(redact(harmless), harmless);
});

test('short values are not redacted: they would redact ordinary words', () => {
  assert.equal(createRedactor([new Secret('main')]).redact('branch main'), 'branch main');
});

test('text that is no secret stays as it is', () => {
  const text = 'From git@github.com:acme/app\n * branch main -> FETCH_HEAD, mail to ops@example.com';
  assert.equal(createRedactor([new Secret(webhook)]).redact(text), text);
});
