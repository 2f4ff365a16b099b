import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createConnection, createServer as createTcpServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { deploy } from '../../src/deployment/deploy.ts';
import { needs, whereIs } from '../support/needs.ts';
import { quietHost } from './support/quiet-host.ts';
import { buildSite, type Site } from './support/site.ts';

async function deploysOver(site: Site, address: string): Promise<void> {
  site.git(site.app, 'remote', 'set-url', 'origin', address);
  const commit = site.push({ page: 'two' });
  const document = await deploy(quietHost(), site.settings());
  assert.equal(document.state, 'verified', site.log());
  assert.equal(document.newCommit, commit);
}

test('git over a file:// address', async (t) => {
  const site = await buildSite(t);
  await deploysOver(site, `file://${site.remote}`);
});

test('git over http, with git’s own http-backend and a password', async (t) => {
  const site = await buildSite(t);
  const address = await serveHttp(t, site.folder);
  await deploysOver(site, `${address.replace('http://', 'http://deployer:correct-horse@')}/origin.git`);
  assert.doesNotMatch(site.log(), /correct-horse/);
  site.git(
    site.app,
    'remote',
    'set-url',
    'origin',
    `${address.replace('http://', 'http://deployer:wrong-battery@')}/origin.git`,
  );
  assert.equal((await deploy(quietHost(), site.settings())).exitCode, 1);
  assert.doesNotMatch(site.log(), /wrong-battery/);
});

test('git over ssh, with an sshd of its own; an unknown host key is refused', async (t) => {
  if (!needs(t, 'sshd') || !needs(t, 'ssh-keygen')) return;
  const site = await buildSite(t);
  const { port, key, knownHosts } = await startSshd(t, site.folder);
  const ssh = (hosts: string) =>
    `ssh -F /dev/null -i ${key} -o IdentitiesOnly=yes -o UserKnownHostsFile=${hosts} -o StrictHostKeyChecking=yes`;
  site.git(site.app, 'config', 'core.sshCommand', ssh(knownHosts));
  const address = `ssh://${userInfo().username}@127.0.0.1:${port}${site.remote}`;
  await deploysOver(site, address);
  site.git(site.app, 'config', 'core.sshCommand', ssh('/dev/null'));
  assert.equal((await deploy(quietHost(), site.settings())).exitCode, 1);
  assert.match(site.log(), /^ {2}.*Host key verification failed/m);
});

async function serveHttp(t: TestContext, root: string): Promise<string> {
  const server = createServer((request, response) => {
    const expected = `Basic ${Buffer.from('deployer:correct-horse').toString('base64')}`;
    if (request.headers.authorization !== expected) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    const { pathname, search } = new URL(request.url ?? '', 'http://x');
    const backend = spawn('git', ['http-backend'], {
      env: {
        ...{ PATH: process.env.PATH ?? '', GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: '1', GIT_CONFIG_COUNT: '1' },
        ...{ GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*', REQUEST_METHOD: request.method ?? '' },
        ...{ PATH_INFO: pathname, QUERY_STRING: search.slice(1), CONTENT_TYPE: request.headers['content-type'] ?? '' },
        HTTP_CONTENT_ENCODING: String(request.headers['content-encoding'] ?? ''),
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        REMOTE_USER: 'deployer',
      },
    });
    request.pipe(backend.stdin);
    const chunks: Buffer[] = [];
    backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    backend.on('close', () => {
      const answer = Buffer.concat(chunks);
      const end = answer.indexOf('\r\n\r\n');
      const lines = answer.subarray(0, end).toString().split('\r\n');
      const headers = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]));
      const { Status: status = '200', ...rest } = headers;
      response.writeHead(Number.parseInt(status, 10), rest).end(answer.subarray(end + 4));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function startSshd(t: TestContext, folder: string): Promise<{ port: number; key: string; knownHosts: string }> {
  const inFolder = (name: string) => join(folder, name);
  for (const name of ['host-key', 'user-key'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', inFolder(name)]);
  copyFileSync(inFolder('user-key.pub'), inFolder('authorized'));
  chmodSync(inFolder('authorized'), 0o600);
  const port = await freePort();
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true });
  writeFileSync(
    inFolder('sshd_config'),
    `Port ${port}\nListenAddress 127.0.0.1\nHostKey ${inFolder('host-key')}\nAuthorizedKeysFile ${inFolder('authorized')}\nStrictModes no\nPasswordAuthentication no\nUsePAM no\nPermitRootLogin prohibit-password\nPidFile none\n`,
  );
  const sshd = spawn(whereIs('sshd') ?? '', ['-D', '-f', inFolder('sshd_config'), '-E', inFolder('sshd.log')], {
    stdio: 'ignore',
  });
  t.after(() => sshd.kill());
  const hostKey = readFileSync(inFolder('host-key.pub'), 'utf8').split(' ').slice(0, 2).join(' ');
  writeFileSync(inFolder('known-hosts'), `[127.0.0.1]:${port} ${hostKey}\n`);
  await listening(port);
  return { port, key: inFolder('user-key'), knownHosts: inFolder('known-hosts') };
}

async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = createConnection(port, '127.0.0.1', () => resolve(true));
      socket.on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

async function freePort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
