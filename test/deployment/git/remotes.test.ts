import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { userInfo } from 'node:os';
import { type TestContext, test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { needs } from '../../support/needs.ts';
import { secrets } from '../../support/secrets.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite, type Site } from '../support/site.ts';
import { startSshd } from '../support/sshd.ts';

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
  await deploysOver(site, `${address.replace('http://', `http://deployer:${secrets.gitPassword}@`)}/origin.git`);
  assert.doesNotMatch(site.log(), new RegExp(secrets.gitPassword));
  site.git(
    site.app,
    'remote',
    'set-url',
    'origin',
    `${address.replace('http://', `http://deployer:${secrets.wrongGitPassword}@`)}/origin.git`,
  );
  assert.equal((await deploy(quietHost(), site.settings())).exitCode, 1);
  assert.doesNotMatch(site.log(), new RegExp(secrets.wrongGitPassword));
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
    const expected = `Basic ${Buffer.from(`deployer:${secrets.gitPassword}`).toString('base64')}`;
    if (request.headers.authorization !== expected) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    const { pathname, search } = new URL(request.url ?? '', 'http://x');
    const backend = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env.PATH ?? '',
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'safe.directory',
        GIT_CONFIG_VALUE_0: '*',
        REQUEST_METHOD: request.method ?? '',
        PATH_INFO: pathname,
        QUERY_STRING: search.slice(1),
        CONTENT_TYPE: request.headers['content-type'] ?? '',
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
