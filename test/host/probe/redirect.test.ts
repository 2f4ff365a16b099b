import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prober } from '../../../src/host/probe/probe.ts';
import { answering } from '../../support/loopback-server.ts';
import { undisturbed } from '../../support/undisturbed.ts';

const probe = prober();

test('every redirect is followed that curl follows, with the method that was asked for', async (t) => {
  const methods: unknown[] = [];
  const url = await answering(t, (request, response) => {
    methods.push(request.method);
    const status = Number(request.url?.slice(1));
    if (status === 0) response.end('there');
    else response.writeHead(status, { location: '/0' }).end('moved');
  });
  for (const status of [300, 301, 302, 303, 304, 305, 307, 308, 399]) {
    const sample = await probe(
      { url: `${url}${status}`, redirects: 1, method: 'POST', bodyContains: 'there' },
      'new',
      5,
    );
    assert.deepEqual([sample.status, sample.bodyMatched], [200, true], `${status}`);
  }
  assert.ok(methods.every((method) => method === 'POST'));
});

test('no more redirects are followed than allowed, and none to what is not the web', async (t) => {
  let asked = 0;
  const url = await answering(t, (request, response) => {
    asked += 1;
    const location = { '/file': 'file:///etc/passwd', '/empty': undefined, '/bad': 'http://[' }[request.url ?? ''];
    response.writeHead(302, request.url === '/' ? { location: '/' } : location === undefined ? {} : { location }).end();
  });
  for (const redirects of [0, 1, 50]) {
    asked = 0;
    const { status, error } = await probe({ url, redirects }, 'new', 10);
    assert.deepEqual([status, error, asked], [302, undefined, redirects + 1]);
  }
  for (const path of ['file', 'empty', 'bad'])
    assert.equal((await probe({ url: `${url}${path}`, redirects: 5 }, 'new', 5)).status, 302);
});

test('what says who asks does not go to another host, port or scheme on a redirect', async (t) => {
  const got: Record<string, unknown>[] = [];
  const other = await answering(t, ({ headers }, response) => {
    got.push(headers);
    response.end('ok');
  });
  const there = new URL(other);
  const url = await answering(t, ({ headers, url: path }, response) => {
    got.push(headers);
    const location = { '/': '/same', '/same': other, '/name': `http://localhost.:${there.port}/` }[path ?? ''];
    response.writeHead(302, { location }).end();
  });
  const headers = ['Authorization', 'cookie', 'X-Api', 'Host'].map((name) => ({ name, value: 'shop' }));
  const resolve = [{ host: '*', port: Number(there.port), addresses: ['127.0.0.1'] }];
  assert.equal((await probe({ url, headers, resolve, redirects: 5 }, 'new', 5)).status, 200);
  const seen = got.map(({ authorization, cookie, host, 'x-api': api }) => [authorization, cookie, host, api]);
  assert.deepEqual(seen, [
    ['shop', 'shop', 'shop', 'shop'],
    ['shop', 'shop', 'shop', 'shop'],
    // Its own name for a host is kept on another port of that host, as by curl.
    [undefined, undefined, 'shop', 'shop'],
  ]);
  await probe({ url: `${url}name`, headers, resolve, redirects: 5 }, 'new', 5);
  const { authorization, cookie, host } = got.at(-1) ?? {};
  assert.deepEqual([authorization, cookie, host], [undefined, undefined, `localhost.:${there.port}`]);
});

test('the time of a probe is that of all its requests, and one limit holds for them', async (t) => {
  const url = await answering(t, (request, response) => {
    const [next] = { '/': ['/2'], '/2': ['/3'], '/3': [] as string[] }[request.url ?? ''] ?? [];
    const answer = () => (next === undefined ? response.end('ok') : response.writeHead(302, { location: next }).end());
    setTimeout(answer, 100);
  });
  const sample = await probe({ url, redirects: 5 }, 'new', 5);
  assert.equal(sample.status, 200);
  assert.ok(sample.seconds >= 0.295 && (sample.phases.firstByte ?? 0) >= 0.295, `${sample.seconds}`);
  await undisturbed(0.1, async () => {
    const late = await probe({ url, redirects: 5 }, 'new', 0.25);
    assert.equal(late.error, 'timeout');
    assert.ok(late.seconds < 0.35);
  });
});

test('each origin of a chain keeps its connection', async (t) => {
  let [connections, asked] = [0, 0];
  const url = await answering(t, (request, response) => {
    asked += 1;
    if (request.socket.bytesRead > 0 && request.url === '/') response.writeHead(302, { location: '/there' });
    response.end();
  });
  const sockets = new Set<unknown>();
  const counted = await answering(t, (request, response) => {
    if (!sockets.has(request.socket)) connections += 1;
    sockets.add(request.socket);
    response.writeHead(302, { location: url }).end();
  });
  for (let i = 0; i < 3; i++) assert.equal((await probe({ url: counted, redirects: 5 }, 'reused', 5)).status, 200);
  assert.deepEqual([connections, asked], [1, 6]);
});
