import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { secrets } from '../support/secrets.ts';
import { until } from './support/holdfast.ts';

const listener = fileURLToPath(new URL('../../packaging/webhook-listener.js', import.meta.url));
const secret: string = secrets.pushSecret;
const sign = (body: string, key = secret) => `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;

interface Listener {
  readonly url: string;
  readonly child: ChildProcess;
  readonly post: (body: string, signature: string) => Promise<number>;
  readonly runs: () => number;
  readonly said: () => string;
}

/** The command that it runs takes half a second, and tells what it sees of the secret. */
async function start(
  t: TestContext,
  environment: Readonly<Record<string, string>> = { HOLDFAST_WEBHOOK_SECRET: secret },
): Promise<Listener> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-listener-'));
  const ended = `trap 'echo ended >> ${folder}/runs; exit' TERM`;
  const command = `${ended}; echo "$HOLDFAST_WEBHOOK_SECRET$CREDENTIALS_DIRECTORY." >> ${folder}/runs; sleep 0.5 & wait`;
  const child = spawn(process.execPath, [listener, 'sh', '-c', command], {
    env: { PATH: process.env.PATH ?? '', HOLDFAST_WEBHOOK_PORT: '0', BRANCH: 'main', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  t.after(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await until(() => said.includes('listening'), 'the listener listens');
  const url = `http://127.0.0.1:${/:(\d+)/.exec(said)?.[1]}/`;
  const text = () => (existsSync(join(folder, 'runs')) ? readFileSync(join(folder, 'runs'), 'utf8') : '');
  return {
    url,
    child,
    said: () => said,
    post: (body, signature) => post(url, body, { 'x-hub-signature-256': signature }),
    runs: () => {
      assert.match(text(), /^(?:\.\n|ended\n)*$/, 'the command sees nothing of the secret');
      return text().split('\n').length - 1;
    },
  };
}

async function post(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return (await fetch(url, { method: 'POST', body, headers })).status;
}

const push = JSON.stringify({ ref: 'refs/heads/main' });

test('a signed push runs the command, without the secret; an unsigned or wrongly signed one does not', async (t) => {
  const { post, runs } = await start(t);
  for (const wrong of ['', 'sha256=', 'sha256=00', sign(push, 'another secret, long too')])
    assert.equal(await post(push, wrong), 403);
  assert.equal(await post(push, sign(`${push} `)), 403);
  assert.equal(runs(), 0);
  assert.equal(await post(push, sign(push)), 202);
  await until(() => runs() === 1, 'the command has run');
});

test('a push to another branch runs nothing', async (t) => {
  const { post, runs } = await start(t);
  const other = JSON.stringify({ ref: 'refs/heads/other' });
  assert.equal(await post(other, sign(other)), 200);
  assert.equal(await post('nonsense', sign('nonsense')), 200);
  assert.equal(runs(), 0);
});

test('however many pushes come while it runs, it runs once more', async (t) => {
  const { post, runs } = await start(t);
  await post(push, sign(push));
  await until(() => runs() === 1, 'the command runs');
  for (let count = 0; count < 10; count++) await post(push, sign(push));
  await until(() => runs() === 2, 'it runs once more');
  await new Promise((resolve) => setTimeout(resolve, 900));
  assert.equal(runs(), 2);
});

test('a form that holds the push, a signature of Gitea and a token of GitLab are understood; a wrong token is refused', async (t) => {
  const { url, runs } = await start(t);
  const form = new URLSearchParams({ payload: push }).toString();
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  assert.equal(await post(url, form, { ...type, 'x-hub-signature-256': sign(form) }), 202);
  await until(() => runs() === 1, 'the command has run');
  assert.equal(await post(url, push, { 'x-gitea-signature': sign(push).replace('sha256=', '') }), 202);
  assert.equal(await post(url, push, { 'x-gitlab-token': secret }), 202);
  for (const wrong of ['', 'a secret', `${secret} `, secret.toUpperCase()].map((token) => `x${token}`))
    assert.equal(await post(url, push, { 'x-gitlab-token': wrong, 'x-hub-signature-256': sign(push) }), 403);
});

