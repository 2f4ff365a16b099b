import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { type TestContext, test } from 'node:test';
import type { DataPlane, Exchange } from '../../../src/rehearsal/data-plane/data-plane.ts';
import type { Connection } from '../../../src/rehearsal/data-plane/dial.ts';
import { serveApplication } from '../../../src/rehearsal/listen/application-endpoint.ts';

const connection = { container: { id: 'container-1' } } as Connection;
const page: Exchange = { response: { status: 200, body: 'Wëlcome' }, connection, seconds: 0, phases: {} };

/** A way that answers in turn, and remembers what it was asked. */
async function served(t: TestContext, exchanges: readonly Exchange[]) {
  const asked: { readonly url: string; readonly kept: Connection | undefined }[] = [];
  const get: DataPlane['get'] = async (url, { kept }) => {
    asked.push({ url: url.href, kept });
    return exchanges[asked.length - 1] ?? page;
  };
  const endpoint = await serveApplication({ get });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => {
    agent.destroy();
    endpoint.close();
  });
  const ask = async (method = 'GET'): Promise<{ readonly response: IncomingMessage; readonly body: string }> => {
    const headers = { host: 'app.example.com:8080' };
    const sent = request({ agent, method, port: endpoint.port, path: '/a?b=c', headers }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const pieces = await Array.fromAsync(response as AsyncIterable<Buffer>);
    return { response, body: Buffer.concat(pieces).toString('utf8') };
  };
  return { asked, ask };
}

test('a connection that is kept goes on over its own flow, to the Host that it names at the load balancer’s port', async (t) => {
  const { asked, ask } = await served(t, []);
  assert.equal((await ask()).body, 'Wëlcome');
  await ask();
  const url = 'http://app.example.com/a?b=c';
  assert.deepEqual(asked, [
    { url, kept: undefined },
    { url, kept: connection },
  ]);
});

test('a connection whose flow has ended is closed after its answer, and the next one begins anew', async (t) => {
  const { connection: _, ...ending } = page;
  const { asked, ask } = await served(t, [page, ending]);
  await ask();
  assert.equal((await ask()).response.headers.connection, 'close');
  await ask();
  assert.deepEqual(
    asked.map(({ kept }) => kept),
    [undefined, connection, undefined],
  );
});

test('where nothing comes back the connection is reset', async (t) => {
  const { ask } = await served(t, [{ error: 'refused', seconds: 0, phases: {} }]);
  await assert.rejects(ask(), { code: 'ECONNRESET' });
});

test('what would change a file is refused, as nginx does', async (t) => {
  const { asked, ask } = await served(t, []);
  const { response, body } = await ask('POST');
  assert.equal(response.statusCode, 405);
  assert.match(body, /<h1>405 /);
  assert.deepEqual(asked, []);
});
