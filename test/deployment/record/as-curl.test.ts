import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createSecureContext, TLSSocket } from 'node:tls';
import * as z from 'zod';
import { askedTarget } from '../../../src/cli/settings/asked-target.ts';
import { checkHealth } from '../../../src/deployment/record/health.ts';
import { nodeHost } from '../../../src/host/node.ts';
import { requestOptions } from '../../../src/settings/request-options.ts';
import { type Authority, certificateAuthority } from '../../support/certificates.ts';
import { listening } from '../../support/loopback-server.ts';
import { needs } from '../../support/needs.ts';
import { secrets } from '../../support/secrets.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const host = nodeHost();
const schema = z.strictObject(requestOptions);

type Options = Readonly<Record<string, string | readonly string[] | true>>;

/** A server and a proxy at once, on both addresses of loopback: it keeps each request as its bytes and answers 200. */
async function recording(t: TestContext, secure: object) {
  const requests: string[] = [];
  const secureContext = createSecureContext(secure);
  const secured = (socket: Socket) =>
    take(new TLSSocket(socket.removeAllListeners('data'), { isServer: true, secureContext }));
  const answer = (socket: Socket, request: string) => {
    requests.push(request);
    const isTunnel = request.startsWith('CONNECT ');
    socket.write(`HTTP/1.1 200 OK\r\n${isTunnel ? '' : 'Content-Length: 0\r\n'}\r\n`);
    if (isTunnel) secured(socket);
  };
  const take = (socket: Socket) => {
    let text = '';
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      if (text.endsWith('\r\n\r\n')) answer(socket, text);
      if (text.endsWith('\r\n\r\n')) text = '';
    });
  };
  const at = (address: string) => listening(t, createServer(take), address).catch(() => undefined);
  return { four: await at('127.0.0.1'), six: await at('::1'), taken: () => requests.splice(0) };
}

/** Keys are curl's long options. */
function settingsOf({ header, resolve, ...others }: Options): z.output<typeof schema> {
  return schema.parse({
    ...others,
    ...(header === undefined ? {} : { headers: [header].flat() }),
    ...(resolve === undefined ? {} : { resolve: [resolve].flat() }),
  });
}

const ways: Readonly<Record<string, (url: string, options: Options) => Promise<unknown>>> = {
  curl: (url, options) => {
    const words = Object.entries(options).flatMap(([key, value]) =>
      value === true ? [`--${key}`] : [value].flat().flatMap((one) => [`--${key}`, one]),
    );
    const env = { PATH: process.env.PATH };
    return new Promise((resolve) => execFile('curl', ['-q', '-s', '-m', '20', ...words, url], { env }, resolve));
  },
  'a probe on a new connection': (url, options) => probe(url, options, 'new'),
  'a probe on a kept connection': (url, options) => probe(url, options, 'reused'),
  'a health check': (url, options) => checkHealth(host, [url], { ...settingsOf(options), consecutive: 1, timeout: 20 }),
};

async function probe(url: string, options: Options, use: 'new' | 'reused') {
  const asked = await askedTarget({ host, environment: {} }, url, settingsOf(options));
  assert.ok('target' in asked);
  return host.probe(asked.target, use, 20);
}

const ownLines = /^(?:Connection|Proxy-Connection|Cache-Control): .*\r\n/gm;
/** Without what differs on purpose (docs/monitor.md, "How a target is asked"). */
const comparable = (request: string) =>
  request.replace(/^(User-Agent): (curl|holdfast)\b.*/m, '$1: *').replace(ownLines, '');

