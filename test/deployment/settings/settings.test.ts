import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type DeploymentSettings,
  readCheckoutSettings,
  readDeploymentSettings,
} from '../../../src/deployment/settings/settings.ts';
import { secrets } from '../../support/secrets.ts';

const complete = {
  appDir: '/srv/app',
  branch: 'main',
  logFile: '/var/log/app.log',
  healthUrl: 'https://app.example/up',
};
const settingsOf = (sources: Partial<Parameters<typeof readDeploymentSettings>[0]>): DeploymentSettings => {
  const read = readDeploymentSettings({ flags: {}, environment: {}, file: {}, ...sources });
  assert.ok('settings' in read, 'mistakes' in read ? read.mistakes.join('\n') : '');
  return read.settings;
};
const mistakesOf = (sources: Partial<Parameters<typeof readDeploymentSettings>[0]>): readonly string[] => {
  const read = readDeploymentSettings({ flags: {}, environment: {}, file: {}, ...sources });
  return 'mistakes' in read ? read.mistakes : [];
};

test('flags win over the environment, and the environment over the file', () => {
  const environment = { APP_DIR: '/env', BRANCH: 'env', LOG_FILE: '/env.log', HEALTH_URL: 'http://env/' };
  const settings = settingsOf({
    flags: { appDir: '/flag' },
    environment: { ...environment, BRANCH: '' },
    file: { ...complete, branch: 'file' },
  });
  assert.equal(settings.appDir, '/flag');
  assert.equal(settings.branch, 'file', 'an empty variable is an unset one');
  assert.equal(settings.logFile, '/env.log');
});

test("every variable of the specification's section 2.4 is read", () => {
  const settings = settingsOf({
    environment: {
      APP_DIR: '/srv/app',
      BRANCH: 'main',
      LOG_FILE: '/l',
      HEALTH_URL: 'http://h/',
      SLACK_WEBHOOK_URL: 'https://hooks.example/x',
      TO_EMAIL: 'ops@example.com',
      FROM_EMAIL: 'deploy@example.com',
      MAIL_SUBJECT: 'Deployment of app',
    },
  });
  assert.equal(settings.slackWebhookUrl?.reveal(), 'https://hooks.example/x');
  assert.deepEqual(settings.mail, {
    to: 'ops@example.com',
    from: 'deploy@example.com',
    subject: 'Deployment of app',
    transport: 'sendmail',
  });
});

test('the variant is full, and notify where a notifier is set', () => {
  assert.equal(settingsOf({ file: complete }).variant, 'full');
  assert.equal(settingsOf({ file: { ...complete, slackWebhookUrl: 'https://hooks.example/x' } }).variant, 'notify');
  assert.equal(
    settingsOf({ file: { ...complete, slackWebhookUrl: 'https://hooks.example/x', variant: 'full' } }).variant,
    'full',
  );
  assert.match(mistakesOf({ file: { ...complete, variant: 'notify' } }).join(), /whom to notify/);
});

test('no health address is a mistake unless the variant is basic', () => {
  const { healthUrl: _, ...rest } = complete;
  assert.equal(mistakesOf({ file: rest }).length, 1);
  assert.equal(settingsOf({ file: { ...rest, variant: 'basic' } }).variant, 'basic');
});

test('all mistakes are listed at once, also where a setting is missing and another is unknown', () => {
  const mistakes = mistakesOf({
    file: { branch: '-x', helthUrl: 'x', health: { timeout: 'soon' }, mail: { to: 'a@b\r\nBcc: c@d', from: 'nobody' } },
  });
  for (const part of [
    'appDir is missing',
    'logFile is missing',
    'healthUrl is missing',
    'branch is "-x"',
    'did you mean healthUrl',
    'timeout',
    'mail.to',
    'mail.from',
  ]) {
    assert.ok(
      mistakes.some((mistake) => mistake.includes(part)),
      `${part} in\n${mistakes.join('\n')}`,
    );
  }
});

test('a secret that is wrong is not repeated in the mistake', () => {
  const mistakes = mistakesOf({
    file: {
      ...complete,
      slackWebhookUrl: `hooks.example/${secrets.wrongChatWebhook}`,
      mail: { to: 'a@b.c', from: 'a@b.c', transport: `smpt://u:${secrets.wrongMailPassword}@h` },
    },
  });
  assert.equal(mistakes.length, 2, mistakes.join('\n'));
  for (const secret of [secrets.wrongChatWebhook, secrets.wrongMailPassword])
    assert.ok(!mistakes.join('\n').includes(secret));
});

test('own cache steps take the place of the preset’s', () => {
  const { caches } = settingsOf({
    file: { ...complete, caches: { clear: [], rebuild: [{ command: ['make', 'caches'] }] } },
  });
  assert.deepEqual(caches, { clear: [], rebuild: [{ name: 'make caches', command: ['make', 'caches'] }] });
  assert.equal(settingsOf({ file: { ...complete, preset: 'none' } }).caches.rebuild.length, 0);
});

test('a value of `deployment` that is no map is reported, whatever it is', () => {
  for (const file of ['text', 3, [], true]) assert.ok(mistakesOf({ file }).length > 0);
});

test('the commands that only look need nothing but the checkout', () => {
  assert.ok('settings' in readCheckoutSettings({ flags: { appDir: '/srv/app' }, environment: {}, file: {} }));
  const read = readCheckoutSettings({ flags: {}, environment: {}, file: {} });
  assert.deepEqual('mistakes' in read && read.mistakes, [
    'deployment.appDir is missing: give --app-dir, APP_DIR or the setting.',
  ]);
});

test('an unknown preset is answered with the choices and the nearest of them, also as a flag', () => {
  const choices = 'which is none of laravel, laravel-atomic, symfony, wordpress, drupal, php, none';
  const preset = 'larvel';
  const sentence = `deployment.preset is "larvel", ${choices}; did you mean laravel?`;
  assert.deepEqual(mistakesOf({ file: { ...complete, preset } }), [sentence]);
  assert.deepEqual(mistakesOf({ flags: { preset }, file: complete }), [sentence]);
  assert.deepEqual(mistakesOf({ file: { ...complete, preset: 'django' } }), [
    `deployment.preset is "django", ${choices}.`,
  ]);
});
