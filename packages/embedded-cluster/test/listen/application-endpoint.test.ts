import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { type TestContext, test } from 'node:test';
import type { DataPlane, Exchange } from '../../src/data-plane/data-plane.ts';
import type { Connection } from '../../src/data-plane/dial.ts';
import { serveApplication } from '../../src/listen/application-endpoint.ts';

const connection = { container: { id: 'container-1' } } as Connection;
const page: Exchange = { response: { status: 200, body: 'Wëlcome' }, connection, seconds: 0, phases: {} };

/** An endpoint whose data plane gives these answers in turn and records the requests. */
async function served(t: TestContext, exchanges: readonly Exchange[]) {
  const requests: { readonly url: string; readonly kept: Connection | undefined }[] = [];
  const get: DataPlane['get'] = async (url, { kept }) => {
    requests.push({ url: url.href, kept });
    return exchanges[requests.length - 1] ?? page;
  };
  const endpoint = await serveApplication({ get });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => {
    agent.destroy();
    endpoint.close();
  });
  const send = async (method = 'GET'): Promise<{ readonly response: IncomingMessage; readonly body: string }> => {
    const headers = { host: 'app.example.com:8080' };
    const sent = request({ agent, method, port: endpoint.port, path: '/a?b=c', headers }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const pieces = await Array.fromAsync(response as AsyncIterable<Buffer>);
    return { response, body: Buffer.concat(pieces).toString('utf8') };
  };
  return { requests, send };
}

test('requests of one connection use one flow, to the Host header at the port of the load balancer', async (t) => {
  const { requests, send } = await served(t, []);
  assert.equal((await send()).body, 'Wëlcome');
  await send();
  const url = 'http://app.example.com/a?b=c';
  assert.deepEqual(requests, [
    { url, kept: undefined },
    { url, kept: connection },
  ]);
});

test('a connection whose flow has ended is closed after the response, and the next one has a new flow', async (t) => {
  const { connection: _, ...ending } = page;
  const { requests, send } = await served(t, [page, ending]);
  await send();
  assert.equal((await send()).response.headers.connection, 'close');
  await send();
  assert.deepEqual(
    requests.map(({ kept }) => kept),
    [undefined, connection, undefined],
  );
});

test('a request without a response resets the connection', async (t) => {
  const { send } = await served(t, [{ error: 'refused', seconds: 0, phases: {} }]);
  await assert.rejects(send(), { code: 'ECONNRESET' });
});

test('a method other than GET and HEAD is refused with 405, as nginx does for files', async (t) => {
  const { requests, send } = await served(t, []);
  const { response, body } = await send('POST');
  assert.equal(response.statusCode, 405);
  assert.match(body, /<h1>405 /);
  assert.deepEqual(requests, []);
});