test('a secret that is systemd’s credential; without one of enough length it does not start', async (t) => {
  const credentials = mkdtempSync(join(tmpdir(), 'holdfast-credentials-'));
  t.after(() => rmSync(credentials, { recursive: true }));
  writeFileSync(join(credentials, 'webhook-secret'), `${secret}\n`, { mode: 0o400 });
  const listening = await start(t, { CREDENTIALS_DIRECTORY: credentials });
  assert.equal(await listening.post(push, sign(push)), 202);
  await until(() => listening.runs() === 1, 'the command has run');
  for (const env of [{}, { HOLDFAST_WEBHOOK_SECRET: 'short' }, { CREDENTIALS_DIRECTORY: '/nowhere' }])
    assert.equal(spawnSync(process.execPath, [listener, 'true'], { env }).status, 2);
});

test('a request that is too large, truncated or no HTTP is refused, and the next push still runs', async (t) => {
  const { url, post: send, runs } = await start(t);
  const large = 'x'.repeat(6 * 1024 * 1024);
  assert.equal(await send(large, sign(large)).catch(() => 413), 413);
  for (const bytes of [
    'NONSENSE\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: x\r\nX-Hub-Signature-256: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n',
  ])
    assert.match(await exchange(url, bytes), /^HTTP\/1\.1 400 /);
  const cut = connect(Number(new URL(url).port), '127.0.0.1', () =>
    cut.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf', () => cut.resetAndDestroy()),
  );
  assert.equal((await fetch(url)).status, 405);
  assert.equal(runs(), 0);
  assert.equal(await send(push, sign(push)), 202);
  await until(() => runs() === 1, 'the command has run');
});

test('150 requests that nobody signed take neither memory nor the place of a push', async (t) => {
  const { url, post: send, child, runs } = await start(t);
  const port = Number(new URL(url).port);
  const resident = (): number =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;
  const before = resident();
  const body = Buffer.alloc(5 * 1024 * 1024 - 1);
  const head = (signature: string): string =>
    `POST / HTTP/1.1\r\nHost: x\r\n${signature}Content-Length: ${body.length + 1}\r\n\r\n`;
  const sockets = Array.from({ length: 150 }, (_, index) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined).on('data', () => undefined);
    socket.write(head(index % 2 === 0 ? '' : 'X-Hub-Signature-256: sha256=00\r\n'));
    socket.write(body);
    return socket;
  });
  t.after(() => sockets.map((socket) => socket.destroy()));
  await until(() => sockets.filter(({ bytesRead, destroyed }) => bytesRead > 0 || destroyed).length > 100, 'answers');
  assert.ok(resident() - before < 200, `${resident() - before} MiB more`);
  for (const socket of sockets) socket.destroy();
  let taken = 0;
  for (let attempt = 0; taken !== 202 && attempt < 50; attempt++) taken = await send(push, sign(push)).catch(() => 0);
  assert.equal(taken, 202, 'a push is taken');
  await until(() => runs() > 0, 'the command has run');
});

test('a request whose body drips is cut off after 10 s with a 408', async (t) => {
  const { url, runs } = await start(t);
  const startedAt = performance.now();
  const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nX-Hub-Signature-256: x\r\nContent-Length: 1000\r\n\r\n'),
  );
  const drip = setInterval(() => socket.write('x'), 200);
  t.after(() => clearInterval(drip));
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  await new Promise((resolve) => socket.on('error', resolve).on('close', resolve));
  const seconds = (performance.now() - startedAt) / 1000;
  assert.ok(seconds > 9 && seconds < 13, `cut off after ${seconds} s`);
  assert.match(answer, /^HTTP\/1\.1 408 /);
  assert.equal(runs(), 0);
});

test('an answer does not wait for the command, and a command that cannot be started stops nothing', async (t) => {
  const { post: send, runs } = await start(t);
  const startedAt = performance.now();
  await send(push, sign(push));
  await until(() => runs() === 1, 'the command runs');
  assert.equal(await send(push, sign(push)), 202);
  assert.ok(performance.now() - startedAt < 10_000);
  const nowhere = await start(t, { HOLDFAST_WEBHOOK_SECRET: secret, PATH: '/nowhere' });
  for (let count = 1; count <= 2; count++) {
    assert.equal(await nowhere.post(push, sign(push)), 202);
    await until(() => nowhere.said().split('ENOENT').length - 1 === count, 'it says that there is no such command');
  }
});

test('a listener that is stopped tells the command to stop, and ends after it', async (t) => {
  const { child, post: send, runs } = await start(t);
  await send(push, sign(push));
  await until(() => runs() === 1, 'the command runs');
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  assert.equal(await ended, 0);
  assert.equal(runs(), 2, 'the command has said that it ended');
});

function exchange(url: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}
