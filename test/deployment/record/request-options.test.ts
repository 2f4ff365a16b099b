import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { checkHealth } from '../../../src/deployment/record/health.ts';
import { nodeHost } from '../../../src/host/node.ts';
import { bodyHolds } from '../../../src/host/probe/body-holds.ts';
import { certificateAuthority } from '../../support/certificates.ts';
import { forwardProxy } from '../../support/forward-proxy.ts';
import { answering } from '../../support/loopback-server.ts';
import { needs } from '../../support/needs.ts';
import { secrets } from '../../support/secrets.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite } from '../support/site.ts';

const host = nodeHost();
const rules = { consecutive: 1, timeout: 5 };

test('a virtual host at 127.0.0.1 is asked by its name, with the headers of the settings', async (t) => {
  const got: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    got.push(request.headers);
    response.end('Welcome to the shop');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const ask = (more: object) =>
    checkHealth(host, [`http://shop.example.com:${port}/up`], {
      ...rules,
      resolve: [{ host: 'shop.example.com', port, addresses: ['127.0.0.1'] }],
      ...more,
    });
  assert.deepEqual(await ask({ headers: [{ name: 'X-Health', value: 'let me in' }] }), { status: 200 });
  assert.deepEqual([got[0]?.host, got[0]?.['x-health']], [`shop.example.com:${port}`, 'let me in']);
  assert.deepEqual(await ask({ bodyContains: '/to the \\w+/' }), { status: 200 });
  const other = await ask({ bodyContains: 'Goodbye' });
  assert.deepEqual(other, { status: 200, doubt: 'its body does not contain Goodbye' });
});

test('a certificate of a private authority is good with cacert, any one with insecure, and none without', async (t) => {
  if (!needs(t, 'openssl')) return;
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-tls-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const authority = certificateAuthority(folder);
  const { key, cert } = authority.sign('shop', 'DNS:shop.example.com');
  const server = createSecureServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) =>
    response.end(),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const resolve = [{ host: '*', port, addresses: ['127.0.0.1'] }];
  const status = async (name: string, more: object) =>
    (await checkHealth(host, [`https://${name}:${port}/`], { ...rules, resolve, ...more })).status;
  assert.equal(await status('shop.example.com', {}), 0);
  assert.equal(await status('shop.example.com', { cacert: authority.ca }), 200);
  assert.equal(await status('other.example.com', { cacert: authority.ca }), 0, 'the name is still verified');
  assert.equal(await status('other.example.com', { insecure: true }), 200);
});

test('redirects are followed where the settings say so, with the method, and without credentials to another host', async (t) => {
  const got: (readonly unknown[])[] = [];
  const there = await answering(t, (request, response) => {
    got.push([request.method, request.url, request.headers.authorization]);
    response.end('Welcome');
  });
  const url = await answering(t, (request, response) => {
    got.push([request.method, request.url, request.headers.authorization]);
    response.writeHead(302, { location: request.url === '/' ? '/moved' : `${there}there` }).end('Moved');
  });
  const address = url.replace('http://', `http://user:${secrets.addressPassword}@`);
  const more = { request: 'POST', bodyContains: 'Welcome' };
  const ask = (given: object) => checkHealth(host, [address], { ...rules, ...more, ...given });
  assert.deepEqual(await ask({}), { status: 302 });
  assert.deepEqual(await ask({ location: true, maxRedirs: 1 }), { status: 302 });
  got.length = 0;
  assert.deepEqual(await ask({ location: true }), { status: 200 });
  const authorization = `Basic ${Buffer.from(`user:${secrets.addressPassword}`).toString('base64')}`;
  assert.deepEqual(got, [
    ['POST', '/', authorization],
    ['POST', '/moved', authorization],
    ['POST', '/there', undefined],
  ]);
});

test('an address of the family, and the next of several where the first does not answer', async (t) => {
  const url = await answering(t, (_, response) => response.end('ok'));
  const { port } = new URL(url);
  const resolve = [{ host: 'shop.example.com', port: Number(port), addresses: ['::1', '127.0.0.9', '127.0.0.1'] }];
  const status = async (more: object) =>
    (await checkHealth(host, [`http://shop.example.com:${port}/`], { ...rules, resolve, ...more })).status;
  assert.equal(await status({}), 200);
  assert.equal(await status({ ipv4: true }), 200);
  assert.equal(await status({ ipv6: true }), 0);
});

test('the settings’ own proxy is asked', async (t) => {
  if (!needs(t, 'tinyproxy')) return;
  const proxy = await forwardProxy(t, `holdfast:${secrets.addressPassword}`);
  const url = await answering(t, (_, response) => response.end('ok'));
  assert.deepEqual(await checkHealth(host, [url], { ...rules, proxy: proxy.url }), { status: 200 });
  assert.deepEqual(proxy.requests(), [`GET ${url}`]);
});

test('text is looked for as it is, and between slashes as a regular expression', () => {
  assert.equal(bodyHolds('a.c', 'abc'), false);
  assert.equal(bodyHolds('/a.c/', 'abc'), true);
});

test('a commit whose page lacks the word fails its check, and no value of a header is written', async (t) => {
  const site = await buildSite(t);
  site.push({ page: 'two' });
  const headers = { Authorization: `Bearer ${secrets.healthPassword}` };
  const document = await deploy(quietHost(), site.settings({}, { health: { bodyContains: 'two words', headers } }));
  assert.equal(document.exitCode, 4, 'the page of both commits lacks it');
  assert.match(site.log(), /Health check failed \(200\) at [0-9a-f]+: its body does not contain two words/);
  assert.ok(!site.log().includes(secrets.healthPassword));
});
