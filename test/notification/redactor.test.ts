import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { createRedactor } from '../../src/notification/redactor.ts';
import { Secret } from '../../src/notification/secret.ts';
import { secrets } from '../support/secrets.ts';

const webhook = `https://hooks.slack.com/services/T000/B000/${secrets.chatWebhook}`;

test('a secret shows itself nowhere', () => {
  const secret = new Secret(secrets.mailPassword);
  assert.equal(`${secret} ${JSON.stringify({ secret })} ${inspect({ secret })}`.includes(secrets.mailPassword), false);
  assert.equal(secret.reveal(), secrets.mailPassword);
});

test('an address that is a secret goes whole, and its path goes alone', () => {
  const { redact } = createRedactor([new Secret(webhook)]);
  assert.equal(redact(`POST ${webhook} failed`), 'POST [secret] failed');
  assert.equal(redact(`POST https://proxy/services/T000/B000/${secrets.chatWebhook}`), 'POST https://proxy[secret]');
});

test('a secret goes in whatever way it is written', () => {
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

test('a password learned later goes too', () => {
  const redactor = createRedactor();
  redactor.add(new Secret(secrets.learnedPassword));
  assert.equal(
    redactor.redact(`token ${encodeURIComponent(secrets.learnedPassword)} and ${secrets.learnedPassword}`),
    'token [secret] and [secret]',
  );
});

test('what has the shape of a secret goes without being known', () => {
  const { redact } = createRedactor();
  assert.equal(
    redact("fatal: unable to access 'https://me:token@git.example/x.git/'"),
    "fatal: unable to access 'https://[secret]@git.example/x.git/'",
  );
  assert.equal(redact('GET /up?token=abc&full=1'), 'GET /up?token=[secret]&full=1');
  assert.equal(redact('with ghp_0123456789abcdefghij'), 'with [secret]');
  assert.equal(redact('Authorization: Bearer abc.def'), 'Authorization: Bearer [secret]');
});

test('short values are no secrets: they would take words out of the log', () => {
  assert.equal(createRedactor([new Secret('main')]).redact('branch main'), 'branch main');
});

test('what is no secret stays as it is', () => {
  const text = 'From git@github.com:acme/app\n * branch main -> FETCH_HEAD, mail to ops@example.com';
  assert.equal(createRedactor([new Secret(webhook)]).redact(text), text);
});
