import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCheckout } from '../../../src/deployment/checkout/open-checkout.ts';
import { deploy } from '../../../src/deployment/deploy.ts';
import { examine } from '../../../src/deployment/doctor.ts';
import { wrongKey } from '../../../src/deployment/run/environment-file.ts';
import { UsageError } from '../../../src/host/errors.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite } from '../support/site.ts';

test('an APP_KEY that was emptied refuses the deploy and is in doctor, where the cached configuration has one', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  site.write('.env', 'APP_ENV=production\nAPP_KEY=\n');
  site.write('artisan', '');
  site.write(
    'bootstrap/cache/config.php',
    "<?php return array (\n  'app' => \n  array (\n    'key' => 'base64:c2VjcmV0',\n  ),\n);\n",
  );
  site.push({ page: 'two' });
  const document = await deploy(quietHost(), site.settings());
  assert.equal(document.exitCode, 2);
  assert.match(document.because ?? '', /^APP_KEY is empty .*put the key back/);
  assert.equal(site.head(), before);
  assert.match(site.read('bootstrap/cache/config.php') ?? '', /base64/);
  const host = quietHost();
  const checks = await examine(host, site.settings(), await openCheckout(host, site.settings()));
  assert.ok(checks.some(({ name, ok }) => name === 'env' && !ok));
  site.write(
    'bootstrap/cache/config.php',
    "<?php return array (\n  'app' => \n  array (\n    'key' => NULL,\n  ),\n);\n",
  );
  assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
});

test('a key works where it is as long as the cipher of the cached configuration takes, or is that of another variable', () => {
  const cached = (key: string, cipher: string) =>
    `<?php return array (\n  'app' => \n  array (\n    'key' => ${key},\n    'cipher' => '${cipher}',\n  ),\n);\n`;
  const wrong = (line: string, cipher = 'AES-256-CBC') => wrongKey(`A=b\n${line}\n`, cached("'base64:YQ=='", cipher));
  const key = `base64:${Buffer.alloc(32, 7).toString('base64')}`;
  for (const line of [
    `APP_KEY=${key}`,
    `export APP_KEY="${key}" # ours`,
    `APP_KEY='${'k'.repeat(32)}'`,
    'APP_KEY=$KEY',
  ])
    assert.equal(wrong(line), undefined, line);
  assert.equal(wrong(`APP_KEY=${'k'.repeat(16)}`, 'AES-128-GCM'), undefined);
  assert.equal(wrong('B=c'), 'is missing');
  for (const line of ['APP_KEY=', 'APP_KEY=""', "APP_KEY=''", 'APP_KEY= # later'])
    assert.equal(wrong(line), 'is empty');
  assert.equal(wrong('APP_KEY=base64:YWJj'), 'has 3 bytes where AES-256-CBC takes 32,');
  assert.equal(wrongKey('A=b', cached('NULL', 'AES-256-CBC')), undefined, 'a site that needs no key');
});

test('doctor names every lock file of git that it would remove', async (t) => {
  const site = await buildSite(t);
  const locks = ['refs/remotes/origin/main.lock', 'HEAD.lock'].map((path) => join(site.app, '.git', path));
  mkdirSync(join(site.app, '.git/refs/remotes/origin'), { recursive: true });
  for (const lock of locks) writeFileSync(lock, '');
  const host = quietHost();
  const checks = await examine(host, site.settings(), await openCheckout(host, site.settings()));
  const said = checks.filter(({ ok }) => !ok).map((check) => check.said);
  for (const lock of locks)
    assert.ok(
      said.some((sentence) => sentence.startsWith(`${lock} exists:`)),
      said.join('\n'),
    );
});

test('a log whose path begins with ~ is refused by its reason', async (t) => {
  const site = await buildSite(t);
  const refused = await deploy(quietHost(), site.settings({ logFile: '~/deploy.log' })).catch((error) => error);
  assert.ok(refused instanceof UsageError);
  assert.match(refused.message, /begins with ~, which only a shell expands/);
});
