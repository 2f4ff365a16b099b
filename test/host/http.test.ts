import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { OperationError } from '../../src/host/errors.ts';
import { http } from '../../src/host/http.ts';
import { reachedNobody } from '../../src/host/system-error.ts';
import { secrets } from '../support/secrets.ts';

async function answering(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a request goes out as it was given, and any status is a response', async (t) => {
  const seen: unknown[] = [];
  const url = await answering(t, (request, response) => {
    const { method, headers } = request;
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      seen.push([method, request.url, headers['content-type'], body]);
      response.writeHead(409, { 'X-Reason': 'Conflict' }).end('täken');
    });
  });
  const headers = { 'content-type': 'application/merge-patch+json' };
  const response = await http({ method: 'PATCH', url: `${url}/api?dryRun=All`, headers, body: '{"a":1}' });
  assert.deepEqual(seen, [['PATCH', '/api?dryRun=All', 'application/merge-patch+json', '{"a":1}']]);
  assert.deepEqual([response.status, response.headers['x-reason'], await response.text()], [409, 'Conflict', 'täken']);
});

test('a body is framed by its length with every method: a DELETE that has one is one request', async (t) => {
  const seen: unknown[] = [];
  const url = await answering(t, async (request, response) => {
    const pieces = await Array.fromAsync(request.setEncoding('utf8'));
    seen.push([request.method, request.headers['content-length'], pieces.join('')]);
    response.end();
  });
  for (const method of ['DELETE', 'POST', 'PUT', 'PATCH'] as const) {
    const response = await http({ method, url, body: '{"ä":1}' });
    await response.text();
    assert.equal(response.status, 200, method);
  }
  assert.deepEqual(
    seen,
    ['DELETE', 'POST', 'PUT', 'PATCH'].map((method) => [method, '8', '{"ä":1}']),
  );
});

test('a connection is used again, and the name and password of an address are not sent unasked', async (t) => {
  const ports = new Set<number | undefined>();
  const url = await answering(t, (request, response) => {
    ports.add(request.socket.remotePort);
    response.end(String(request.headers.authorization));
  });
  const address = url.replace('http://', `http://name:${secrets.addressPassword}@`);
  for (let count = 0; count < 3; count++)
    assert.equal(await (await http({ method: 'GET', url: address })).text(), 'undefined');
  assert.equal(ports.size, 1);
});

test('a redirect is an answer like any other', async (t) => {
  const url = await answering(t, (_, response) => response.writeHead(302, { location: '/there' }).end());
  assert.equal((await http({ method: 'GET', url })).status, 302);
});

test('a stream is handed on as it comes, until its reader aborts', async (t) => {
  const { promise: more, resolve: goOn } = Promise.withResolvers<void>();
  const url = await answering(t, async (_, response) => {
    response.write('first\n');
    await more;
    response.write('second\n');
  });
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const stopping = new AbortController();
  const response = await http({ method: 'GET', url, timeoutSeconds: 0.2 }, stopping.signal);
  const pieces: string[] = [];
  await assert.rejects(async () => {
    for await (const piece of response.chunks()) {
      pieces.push(Buffer.from(piece).toString());
      if (pieces.length === 2) stopping.abort(new Error('enough'));
      t.mock.timers.tick(300);
      goOn();
    }
  }, /enough/);
  assert.deepEqual(pieces, ['first\n', 'second\n'], 'the timeout is for the head alone');
});

test('no answer is an error that names the request, without its query', async (t) => {
  const silent = await answering(t, () => {});
  const failure = (expected: RegExp) => (error: unknown) =>
    error instanceof OperationError && expected.test(error.message);
  await assert.rejects(
    http({ method: 'GET', url: `${silent}/api?token=x`, timeoutSeconds: 0.1 }),
    failure(/^GET http:\/\/127\.0\.0\.1:\d+\/api: no answer within 0\.1 s$/),
  );
  await assert.rejects(
    http({ method: 'POST', url: 'http://127.0.0.1:1/hook' }),
    failure(/^POST http:\/\/127\.0\.0\.1:1\/hook: .*ECONNREFUSED/),
  );
});

test('a request that reached no server is distinguished from one without an answer', async (t) => {
  const silent = await answering(t, () => {});
  const cut = await answering(t, ({ socket }) => socket.destroy());
  const failureOf = (url: string) => http({ method: 'GET', url, timeoutSeconds: 0.1 }).catch((error: unknown) => error);
  assert.equal(reachedNobody(await failureOf('http://127.0.0.1:1/')), true);
  assert.equal(reachedNobody(await failureOf('http://localhost:1/')), true, 'on no address of the name');
  assert.equal(reachedNobody(await failureOf(silent)), false);
  assert.equal(reachedNobody(await failureOf(cut)), false);
});

test('no request is sent twice', async (t) => {
  let requests = 0;
  const url = await answering(t, (request) => {
    requests += 1;
    request.socket.resetAndDestroy();
  });
  for (const method of ['GET', 'DELETE', 'POST'] as const) await assert.rejects(http({ method, url }), OperationError);
  assert.equal(requests, 3);
});

test('a body that breaks off is an error, and one that is not wanted is dropped', async (t) => {
  const url = await answering(t, (request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half');
    if (request.url === '/cut') setTimeout(() => request.socket.destroy(), 20);
  });
  const cut = await http({ method: 'GET', url: `${url}/cut` });
  await assert.rejects(
    cut.text(),
    (error) => error instanceof OperationError && /the body broke off/.test(error.message),
  );
  (await http({ method: 'GET', url })).discard();
});

test('an aborted request rejects with the reason', async (t) => {
  const url = await answering(t, () => {});
  const stopping = new AbortController();
  const request = http({ method: 'GET', url }, stopping.signal);
  stopping.abort(new Error('enough'));
  await assert.rejects(request, /enough/);
  await assert.rejects(http({ method: 'GET', url }, stopping.signal), /enough/);
});
