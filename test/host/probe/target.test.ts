import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type TestContext, test } from 'node:test';
import { prober } from '../../../src/host/probe/probe.ts';
import { certificateAuthority } from '../../support/certificates.ts';
import { forwardProxy } from '../../support/forward-proxy.ts';
import { freePort } from '../../support/free-port.ts';
import { answering, listening } from '../../support/loopback-server.ts';
import { needs } from '../../support/needs.ts';
import { secrets } from '../../support/secrets.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const probe = prober();

/** A server that keeps the requests that it got. */
async function recording(t: TestContext): Promise<{ readonly url: string; readonly got: IncomingMessage[] }> {
  const got: IncomingMessage[] = [];
  const url = await answering(t, (request, response) => {
    got.push(request);
    response.end('Welcome to the shop');
  });
  return { url, got };
}

test('the request has the method and the headers of its target instead of its own', async (t) => {
  const { url, got } = await recording(t);
  const headers = [
    { name: 'host', value: 'shop.example.com' },
    { name: 'X-Two', value: 'a' },
    { name: 'X-Two', value: 'b' },
    { name: 'Accept' },
  ];
  const { status } = await probe({ url, method: 'OPTIONS', headers }, 'new', 5);
  assert.deepEqual([status, got[0]?.method], [200, 'OPTIONS']);
  assert.deepEqual(got[0]?.rawHeaders, [
    ...['Host', 'shop.example.com', 'User-Agent', 'holdfast', 'Connection', 'close'],
    ...['X-Two', 'a', 'X-Two', 'b'],
  ]);
});

test('an answer to HEAD has no body, whatever length it names', async (t) => {
  const url = await answering(t, (_, response) => response.writeHead(200, { 'content-length': '9' }).end());
  for (const use of ['new', 'reused'] as const) {
    const { status, error } = await probe({ url, method: 'HEAD' }, use, 5);
    assert.deepEqual([status, error], [200, undefined]);
  }
});

test('a page of another text is not the right one, and what is looked for may stand far down', async (t) => {
  const far = 'x'.repeat(900_000);
  const url = await answering(t, (_, response) => response.end(`Welcome${far}to the shop`));
  const matched = async (more: object) => (await probe({ url, ...more }, 'new', 5)).bodyMatched;
  assert.equal(await matched({ bodyContains: 'to the shop' }), true);
  assert.equal(await matched({ bodyContains: '/to \\w+ shop$/' }), true);
  assert.equal(await matched({ bodyContains: 'to a shop' }), false);
  assert.equal(await matched({ bodyContains: 'to the shop', body: 'Goodbye' }), false);
  assert.equal(await matched({}), undefined);
});

test('a name is connected to where the target says, at the first of several addresses that takes it', async (t) => {
  const { url, got } = await recording(t);
  const port = Number(new URL(url).port);
  const closed = await freePort();
  const resolve = [
    { host: 'shop.example.com', port, addresses: ['127.0.0.9', '127.0.0.1'] },
    { host: '*', port, addresses: ['127.0.0.1'] },
    { host: 'shop.example.com', port: closed, addresses: ['127.0.0.1', '127.0.0.2'] },
  ];
  const asked = async (address: string, more: object = {}) => {
    const { status, error, phases } = await probe({ url: address, resolve, ...more }, 'new', 5);
    return [error ?? status, phases.dns];
  };
  assert.deepEqual(await asked(`http://shop.example.com:${port}/`), [200, undefined]);
  assert.equal(got[0]?.headers.host, `shop.example.com:${port}`);
  assert.deepEqual(await asked(`http://any.other.name:${port}/`), [200, undefined]);
  assert.deepEqual(await asked(`http://shop.example.com:${closed}/`), ['refused', undefined]);
  assert.deepEqual(await asked(`http://shop.example.com:${port}/`, { family: 6 }), ['dns', undefined]);
});

test('a name is looked up for addresses of the family alone', async (t) => {
  const { url } = await recording(t);
  const named = url.replace('127.0.0.1', 'localhost');
  assert.equal((await probe({ url: named, family: 4 }, 'new', 5)).status, 200);
  const six = await probe({ url: named, family: 6 }, 'new', 5);
  assert.ok(six.error === 'refused' || six.error === 'dns', `${six.error}: nothing listens on ::1`);
  assert.equal((await probe({ url, family: 6 }, 'new', 5)).error, 'dns');
  const server = createHttpServer((_, response) => response.end('ok'));
  const ofSix = await listening(t, server, '::1').catch(() => undefined);
  if (ofSix === undefined) return t.skip('this machine has no IPv6');
  const { port } = new URL(ofSix);
  const resolve = [{ host: 'shop.example.com', port: Number(port), addresses: ['127.0.0.1', '::1'] }];
  const there = { url: `http://shop.example.com:${port}/`, resolve };
  assert.equal((await probe({ ...there, family: 6 }, 'new', 5)).status, 200);
  assert.equal((await probe({ ...there, family: 4 }, 'new', 5)).error, 'refused');
});

