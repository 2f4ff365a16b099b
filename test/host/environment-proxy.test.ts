import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { environmentProxy } from '../../src/host/environment-proxy.ts';
import { OperationError } from '../../src/host/errors.ts';
import { http } from '../../src/host/http.ts';
import { forwardProxy } from '../support/forward-proxy.ts';
import { needs } from '../support/needs.ts';
import { secrets } from '../support/secrets.ts';

const proxy = 'http://proxy.example:3128';
const chosen = (url: string, environment: Record<string, string>) =>
  environmentProxy(new URL(url), environment)?.name ?? 'none';

test('the variable of the scheme names the proxy, in capitals first', () => {
  assert.equal(chosen('https://api.example', { HTTPS_PROXY: proxy, https_proxy: 'x' }), 'HTTPS_PROXY');
  assert.equal(chosen('https://api.example', { https_proxy: proxy }), 'https_proxy');
  assert.equal(chosen('https://api.example', { HTTP_PROXY: proxy }), 'none');
  assert.equal(chosen('http://api.example', { HTTP_PROXY: proxy }), 'HTTP_PROXY');
  assert.equal(chosen('https://api.example', { HTTPS_PROXY: '' }), 'none');
  const bare = environmentProxy(new URL('https://api.example'), { HTTPS_PROXY: 'proxy.example:3128' });
  assert.equal(bare?.url, proxy);
});

/** The examples of golang.org/x/net/http/httpproxy's documentation, and what Kubernetes' users write. */
const exceptions: readonly (readonly [exception: string, excepted: readonly string[], not: readonly string[]])[] = [
  ['*', ['a.example', '10.0.0.1'], []],
  ['example.com', ['example.com', 'api.example.com', 'EXAMPLE.com'], ['notexample.com', 'example.com.org']],
  ['.example.com', ['api.example.com'], ['example.com']],
  ['*.example.com', ['api.example.com'], ['example.com']],
  ['10.0.0.0/8', ['10.1.2.3'], ['11.0.0.1', 'ten.example']],
  ['1.2.3.4', ['1.2.3.4'], ['1.2.3.40']],
  ['example.com:443', ['example.com'], ['example.com:8443']],
  ['fd00::/8', ['[fd00::1]'], ['[fe80::1]', '253.0.0.1']],
  ['a.example, svc', ['a.example', 'kubernetes.default.svc'], ['b.example']],
  ['10.0.0.0/99', [], ['10.0.0.1']],
];

for (const [exception, excepted, not] of exceptions)
  test(`NO_PROXY=${exception} excepts what Go's does`, () => {
    for (const name of ['NO_PROXY', 'no_proxy']) {
      const environment = { HTTPS_PROXY: proxy, [name]: exception };
      for (const host of excepted) assert.equal(chosen(`https://${host}`, environment), 'none', host);
      for (const host of not) assert.equal(chosen(`https://${host}`, environment), 'HTTPS_PROXY', host);
    }
  });

test('loopback never goes by a proxy', () => {
  for (const host of ['localhost', '127.0.0.1', '127.9.9.9', '[::1]'])
    assert.equal(chosen(`http://${host}:8080`, { HTTP_PROXY: proxy }), 'none');
});

const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'NO_PROXY', 'no_proxy'];

/** Sets these variables of this process alone until the test ends. */
function environment(t: TestContext, set: Record<string, string>): void {
  const before = names.map((name) => [name, process.env[name]] as const);
  for (const name of names) delete process.env[name];
  Object.assign(process.env, set);
  t.after(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
}

/** A server on every address of this machine: 0.0.0.0 reaches it, and is no loopback address by its name. */
async function server(t: TestContext): Promise<string> {
  const listening = createServer((_, response) => response.end('hello'));
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    listening.closeAllConnections();
    listening.close();
  });
  return `http://0.0.0.0:${(listening.address() as AddressInfo).port}/`;
}

test('a request goes by the proxy of the environment, with its password, and by none where NO_PROXY says so', async (t) => {
  if (!needs(t, 'tinyproxy')) return;
  const [url, by] = [await server(t), await forwardProxy(t, `holdfast:${secrets.addressPassword}`)];
  environment(t, { HTTP_PROXY: by.url });
  const response = await http({ method: 'GET', url });
  assert.deepEqual([response.status, await response.text()], [200, 'hello']);
  assert.deepEqual(by.requests(), [`GET ${url}`]);
  process.env.NO_PROXY = '0.0.0.0';
  assert.equal((await http({ method: 'GET', url })).status, 200);
  assert.equal(by.requests().length, 1);
});

test('a proxy that does not answer is named by its variable, without its value', async (t) => {
  environment(t, { HTTPS_PROXY: `http://holdfast:${secrets.addressPassword}@127.0.0.1:1` });
  const error: unknown = await http({ method: 'GET', url: 'https://api.example/' }).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof OperationError);
  assert.match(error.message, /ECONNREFUSED.* \(by the proxy of HTTPS_PROXY\)$/);
  assert.ok(!error.message.includes(secrets.addressPassword));
});

test('a proxy that refuses the tunnel is named, with the status that it gave, and without its password', async (t) => {
  if (!needs(t, 'tinyproxy')) return;
  const by = await forwardProxy(t, 'somebody:else');
  environment(t, { HTTPS_PROXY: by.url.replace('somebody:else', `holdfast:${secrets.addressPassword}`) });
  const error: unknown = await http({ method: 'GET', url: 'https://0.0.0.0:1/' }).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof OperationError);
  assert.match(error.message, /401|407/);
  assert.match(error.message, / \(by the proxy of HTTPS_PROXY\)$/);
  assert.ok(!error.message.includes(secrets.addressPassword));
});
