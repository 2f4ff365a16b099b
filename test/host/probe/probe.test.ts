import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import type { Sample } from '../../../src/host/host.ts';
import { prober } from '../../../src/host/probe/probe.ts';
import { certificateAuthority } from '../../support/certificates.ts';
import { needs } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { undisturbed } from '../../support/undisturbed.ts';

const probe = prober();
const source = `${import.meta.dirname}/../../../src/host/probe/probe.ts`;

/** The output of another process that runs the script, which may use `probe`; the script has to end by itself. */
async function printed(script: string, env: NodeJS.ProcessEnv = {}, limits = 'true'): Promise<string> {
  const module = `import { prober } from '${source}'; const probe = prober(); ${script}`;
  const command = ['-c', `${limits}; exec "$0" --input-type=module -e "$1"`, process.execPath, module];
  return (await promisify(execFile)('sh', command, { env: { ...process.env, ...env }, timeout: 60_000 })).stdout;
}

async function listening(t: TestContext, server: Server, host = '127.0.0.1'): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://${host === '::1' ? '[::1]' : host}:${(server.address() as AddressInfo).port}/`;
}

const answering = (t: TestContext, listener: RequestListener) => listening(t, createHttpServer(listener));
/** A server that calls the listener with each connection. */
const connecting = (t: TestContext, listener: (socket: Socket) => void) => listening(t, createServer(listener));

/** The sample without what differs from run to run. */
function essence({ at: _, seconds: _s, phases, ...sample }: Sample) {
  return { ...sample, phases: Object.keys(phases) };
}

test('a good probe has a status, the time of its start, and says where the time went', async (t) => {
  let askedAt = 0;
  const url = await answering(t, (_, response) => {
    askedAt = Date.now();
    setTimeout(() => response.end('Welcome to nginx!'), 30);
  });
  const before = Date.now();
  const sample = await probe({ url, body: 'Welcome to nginx!' }, 'new', 5);
  assert.deepEqual(essence(sample), {
    status: 200,
    connection: 'new',
    bodyMatched: true,
    phases: ['connect', 'firstByte'],
  });
  assert.ok(sample.at >= before && sample.at <= askedAt, 'the time is that of the start');
  assert.ok((sample.phases.firstByte ?? 0) >= 0.028 && sample.seconds >= (sample.phases.firstByte ?? 0));
});

test('the request is a plain GET that asks for nothing more on the connection', async (t) => {
  const requests: object[] = [];
  const url = await answering(t, ({ method, url: path, headers }, response) => {
    requests.push({ method, path, ...headers });
    response.end();
  });
  await probe({ url: `${url}a%20b?c=d#e` }, 'new', 5);
  const host = new URL(url).host;
  assert.deepEqual(requests, [
    { method: 'GET', path: '/a%20b?c=d', host, 'user-agent': 'holdfast', accept: '*/*', connection: 'close' },
  ]);
});

test('a body is read to its end before the sample ends', async (t) => {
  const url = await answering(t, (_, response) => {
    response.write('<h1>Welcome');
    setTimeout(() => response.end(' to nginx!</h1>'), 50);
  });
  const sample = await probe({ url, body: 'Welcome to nginx!' }, 'new', 5);
  assert.equal(sample.bodyMatched, true);
  assert.ok(sample.seconds >= 0.048);
});

test('a sample says if the page does not begin with the welcome line, and a redirect is not followed', async (t) => {
  const url = await answering(t, (request, response) => {
    if (request.url === '/') response.writeHead(302, { location: '/there' }).end('Moved');
    else response.end('Welcome to nginx!');
  });
  const sample = await probe({ url, body: 'Welcome' }, 'new', 5);
  assert.deepEqual([sample.status, sample.bodyMatched, sample.error], [302, false, undefined]);
});

