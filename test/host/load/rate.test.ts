import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { load } from '../../../src/host/load/load.ts';

async function answering(t: TestContext, listener: RequestListener, keepAliveTimeout = 5000): Promise<string> {
  const server = createServer({ keepAliveTimeout }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
const every = (perSecond: number) => ({ perSecond, first: 0, every: 1 });

test('requests of a rate are sent when they are due, however fast they are answered', async (t) => {
  const arrivedAt: number[] = [];
  const url = await answering(t, (_request, response) => {
    arrivedAt.push(performance.now());
    response.end('welcome');
  });
  const begun = performance.now();
  const { statuses, unsent } = await load({ url, requests: 50, concurrency: 4, timeoutSeconds: 10, rate: every(100) });
  assert.deepEqual([statuses, unsent], [{ 200: 50 }, undefined]);
  // Not one of them comes before it is due; timers of Node may be a millisecond early.
  arrivedAt.forEach((at, number) => void assert.ok(at - begun >= 10 * number - 2, `request ${number}`));
});

test('a connection that the server closes between two requests of a rate costs none of them', async (t) => {
  let seen = 0;
  const url = await answering(t, (request, response) => {
    seen += 1;
    response.end('welcome', () => request.socket.destroy());
  });
  // So slow that a request of a busy machine is not due before the end of the connection is seen.
  const plan = { url, requests: 5, concurrency: 1, timeoutSeconds: 10, rate: every(4) };
  const { statuses, errors, unsent } = await load(plan);
  assert.deepEqual([statuses, errors, unsent, seen], [{ 200: 5 }, {}, undefined, 5]);
});

test('a rate that the connections cannot keep leaves requests that are not sent, and none of them is counted as fine', async (t) => {
  const url = await answering(t, (_request, response) => setTimeout(() => response.end('welcome'), 400));
  const plan = { url, requests: 60, concurrency: 2, timeoutSeconds: 10, rate: every(1000) };
  const { statuses, unsent = 0 } = await load(plan);
  assert.deepEqual(Object.keys(statuses), ['200']);
  assert.ok(unsent > 40 && unsent < 60, `${unsent}`);
  assert.equal((statuses[200] ?? 0) + unsent, 60);
});

test('the time of a request of a rate counts from when it was due, that of others from when it was sent', async (t) => {
  let first = true;
  const url = await answering(t, (_request, response) => {
    const waitMs = first ? 500 : 0;
    first = false;
    setTimeout(() => response.end('welcome'), waitMs);
  });
  const plan = { url, requests: 20, concurrency: 1, timeoutSeconds: 10 };
  const { percentiles } = await load({ ...plan, rate: every(40) });
  // Due in the first half of a second, of which the server was silent.
  assert.ok(percentiles.p50 >= 0.2, JSON.stringify(percentiles));
  first = true;
  assert.ok((await load(plan)).percentiles.p50 < 0.2);
});

test('a load that is ended early has the counts until then, and the rest is not sent', async (t) => {
  const ended = new AbortController();
  let seen = 0;
  const url = await answering(t, (_request, response) => {
    seen += 1;
    if (seen === 30) ended.abort();
    else response.end('welcome');
  });
  const counted = await load({ url, requests: 100, concurrency: 3, timeoutSeconds: 10 }, undefined, ended.signal);
  assert.deepEqual(counted.errors, {});
  assert.equal((counted.statuses[200] ?? 0) + (counted.unsent ?? 0), 100);
  assert.ok((counted.statuses[200] ?? 0) < 30);
});

test('a load that is to end before it begins sends nothing', async (t) => {
  let seen = 0;
  const url = await answering(t, (_request, response) => {
    seen += 1;
    response.end('welcome');
  });
  const plan = { url, requests: 10, concurrency: 2, timeoutSeconds: 10 };
  const { statuses, unsent } = await load(plan, undefined, AbortSignal.abort());
  assert.deepEqual([statuses, unsent, seen], [{}, 10, 0]);
});

test('a connection that waits for longer than the time limit of a request is kept', async (t) => {
  const connections = new Set<object>();
  const url = await answering(t, (request, response) => {
    connections.add(request.socket);
    response.end('welcome');
  });
  const { statuses } = await load({ url, requests: 4, concurrency: 1, timeoutSeconds: 0.1, rate: every(5) });
  assert.deepEqual([statuses, connections.size], [{ 200: 4 }, 1]);
});
