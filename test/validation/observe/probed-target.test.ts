import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperationError } from '../../../src/host/errors.ts';
import type { Host } from '../../../src/host/host.ts';
import { probedTarget, wantedPage } from '../../../src/validation/observe/probed-target.ts';
import { recorded, validationSchema } from '../../../src/validation/settings.ts';

const host = {
  files: { read: async (path: string) => (path === 'ca.pem' ? '-----BEGIN CERTIFICATE-----' : undefined) },
} as unknown as Host;
const settingsOf = (monitor: object) => validationSchema.parse({ url: 'https://shop.example/', monitor });

test('the probes of a run ask as the settings say, and go by no proxy of the environment', async () => {
  const url = 'https://shop.example/';
  assert.deepEqual(await probedTarget(host, settingsOf({})), { url, body: 'Welcome to nginx!' });
  const monitor = {
    body: null,
    headers: { 'X-Api': 'secret' },
    request: 'OPTIONS',
    resolve: ['shop.example:443:[::1]'],
    cacert: 'ca.pem',
    location: true,
    proxy: 'http://user:word@proxy:3128',
  };
  assert.deepEqual(await probedTarget(host, settingsOf(monitor)), {
    url,
    headers: [{ name: 'X-Api', value: 'secret' }],
    method: 'OPTIONS',
    resolve: [{ host: 'shop.example', port: 443, addresses: ['::1'] }],
    ca: '-----BEGIN CERTIFICATE-----',
    redirects: 50,
    proxy: 'http://user:word@proxy:3128',
  });
});

test('authorities that are gone when the run begins are an error that names the setting', async () => {
  const asked = probedTarget(host, settingsOf({ cacert: 'gone.pem' }));
  await assert.rejects(asked, (error) => {
    assert.ok(error instanceof OperationError);
    assert.match(error.message, /validation\.monitor\.cacert.*gone\.pem/);
    return true;
  });
});

test('what is written down of the settings has no secret', () => {
  const settings = settingsOf({ headers: { 'X-Api': 'secret' }, proxy: 'http://user:word@proxy:3128' });
  const written = recorded(settings);
  assert.deepEqual(written, {
    ...settings,
    monitor: { ...settings.monitor, headers: [{ name: 'X-Api' }], proxy: 'http://proxy:3128' },
  });
});

test('the page that is wanted is said in one sentence', () => {
  const page = (monitor: object) => wantedPage(settingsOf(monitor).monitor);
  assert.equal(page({ body: 'Shop', bodyContains: '/open/' }), "begin with 'Shop' and contain '/open/'");
  assert.equal(page({ body: null, bodyContains: 'open' }), "contain 'open'");
});