test('every failure has its kind', async (t) => {
  const kinds: Readonly<Record<string, readonly [url: string, status: number]>> = {
    refused: ['http://127.0.0.1:1/', 0],
    reset: [await connecting(t, (socket) => socket.resetAndDestroy()), 0],
    'reset, without a word': [await connecting(t, (socket) => socket.end()), 0],
    timeout: [await connecting(t, () => {}), 0],
    'timeout, after the head': [await connecting(t, (socket) => socket.write(cut)), 200],
    body: [await connecting(t, (socket) => socket.end(cut)), 200],
    'body, not HTTP': [await connecting(t, (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')), 0],
    // A label of 64 letters (RFC 1035, section 2.3.4: at most 63) is no name, and needs no server to say so.
    dns: [`http://${'x'.repeat(64)}.invalid/`, 0],
    tls: [(await connecting(t, (socket) => socket.end('no TLS'))).replace('http:', 'https:'), 0],
  };
  for (const [kind, [url, status]] of Object.entries(kinds)) {
    const [error] = kind.split(',');
    const failsIn = async (timeoutSeconds: number): Promise<number> => {
      const sample = await probe({ url }, 'new', timeoutSeconds);
      const outcome = { error: sample.error, status: sample.status, bodyMatched: sample.bodyMatched };
      assert.deepEqual(outcome, { error, status, bodyMatched: undefined }, kind);
      return sample.seconds;
    };
    if (error === 'timeout') await undisturbed(0.2, async () => assertLasted(await failsIn(0.4)));
    else await failsIn(20);
  }
});

const assertLasted = (seconds: number): void => assert.ok(seconds >= 0.39 && seconds < 1, `${seconds} s`);

const cut = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort';

test('an unreachable address is a connection error', async (t) => {
  const sample = await probe({ url: 'http://[::ffff:255.255.255.255]:9/' }, 'new', 0.5);
  if (sample.error === 'timeout') return t.skip('this machine drops the packet');
  assert.equal(sample.error, 'connect');
});

test('no probe is retried', async (t) => {
  let connections = 0;
  const url = await connecting(t, (socket) => {
    connections += 1;
    socket.once('data', () => socket.resetAndDestroy());
  });
  for (const use of ['new', 'reused'] as const) assert.equal((await probe({ url }, use, 5)).error, 'reset');
  assert.equal(connections, 2);
});

test('a new connection each time, or one that is kept', async (t) => {
  let connections = 0;
  const server = createHttpServer((_, response) => response.end('ok'));
  server.on('connection', () => {
    connections += 1;
  });
  const url = await listening(t, server);
  for (let i = 0; i < 3; i++) await probe({ url }, 'new', 5);
  assert.equal(connections, 3);
  const reused = [];
  for (let i = 0; i < 3; i++) reused.push(await probe({ url }, 'reused', 5));
  assert.equal(connections, 4);
  assert.deepEqual(
    reused.map(({ connection, phases }) => [connection, Object.keys(phases)]),
    [
      ['reused', ['connect', 'firstByte']],
      ['reused', ['firstByte']],
      ['reused', ['firstByte']],
    ],
  );
});

test('a kept connection that the server closed is replaced before the request is sent', async (t) => {
  const sockets: Socket[] = [];
  const server = createHttpServer((_, response) => response.end('ok'));
  server.on('connection', (socket) => sockets.push(socket));
  const url = await listening(t, server);
  await probe({ url }, 'reused', 5);
  const closed = new Promise((resolve) => sockets[0]?.once('close', resolve));
  sockets[0]?.end();
  await closed;
  assert.equal((await probe({ url }, 'reused', 5)).status, 200);
  assert.equal(sockets.length, 2);
});

test('a probe opens another connection while the kept one is busy', async (t) => {
  const answers: (() => void)[] = [];
  const url = await answering(t, (_, response) => answers.push(() => response.end('ok')));
  const slow = probe({ url }, 'reused', 5);
  const next = probe({ url }, 'reused', 5);
  while (answers.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  for (const answer of answers) answer();
  assert.deepEqual([(await slow).status, (await next).status], [200, 200]);
});

test('a kept connection does not keep the process alive', async (t) => {
  const server = createHttpServer((_, response) => response.end('ok'));
  server.keepAliveTimeout = 60_000;
  const url = await listening(t, server);
  const output = await printed(`console.log((await probe({ url: '${url}' }, 'reused', 5)).status)`);
  assert.equal(output, '200\n');
});

test('a name is probed at the first address of the system, also if that is IPv6', async (t) => {
  const ok = createHttpServer((_, response) => response.end('ok'));
  const named = await probe({ url: await listening(t, ok, 'localhost') }, 'new', 5);
  assert.deepEqual(essence(named), { status: 200, connection: 'new', phases: ['dns', 'connect', 'firstByte'] });
  const six = await listening(
    t,
    createHttpServer((_, response) => response.end('ok')),
    '::1',
  ).catch(() => undefined);
  if (six === undefined) return t.skip('this machine has no IPv6');
  assert.equal((await probe({ url: six }, 'new', 5)).status, 200);
});

test('a certificate is verified, and the time of the handshake is reported', async (t) => {
  if (!needs(t, 'openssl')) return;
  const authority = certificateAuthority(temporaryFolder(t));
  const { cert, key } = authority.sign('localhost', 'DNS:localhost');
  const credentials = { key: readFileSync(key), cert: readFileSync(cert) };
  const server = createHttpsServer(credentials, (_, response) => response.end('ok'));
  const url = (await listening(t, server, 'localhost')).replace('http:', 'https:');
  const address = (server.address() as AddressInfo).address.replace(/^::1$/, '[::1]');
  const unknown = { status: 0, error: 'tls', connection: 'new', phases: ['dns', 'connect'] };
  assert.deepEqual(essence(await probe({ url }, 'new', 5)), unknown);
  const script = `
    for (const use of ['new', 'reused', 'reused']) {
      const { status, error, phases } = await probe({ url: '${url}' }, use, 5);
      console.log(status, error, Object.keys(phases).join());
    }
    console.log((await probe({ url: '${url.replace('localhost', address)}' }, 'new', 5)).error);`;
  const output = await printed(script, { NODE_EXTRA_CA_CERTS: authority.ca });
  const opened = '200 undefined dns,connect,tls,firstByte\n';
  assert.equal(output, `${opened}${opened}200 undefined firstByte\ntls\n`);
});

test('a probe that this machine cannot make rejects: it says nothing about the target, nor about its name', async (t) => {
  for (const host of ['127.0.0.1', 'localhost']) {
    const server = createHttpServer((_, response) => response.end('ok'));
    const url = await listening(t, server, host);
    const script = `
      import { openSync } from 'node:fs';
      console.log((await probe({ url: '${url}' }, 'new', 5)).status);
      try { for (;;) openSync('/dev/null'); } catch {}
      console.log(await probe({ url: '${url}' }, 'new', 5).catch((error) => error.message));`;
    const output = await printed(script, {}, 'ulimit -n 64');
    assert.match(output, /^200\nConnecting to (?:127\.0\.0\.1|localhost):\d+: this machine could not \(EMFILE\)\n$/);
  }
});
