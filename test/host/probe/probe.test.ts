import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Sample } from '../../../src/host/host.ts';
import { prober } from '../../../src/host/probe/probe.ts';
import { certificateAuthority } from '../../support/certificates.ts';
import { answering, connecting, listening } from '../../support/loopback-server.ts';
import { needs } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const probe = prober();
const source = `${import.meta.dirname}/../../../src/host/probe/probe.ts`;

/** The output of another process that runs the script, which may use `probe`; the script has to end by itself. */
async function printed(script: string, env: NodeJS.ProcessEnv = {}, limits = 'true'): Promise<string> {
  const module = `import { prober } from '${source}'; const probe = prober(); ${script}`;
  const command = ['-c', `${limits}; exec "$0" --input-type=module -e "$1"`, process.execPath, module];
  return (await promisify(execFile)('sh', command, { env: { ...process.env, ...env }, timeout: 60_000 })).stdout;
}

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

test('an unreachable address is a connection error', async (t) => {
  const sample = await probe({ url: 'http://[::ffff:255.255.255.255]:9/' }, 'new', 0.5);
  if (sample.error === 'connect-timeout') return t.skip('this machine drops the packet');
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
  const unknown = { status: 0, error: 'tls', reason: 'authority', connection: 'new', phases: ['dns', 'connect'] };
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
