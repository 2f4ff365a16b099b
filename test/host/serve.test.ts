import assert from 'node:assert/strict';
import { test } from 'node:test';
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

test('an address that is taken is an error that names it', async () => {
  const first = await serve({ host: '127.0.0.1', port: 0 }, () => undefined);
  const second = serve({ host: '127.0.0.1', port: first.port }, () => undefined);
  await assert.rejects(
    second,
    (error) => error instanceof OperationError && error.message.includes(`127.0.0.1:${first.port}`),
  );
  first.close();
});

test('pieces are sent as they come, and a client that goes away is told', async () => {
  const told = Promise.withResolvers<string>();
  const released = Promise.withResolvers<void>();
  const served = await serve({ host: '127.0.0.1', port: 0 }, (_path, { host, gone }) => {
    gone.addEventListener('abort', () => told.resolve(host));
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
  assert.equal(await told.promise, `127.0.0.1:${served.port}`);
  served.close();
});

async function* pieces(released: Promise<void>): AsyncGenerator<string> {
  yield 'one\n';
  await released;
  yield 'two\n';
  await new Promise(() => {});
}
