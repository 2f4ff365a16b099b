import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { LoadResult } from '../../../src/host/host.ts';
import { load } from '../../../src/host/load/load.ts';
import { undisturbed } from '../../support/undisturbed.ts';

async function listening(t: TestContext, server: Server | ReturnType<typeof createTcpServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
const answering = (t: TestContext, listener: RequestListener) => listening(t, createServer(listener));
const total = ({ statuses, errors }: LoadResult): number =>
  [...Object.values(statuses), ...Object.values(errors)].reduce((sum, count) => sum + count, 0);

test('every request is made, at that concurrency, on connections that are kept', async (t) => {
  let [underWay, most, connections] = [0, 0, 0];
  const all = Promise.withResolvers<void>();
  const server = createServer(async (_request, response) => {
    underWay += 1;
    most = Math.max(most, underWay);
    if (underWay === 20) setTimeout(all.resolve, 20);
    // No request is answered before 20 are under way; the 20 ms after that let a request above the limit arrive.
    await all.promise;
    // A timer may be a millisecond early: Node counts in whole ones.
    setTimeout(() => {
      underWay -= 1;
      response.end('welcome');
    }, 3);
  });
  server.on('connection', () => {
    connections += 1;
  });
  const url = await listening(t, server);
  const result = await load({ url, requests: 500, concurrency: 20, timeoutSeconds: 10 });
  assert.deepEqual([result.statuses, result.errors], [{ 200: 500 }, {}]);
  assert.deepEqual([most, connections], [20, 20]);
  assert.ok(result.percentiles.p50 >= 0.002 && result.percentiles.max < 10);
});

test('the first requests are answered while connections are still being opened, and each connection has one', async (t) => {
  let begun = 0;
  let begunAtFirstRequest: number | undefined;
  const count = () => {
    begun += 1;
  };
  subscribe('net.client.socket', count);
  t.after(() => unsubscribe('net.client.socket', count));
  const requestsOfSocket = new Map<unknown, number>();
  const server = createServer((request, response) => {
    begunAtFirstRequest ??= begun;
    requestsOfSocket.set(request.socket, (requestsOfSocket.get(request.socket) ?? 0) + 1);
    response.end('welcome');
  });
  const url = await listening(t, server);
  const { statuses } = await load({ url, requests: 200, concurrency: 200, timeoutSeconds: 10 });
  assert.deepEqual(statuses, { 200: 200 });
  assert.ok(Number(begunAtFirstRequest) < 100, `${begunAtFirstRequest} of 200 were begun at the first request`);
  assert.deepEqual([...requestsOfSocket.values()], Array(200).fill(1));
});

test('resets and 503 are counted as the server made them, none hidden and none tried again', async (t) => {
  const made = { resets: 0, unavailable: 0, good: 0 };
  let seen = 0;
  const url = await answering(t, (request, response) => {
    seen += 1;
    const kind = seen % 20;
    if (kind === 7) {
      made.resets += 1;
      request.socket.resetAndDestroy();
    } else if (kind === 3 || kind === 13) {
      made.unavailable += 1;
      response.writeHead(503).end('busy');
    } else {
      made.good += 1;
      response.end('welcome');
    }
  });
  const result = await load({ url, requests: 3000, concurrency: 50, timeoutSeconds: 10 });
  assert.equal(seen, 3000);
  assert.deepEqual(result.statuses, { 200: made.good, 503: made.unavailable });
  assert.deepEqual(result.errors, { reset: made.resets });
});

test('chunked bodies, bodies until the end of the connection, and none at all', async (t) => {
  let seen = 0;
  const url = await answering(t, (_request, response) => {
    seen += 1;
    if (seen % 3 === 0) response.writeHead(204).end();
    else if (seen % 3 === 1) {
      response.write('first');
      response.end('second');
    } else response.writeHead(200, { connection: 'close' }).end('whole');
  });
  const { statuses, errors } = await load({ url, requests: 300, concurrency: 7, timeoutSeconds: 10 });
  assert.deepEqual([statuses, errors], [{ 200: 200, 204: 100 }, {}]);
});

test('a truncated body is an error', async (t) => {
  const url = await answering(t, (_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half');
    setTimeout(() => response.destroy(), 1);
  });
  const { statuses, errors } = await load({ url, requests: 30, concurrency: 3, timeoutSeconds: 10 });
  assert.deepEqual([statuses, errors], [{}, { body: 30 }]);
});

test('a request that is not answered in time is a timeout, for each request separately', async (t) => {
  let seen = 0;
  const url = await answering(t, (_request, response) => {
    seen += 1;
    if (seen % 10 !== 0) setTimeout(() => response.end('slow, but in time'), 20);
  });
  await undisturbed(0.2, async () => {
    seen = 0;
    const { statuses, errors, seconds } = await load({ url, requests: 60, concurrency: 3, timeoutSeconds: 0.25 });
    assert.deepEqual([statuses, errors], [{ 200: 54 }, { timeout: 6 }]);
    assert.ok(seconds > 0.25, 'a connection may be older than its requests may take');
  });
});

test('refused connections and invalid HTTP are counted by their errors', async (t) => {
  const url = 'http://127.0.0.1:1/';
  assert.deepEqual((await load({ url, requests: 40, concurrency: 5, timeoutSeconds: 5 })).errors, { refused: 40 });
  const noise = await listening(
    t,
    createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n\r\n')),
  );
  const { statuses, errors } = await load({ url: noise, requests: 10, concurrency: 2, timeoutSeconds: 5 });
  assert.deepEqual([statuses, Object.values(errors).reduce((sum, count) => sum + count, 0)], [{}, 10]);
});

test('fewer requests than connections open no more connections than requests', async (t) => {
  let connections = 0;
  const server = createServer((_request, response) => response.end('welcome'));
  server.on('connection', () => {
    connections += 1;
  });
  const result = await load({ url: await listening(t, server), requests: 3, concurrency: 50, timeoutSeconds: 5 });
  assert.deepEqual([total(result), connections], [3, 3]);
});

test('a load that is called off rejects with the reason, and leaves no connection', async (t) => {
  const server = createServer(() => {});
  const url = await listening(t, server);
  const ending = new AbortController();
  const loading = load({ url, requests: 1000, concurrency: 20, timeoutSeconds: 60 }, ending.signal);
  await new Promise((resolve) => server.once('request', resolve));
  ending.abort(new Error('stopped by SIGINT'));
  await assert.rejects(loading, /stopped by SIGINT/);
  const open = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
  for (let tries = 0; tries < 100 && (await open()) > 0; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(await open(), 0);
  await assert.rejects(
    load({ url, requests: 1, concurrency: 1, timeoutSeconds: 1 }, ending.signal),
    /stopped by SIGINT/,
  );
});