test('the bytes of a request are those of curl with the same options, by the probes and by the health check', async (t) => {
  if (!needs(t, 'curl') || !needs(t, 'openssl')) return;
  const authority = certificateAuthority(temporaryFolder(t));
  const { key, cert } = authority.sign('shop', 'DNS:shop.example.com,IP:::1');
  const { four, six, taken } = await recording(t, { key: readFileSync(key), cert: readFileSync(cert) });
  assert.ok(four !== undefined);
  const { host: proxy, port } = new URL(four);
  const cacert = authority.ca;
  const own = `http://user:${secrets.addressPassword}@${proxy}`;
  const shop = { resolve: `shop.example.com:${port}:127.0.0.1` };
  const cases: readonly (readonly [url: string, options: Options])[] = [
    [`${four}a/../b//c%20d/%C3%BC?x=%7E&y=1/2#z`, {}],
    [four.replace('127.0.0.1', '127.1'), {}],
    [`http://shop.example.com:${port}/`, { ...shop, header: ['A: 1', 'B;', 'a: 2', 'Cookie: c', 'Cookie: d'] }],
    [four, { header: ['Host: shop.example.com:8080', 'Host: other', 'X-Name: grün €'] }],
    [four, { header: ['Host:', 'User-Agent:', 'Accept: text/html'] }],
    ...['POST', 'PUT', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PURGE', 'get'].map(
      (request) => [four, { request, ...(request === 'HEAD' ? { 'max-time': '1' } : {}) }] as const,
    ),
    ['http://shop.example.com/x?y=z', { proxy, ipv4: true }],
    ['http://shop.example.com/', { proxy: own, header: ['Host: other'], request: 'POST' }],
    [
      'http://shop.example.com/',
      { proxy: `proxy.example.com:${port}`, resolve: `proxy.example.com:${port}:127.0.0.1` },
    ],
    ['https://shop.example.com/x', { proxy: own, cacert, header: ['X-A: b', 'Host: other'] }],
    ['https://other.example.com:8443/', { proxy, insecure: true }],
    ['https://[::1]/', { proxy, cacert }],
    ...(six === undefined
      ? []
      : ([
          [six, {}],
          ['http://a.example/', { proxy: `http://[::1]:${new URL(six).port}` }],
        ] as const)),
  ];
  for (const [url, options] of cases) {
    const { 'max-time': _limit, ...ours } = options as Options;
    await ways.curl?.(url, options);
    const expected = taken().map(comparable);
    assert.notDeepEqual(expected, [], url);
    for (const [who, ask] of Object.entries(ways).slice(1)) {
      const outcome = await ask(url, ours);
      assert.deepEqual(taken().map(comparable), expected, `${who}, ${url} ${JSON.stringify([outcome, ours])}`);
    }
  }
});

/** What curl, a probe and a health check say of a certificate. */
async function said(url: string, options: Options) {
  const [sample, health] = [await probe(url, options, 'new'), await ways['a health check']?.(url, options)];
  return [sample.status, sample.reason, (health as { reason?: string }).reason];
}

async function servingTls(t: TestContext, { sign }: Authority, isExpired: boolean): Promise<string> {
  const { key, cert } = sign(`shop-${isExpired}`, 'DNS:shop.example.com', { isExpired });
  const server = createHttpsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) =>
    response.end(),
  );
  return new URL(await listening(t, server)).port;
}

test('a wrong name, an expired certificate and an unknown authority are told apart, and a Host of one’s own changes none of it', async (t) => {
  if (!needs(t, 'openssl')) return;
  const authority = certificateAuthority(temporaryFolder(t));
  const [good, expired] = [await servingTls(t, authority, false), await servingTls(t, authority, true)];
  const header = 'Host: shop.example.com';
  const at = (name: string, port: string) => ({ resolve: `${name}:${port}:127.0.0.1`, header, cacert: authority.ca });
  const asked = (name: string, port: string, more: Options = {}) =>
    said(`https://${name}:${port}/`, { ...at(name, port), ...more });
  assert.deepEqual(await asked('shop.example.com', good), [200, undefined, undefined]);
  assert.deepEqual(await asked('shop.example.com', good, { header: 'Host: other' }), [200, undefined, undefined]);
  assert.deepEqual(await asked('other.example.com', good), [0, 'name', 'its certificate is for another name']);
  assert.deepEqual(await asked('other.example.com', good, { insecure: true }), [200, undefined, undefined]);
  assert.deepEqual(await asked('shop.example.com', expired), [0, 'expired', 'its certificate has expired']);
  const { cacert: _none, ...system } = at('shop.example.com', good);
  assert.deepEqual(await said(`https://shop.example.com:${good}/`, system), [
    0,
    'authority',
    'its certificate is of an authority that is not trusted',
  ]);
});
