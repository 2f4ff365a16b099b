import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { OperationError } from '../../src/host/errors.ts';
import { serve } from '../../src/host/serve.ts';

test('a page is answered with its type, anything else with 404, until it is closed', async () => {
  const served = await serve({ host: '127.0.0.1', port: 0 }, (path) =>
    path === '/metrics' ? { type: 'text/plain', body: 'up 1\n' } : undefined,
  );
  const url = `http://127.0.0.1:${served.port}`;
  const page = await fetch(`${url}/metrics`);
  assert.deepEqual([page.status, page.headers.get('content-type'), await page.text()], [200, 'text/plain', 'up 1\n']);
  assert.equal((await fetch(`${url}/other`)).status, 404);
  assert.equal((await fetch(`${url}/metrics`, { method: 'POST' })).status, 404);
  served.close();
  await assert.rejects(fetch(`${url}/metrics`));
});

test('an address in use is an error that names it', async () => {
  const first = await serve({ host: '127.0.0.1', port: 0 }, () => undefined);
  const second = serve({ host: '127.0.0.1', port: first.port }, () => undefined);
  await assert.rejects(
    second,
    (error) => error instanceof OperationError && error.message.includes(`127.0.0.1:${first.port}`),
  );
  first.close();
});

test('pieces are sent as they come, and the page learns that its client went away', async () => {
  const left = Promise.withResolvers<string>();
  const released = Promise.withResolvers<void>();
  const served = await serve({ host: '127.0.0.1', port: 0 }, (_path, { host, gone }) => {
    gone.addEventListener('abort', () => left.resolve(host));
    return { type: 'text/event-stream', body: pieces(released.promise), headers: { 'x-frame-options': 'DENY' } };
  });
  const leaving = new AbortController();
  const response = await fetch(`http://127.0.0.1:${served.port}/`, { signal: leaving.signal });
  assert.equal(response.headers.get('x-frame-options'), 'DENY');
  const reader = response.body?.getReader();
  assert.equal(new TextDecoder().decode((await reader?.read())?.value), 'one\n');
  released.resolve();
  assert.equal(new TextDecoder().decode((await reader?.read())?.value), 'two\n');
  leaving.abort();
  assert.equal(await left.promise, `127.0.0.1:${served.port}`);
  served.close();
});

test('a page that fails is a 500, other pages are still served, and `ended` rejects', async (t) => {
  const served = await serve({ host: '127.0.0.1', port: 0 }, (path) => {
    if (path === '/broken') throw new Error('no such page can be made');
    return path === '/begun' ? { type: 'text/plain', body: failing('') } : { type: 'text/plain', body: 'well\n' };
  });
  t.after(served.close);
  const url = `http://127.0.0.1:${served.port}`;
  for (const path of ['/broken', '/begun']) {
    const { status, text } = await answered(`${url}${path}`);
    assert.deepEqual([status, text], [500, 'this page could not be made\n'], path);
  }
  assert.equal((await answered(url)).text, 'well\n');
  await assert.rejects(served.ended, /no such page can be made/);
});

test('a page that fails after its first piece is broken off', async (t) => {
  const served = await serve({ host: '127.0.0.1', port: 0 }, () => ({ type: 'text/plain', body: failing('begun\n') }));
  t.after(served.close);
  await assert.rejects(answered(`http://127.0.0.1:${served.port}/`));
  await assert.rejects(served.ended, /in the middle/);
});

test('a slow reader leaves no listener behind, and the end comes when it is closed', async (t) => {
  const warnings: string[] = [];
  const warned = (warning: Error): void => void warnings.push(warning.message);
  process.on('warning', warned);
  t.after(() => process.off('warning', warned));
  const large = 'x'.repeat(1024 * 1024);
  const served = await serve({ host: '127.0.0.1', port: 0 }, () => ({ type: 'text/plain', body: repeated(large, 24) }));
  t.after(served.close);
  const { text } = await answered(`http://127.0.0.1:${served.port}/`);
  assert.equal(text.length, 24 * large.length);
  assert.deepEqual(warnings, []);
  served.close();
  await served.ended;
});

async function answered(url: string): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(url);
  return { status: response.status, text: await response.text() };
}

async function* failing(first: string): AsyncGenerator<string> {
  if (first !== '') yield first;
  throw new Error('in the middle');
}

async function* repeated(piece: string, times: number): AsyncGenerator<string> {
  for (let time = 0; time < times; time += 1) yield piece;
}

async function* pieces(released: Promise<void>): AsyncGenerator<string> {
  yield 'one\n';
  await released;
  yield 'two\n';
  await new Promise(() => {});
}

test('a body that nobody reads closes the connection, and there are no more connections than a few hundred', async () => {
  const served = await serve({ host: '127.0.0.1', port: 0 }, () => ({ type: 'text/plain', body: 'x' }));
  const url = `http://127.0.0.1:${served.port}/`;
  const posted = await fetch(url, { method: 'POST', body: 'x'.repeat(100_000) });
  assert.equal(posted.headers.get('connection'), 'close');
  const closed: boolean[] = [];
  const sockets = Array.from({ length: 300 }, (_, index) => {
    const socket = connect(served.port, '127.0.0.1');
    return socket
      .on('error', () => undefined)
      .on('close', () => {
        closed[index] = true;
      });
  });
  for (let turns = 0; closed.filter(Boolean).length < 44 && turns < 200; turns++) await setTimeout(10);
  assert.ok(closed.filter(Boolean).length >= 44, 'those beyond 256 are dropped');
  for (const socket of sockets) socket.destroy();
  served.close();
});
