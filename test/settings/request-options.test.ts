import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import { readSettings } from '../../src/settings/read-settings.ts';
import { requestOptions, targetOptions, withoutSecrets } from '../../src/settings/request-options.ts';
import { secrets } from '../support/secrets.ts';

const schema = z.strictObject(requestOptions);

function read(given: object): z.output<typeof schema> {
  const found = readSettings(schema, given, 'health');
  assert.ok('settings' in found, JSON.stringify(found));
  return found.settings;
}
function mistakes(given: object): readonly string[] {
  const found = readSettings(schema, given, 'health');
  return 'mistakes' in found ? found.mistakes : [];
}

test('headers are an object by name, or a list in curl’s words', () => {
  const listed = read({ headers: ['X-One: a: b', 'X-Two:c ', 'X-Empty;', 'Accept:'] }).headers;
  assert.deepEqual(listed, [
    { name: 'X-One', value: 'a: b' },
    { name: 'X-Two', value: 'c', line: 'X-Two:c ' },
    { name: 'X-Empty', value: '' },
    { name: 'Accept' },
  ]);
  assert.deepEqual(read({ headers: { 'X-One': 'a', 'X-Empty': '' } }).headers, [
    { name: 'X-One', value: 'a' },
    { name: 'X-Empty', value: '' },
  ]);
});

test('an address is for a host and a port, one or several, also of IPv6', () => {
  const resolve = ['shop.example.com:443:127.0.0.1', '*:80:[::1],10.0.0.1', '+[::1]:8080:::1', 'a:80:::1'];
  assert.deepEqual(read({ resolve }).resolve, [
    { host: 'shop.example.com', port: 443, addresses: ['127.0.0.1'] },
    { host: '*', port: 80, addresses: ['::1', '10.0.0.1'] },
    { host: '::1', port: 8080, addresses: ['::1'] },
    { host: 'a', port: 80, addresses: ['::1'] },
  ]);
  for (const text of ['a:80', 'a:0:::1', 'a:65536:::1', 'a:80:b', 'a:80:', 'a:80:::1,', ':80:::1', 'a b:80:::1'])
    assert.deepEqual(mistakes({ resolve: [text] }), [
      `health.resolve.0 is '${text}', which is not HOST:PORT:ADDRESS[,ADDRESS…].`,
    ]);
});

test('a proxy has the scheme and the port that curl assumes', () => {
  const address = (proxy: string) => read({ proxy }).proxy;
  assert.equal(address('http://proxy.example.com:80'), 'http://proxy.example.com:80');
  assert.equal(address('proxy.example.com'), 'http://proxy.example.com:1080');
  assert.equal(address('user:word@proxy.example.com:3128/'), 'http://user:word@proxy.example.com:3128');
  assert.equal(address('[::1]'), 'http://[::1]:1080');
  assert.equal(address(''), '');
});

test('everything wrong is said at once, and no value of a header and no address of a proxy', () => {
  const { healthPassword: secret } = secrets;
  const wrong = {
    headers: ['Good: one', secret, `X-Api: ${secret}\nX-More: a`],
    proxy: `socks4://user:${secret}@proxy`,
    request: 'GET IT',
    resolve: ['shop'],
    maxRedirs: -2,
    bodyContains: '/(/',
    insecure: 'yes',
    ipv7: true,
  };
  const said = mistakes(wrong);
  assert.deepEqual(said.map((sentence) => sentence.split(' ')[0]).sort(), [
    'health.bodyContains',
    'health.headers',
    'health.insecure',
    'health.ipv7',
    'health.maxRedirs',
    'health.proxy',
    'health.request',
    'health.resolve.0',
  ]);
  const others = [{ headers: { 'X Y': secret } }, { headers: { X: { of: secret } } }, { headers: secret }];
  const proxies = [`https://user:${secret}@proxy`, `ftp://${secret}@x/y`, [secret]].map((proxy) => ({ proxy }));
  for (const given of [wrong, ...others, ...proxies]) {
    assert.notEqual(mistakes(given).length, 0, JSON.stringify(given));
    assert.ok(!mistakes(given).join().includes(secret), mistakes(given).join());
  }
  assert.ok(said.includes("health.headers has an entry that is not 'Name: value' in one line (number 2, 3)."));
});

test('a target of the prober has the options in its words', () => {
  const options = read({ request: 'PUT', ipv6: true, location: true, proxy: '', insecure: false });
  assert.deepEqual(targetOptions(options), { method: 'PUT', family: 6, redirects: 50, insecure: false });
  assert.deepEqual(targetOptions(read({ location: true, maxRedirs: 3 })), { redirects: 3 });
  assert.deepEqual(targetOptions(read({ location: true, maxRedirs: -1 })), { redirects: Number.MAX_SAFE_INTEGER });
  assert.deepEqual(targetOptions(read({ maxRedirs: 3 })), {});
});

test('what is written down has the names of headers alone, and no password of a proxy', () => {
  const options = read({ headers: { 'X-Api': 'secret' }, proxy: 'http://user:secret@proxy:3128', ipv4: true });
  assert.deepEqual(withoutSecrets(options), {
    headers: [{ name: 'X-Api' }],
    proxy: 'http://proxy:3128',
    ipv4: true,
  });
});
