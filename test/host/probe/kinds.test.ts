import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { prober } from '../../../src/host/probe/probe.ts';
import { certificateAuthority } from '../../support/certificates.ts';
import { answering, connecting, listening } from '../../support/loopback-server.ts';
import { needs } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { undisturbed } from '../../support/undisturbed.ts';

const probe = prober();
const cut = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort';

interface Failing {
  readonly url: string;
  /** 0 where none was read. */
  readonly status?: number;
  /** The exit status of curl for the same. */
  readonly curl: number;
}

/** A server for each way to fail, by the kind of failure and what tells it from another of that kind. */
async function failing(t: TestContext): Promise<Readonly<Record<string, Failing>>> {
  const speaking = async (words: string, secure = false) =>
    (await connecting(t, (socket) => socket.end(words))).replace('http:', secure ? 'https:' : 'http:');
  return {
    // A label of 64 letters (RFC 1035, section 2.3.4: at most 63) is no name, and needs no server to say so.
    dns: { url: `http://${'x'.repeat(64)}.invalid/`, curl: 6 },
    refused: { url: 'http://127.0.0.1:1/', curl: 7 },
    'connect-timeout': { url: await fullListener(t), curl: 28 },
    'tls, not spoken': { url: await speaking('HTTP/1.1 400 Bad Request\r\n\r\n', true), curl: 35 },
    reset: { url: await connecting(t, (socket) => socket.once('data', () => socket.resetAndDestroy())), curl: 56 },
    'reset, without a word': {
      url: await connecting(t, (socket) => socket.once('data', () => socket.end())),
      curl: 52,
    },
    protocol: { url: await speaking('SSH-2.0-OpenSSH_9.2\r\n'), curl: 1 },
    timeout: { url: await connecting(t, () => {}), curl: 28 },
    'timeout, of the handshake': { url: (await connecting(t, () => {})).replace('http:', 'https:'), curl: 28 },
    'timeout, after the head': { url: await connecting(t, (socket) => socket.write(cut)), status: 200, curl: 28 },
    body: { url: await connecting(t, (socket) => socket.once('data', () => socket.end(cut))), status: 200, curl: 18 },
    'tls, nobody signed it': { url: secured(await tlsServer(t, 'self')), curl: 60 },
    'tls, expired': { url: secured(await tlsServer(t, 'expired')), curl: 60 },
  };
}

const secured = (url: string): string => url.replace('http:', 'https:');

async function tlsServer(t: TestContext, which: 'self' | 'expired'): Promise<string> {
  const authority = certificateAuthority(temporaryFolder(t));
  const { cert, key } = authority.sign('loopback', 'IP:127.0.0.1', which === 'expired' ? { isExpired: true } : {});
  const server = createHttpsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) =>
    response.end('ok'),
  );
  return listening(t, server);
}

/** A listener that accepts no connection, with as many in its queue as it takes: Linux drops every further SYN. */
async function fullListener(t: TestContext): Promise<string> {
  const listen = `require('net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () { console.log(this.address().port) })`;
  const child = spawn(process.execPath, ['-e', listen], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const port = await new Promise<number>((resolve) => child.stdout.once('data', (text) => resolve(Number(text))));
  child.kill('SIGSTOP');
  while (!/^State:\s+T/m.test(readFileSync(`/proc/${child.pid}/status`, 'utf8')))
    await new Promise((resolve) => setTimeout(resolve, 5));
  for (let queued = 0; queued < 2; queued++) {
    const socket = connect(port, '127.0.0.1');
    t.after(() => socket.destroy());
    await new Promise((resolve) => socket.once('connect', resolve));
  }
  return `http://127.0.0.1:${port}/`;
}

test('every failure has its kind', async (t) => {
  if (!needs(t, 'openssl')) return;
  for (const [name, { url, status = 0 }] of Object.entries(await failing(t))) {
    const [error = ''] = name.split(',');
    const failsIn = async (timeoutSeconds: number): Promise<number> => {
      const sample = await probe({ url }, 'new', timeoutSeconds);
      const outcome = { error: sample.error, status: sample.status, bodyMatched: sample.bodyMatched };
      assert.deepEqual(outcome, { error, status, bodyMatched: undefined }, name);
      return sample.seconds;
    };
    if (error.endsWith('timeout')) await undisturbed(0.2, async () => assertLasted(await failsIn(0.4)));
    else await failsIn(20);
  }
});

const assertLasted = (seconds: number): void => assert.ok(seconds >= 0.39 && seconds < 1, `${seconds} s`);

test('curl fails at each of them too, and says the same status', async (t) => {
  if (!needs(t, 'openssl') || !needs(t, 'curl')) return;
  const asked = Object.entries(await failing(t)).map(async ([name, { url, status = 0, curl }]) => {
    const limit = curl === 28 ? '3' : '20';
    const words = ['-q', '-s', '-o', '/dev/null', '-w', '%{http_code}', '--max-time', limit, url];
    const answer = await new Promise((resolve) =>
      execFile('curl', words, { env: { PATH: process.env.PATH } }, (error, out) => resolve([error?.code ?? 0, out])),
    );
    assert.deepEqual(answer, [curl, String(status).padStart(3, '0')], name);
  });
  await Promise.all(asked);
});

test('a status is no failure of the connection', async (t) => {
  const url = await answering(t, (_, response) => response.writeHead(503).end());
  const { status, error } = await probe({ url }, 'new', 5);
  assert.deepEqual([status, error], [503, undefined]);
});
