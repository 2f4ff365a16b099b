import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import { promisify } from 'node:util';
import fc from 'fast-check';
import type { LoadResult } from '../../../src/host/host.ts';
import { load } from '../../../src/host/load/load.ts';
import { certificateAuthority } from '../../support/certificates.ts';
import { needs } from '../../support/needs.ts';
import { type Behaviour, behaviours, scriptedServer } from '../../support/scripted-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { undisturbed } from '../../support/undisturbed.ts';

/** The server's port, until `end`. */
async function serve(server: Server, host = '127.0.0.1'): Promise<{ readonly port: number; readonly end: () => void }> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve));
  const end = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, end };
}

async function serving(t: TestContext, server: Server, host?: string): Promise<number> {
  const { port, end } = await serve(server, host);
  t.after(end);
  return port;
}

const counts = ({ statuses, errors }: Pick<LoadResult, 'statuses' | 'errors'>) => ({ statuses, errors });
const limits = { concurrency: 5, timeoutSeconds: 20 };

test('whatever a server does with its requests, the counts are its own', async () => {
  const script = fc.array(fc.constantFrom(...behaviours), { minLength: 1, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(script, fc.integer({ min: 1, max: 9 }), async (script, concurrency) => {
      const scripted = scriptedServer(script);
      const { port, end } = await serve(createServer(scripted.accept));
      try {
        const url = `http://127.0.0.1:${port}/`;
        const result = await load({ url, requests: script.length, concurrency, timeoutSeconds: 20 });
        assert.deepEqual(counts(result), scripted.made());
        assert.equal(scripted.seen(), script.length);
      } finally {
        end();
      }
    }),
    { numRuns: 60 },
  );
});

test('a request on a connection that the server closed without notice is not counted as answered', async (t) => {
  for (const ending of ['end', 'destroySoon'] as const) {
    let answered = 0;
    const server = createServer((socket) => {
      let left = 9;
      socket.on('error', () => {});
      socket.on('data', () => {
        left -= 1;
        if (left < 0) return;
        answered += 1;
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
        if (left === 0) socket[ending]();
      });
    });
    const url = `http://127.0.0.1:${await serving(t, server)}/`;
    const { statuses, errors } = await load({ url, requests: 400, ...limits });
    assert.deepEqual([statuses, errors], [{ 200: answered }, { closed: 400 - answered }]);
    // 400 requests are 40 of nine answers and a goodbye, but for those that each of the five lanes ends with.
    assert.ok(answered >= 360 && answered < 365, `${answered}`);
  }
});

test('a response that never comes is a timeout, and its connection is not reused', async (t) => {
  let seen = 0;
  const server = createServer((socket) => {
    let isHanging = false;
    socket.on('error', () => {});
    socket.on('data', () => {
      seen += 1;
      assert.ok(!isHanging, 'a request came after the one that hangs');
      isHanging = seen % 8 === 0;
      if (!isHanging) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    });
  });
  const url = `http://127.0.0.1:${await serving(t, server)}/`;
  await undisturbed(0.25, async () => {
    seen = 0;
    const { statuses, errors } = await load({ url, requests: 40, concurrency: 5, timeoutSeconds: 0.5 });
    assert.deepEqual([statuses, errors, seen], [{ 200: 35 }, { timeout: 5 }, 40]);
  });
});

test('a name that does not exist fails each request as dns', async () => {
  // A label of 64 letters (RFC 1035, section 2.3.4: at most 63) is no name, and needs no server to say so.
  const url = `http://${'x'.repeat(64)}.invalid/`;
  const { statuses, errors } = await load({ url, requests: 30, ...limits });
  assert.deepEqual([statuses, errors], [{}, { dns: 30 }]);
});

test('an IPv6 address works', async (t) => {
  const scripted = scriptedServer([]);
  const port = await serving(t, createServer(scripted.accept), '::1').catch(() => undefined);
  if (port === undefined) return t.skip('this machine has no IPv6');
  const { statuses, errors } = await load({ url: `http://[::1]:${port}/`, requests: 30, ...limits });
  assert.deepEqual([statuses, errors], [{ 200: 30 }, {}]);
});

test('over TLS the counts are the server’s own too, and a certificate that is not good is an error of each request', async (t) => {
  if (!needs(t, 'openssl')) return;
  const authority = certificateAuthority(temporaryFolder(t));
  const { cert, key } = authority.sign('127.0.0.1', 'IP:127.0.0.1');
  const script = Array.from(
    { length: 200 },
    (_, i): Behaviour => secureBehaviours[i % secureBehaviours.length] ?? 'good',
  );
  const scripted = scriptedServer(script);
  const credentials = { cert: readFileSync(cert), key: readFileSync(key) };
  const url = `https://127.0.0.1:${await serving(t, createTlsServer(credentials, scripted.accept))}/`;
  const program = `
    import { load } from ${JSON.stringify(join(import.meta.dirname, '../../../src/host/load/load.ts'))};
    const { statuses, errors } = await load({ url: '${url}', requests: 200, concurrency: 5, timeoutSeconds: 20 });
    console.log(JSON.stringify({ statuses, errors }));`;
  const printed = async (env: NodeJS.ProcessEnv) => {
    const words = ['--input-type=module', '-e', program];
    const { stdout } = await promisify(execFile)(process.execPath, words, { env: { ...process.env, ...env } });
    return JSON.parse(stdout);
  };
  assert.deepEqual(await printed({ NODE_EXTRA_CA_CERTS: authority.ca }), scripted.made());
  assert.equal(scripted.seen(), 200);
  assert.deepEqual(await printed({}), { statuses: {}, errors: { tls: 200 } });
});

/** A TLS socket of Node's cannot be reset. */
const secureBehaviours = behaviours.filter((behaviour) => behaviour !== 'reset');