test('a certificate has to come from the target’s own authority, or may be any', async (t) => {
  if (!needs(t, 'openssl')) return;
  const authority = certificateAuthority(temporaryFolder(t));
  const ca = readFileSync(authority.ca, 'utf8');
  const serving = async (name: string, isExpired: boolean) => {
    const { key, cert } = authority.sign(name, 'DNS:shop.example.com,IP:127.0.0.1', { isExpired });
    const server = createHttpsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) =>
      response.end('ok'),
    );
    return (await listening(t, server)).replace('http:', 'https:');
  };
  const result = async (url: string, more: object = {}) => {
    const { error, status } = await probe({ url, ...more }, 'new', 5);
    return error ?? status;
  };
  const good = await serving('good', false);
  const port = Number(new URL(good).port);
  const resolve = [{ host: '*', port, addresses: ['127.0.0.1'] }];
  assert.equal(await result(good), 'tls', 'nobody knows its authority');
  assert.equal(await result(good, { ca }), 200);
  const own = readFileSync(authority.ca.replace('ca.crt', 'good.crt'), 'utf8');
  assert.equal(await result(good, { ca: own }), 200, 'an intermediate or the certificate itself is trusted too');
  assert.equal(await result(`https://shop.example.com:${port}/`, { ca, resolve }), 200);
  assert.equal(await result(`https://other.example.com:${port}/`, { ca, resolve }), 'tls', 'it is for another name');
  assert.equal(await result(`https://other.example.com:${port}/`, { insecure: true, resolve }), 200);
  const expired = await serving('expired', true);
  assert.equal(await result(expired, { ca }), 'tls');
  assert.equal(await result(expired, { insecure: true }), 200);
});

test('a proxy is asked for the address, or for a tunnel, with its own password alone', async (t) => {
  if (!needs(t, 'tinyproxy') || !needs(t, 'openssl')) return;
  const proxy = await forwardProxy(t, `holdfast:${secrets.addressPassword}`);
  const { url, got } = await recording(t);
  const { key, cert } = certificateAuthority(temporaryFolder(t)).sign('shop', 'IP:127.0.0.1');
  const headers: IncomingMessage['headers'][] = [];
  const server = createHttpsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
    headers.push(request.headers);
    response.end('ok');
  });
  const secured = (await listening(t, server)).replace('http:', 'https:');
  const through = async (address: string, more: object = {}, use: 'new' | 'reused' = 'new') => {
    const target = { url: address, proxy: proxy.url, insecure: true, ...more };
    const { error, status } = await probe(target, use, 5);
    return error ?? status;
  };
  assert.equal(await through(url), 200);
  assert.equal(await through(secured), 200);
  for (let i = 0; i < 2; i++) assert.equal(await through(secured, {}, 'reused'), 200);
  const { host } = new URL(secured);
  assert.deepEqual(proxy.requests(), [`GET ${url}`, ...[1, 2].map(() => `CONNECT ${host}`)]);
  assert.equal(got[0]?.headers.host, new URL(url).host);
  assert.ok(![got[0]?.headers, ...headers].some((all) => all?.['proxy-authorization'] !== undefined));
  const stranger = proxy.url.replace(secrets.addressPassword, 'wrong');
  assert.equal(await through(url, { proxy: stranger }), 401, 'the proxy’s own answer');
  assert.equal(await through(secured, { proxy: stranger }), 'connect');
  assert.equal(await through(secured, { proxy: `http://127.0.0.1:${await freePort()}` }), 'refused');
});

test('a percent sign in a proxy’s password that stands for nothing is one', async (t) => {
  const got: unknown[] = [];
  const url = await answering(t, ({ headers }, response) => {
    got.push(headers['proxy-authorization']);
    response.end();
  });
  const { status } = await probe({ url: 'http://a.example/', proxy: url.replace('//', '//u:50%@') }, 'new', 5);
  assert.deepEqual([status, got], [200, [`Basic ${Buffer.from('u:50%').toString('base64')}`]]);
});
