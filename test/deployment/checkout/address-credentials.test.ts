import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { addressCredentials } from '../../../src/deployment/checkout/address-credentials.ts';
import { prepareClone } from '../../../src/deployment/checkout/clone.ts';
import { gitEnvironment } from '../../../src/deployment/settings/environment.ts';
import { secrets } from '../../support/secrets.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite } from '../support/site.ts';

/** A remote that wants to know who asks, and what it was told. */
async function remote(t: TestContext) {
  const told: (string | undefined)[] = [];
  const server = createServer(({ headers }, response) => {
    told.push(headers.authorization);
    if (headers.authorization === undefined) response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { told, port: (server.address() as AddressInfo).port };
}

test('user and password of a remote’s address reach it, and stand in no command line of git', async (t) => {
  const { told, port } = await remote(t);
  const folder = temporaryFolder(t);
  const trace = join(folder, 'trace');
  const user = 'me%40work';
  const address = `http://${user}:${secrets.gitPassword}@127.0.0.1:${port}/app.git`;
  const environment = { PATH: process.env.PATH ?? '', HOME: folder };
  const env = { ...gitEnvironment(environment), ...addressCredentials([address], environment), GIT_TRACE: trace };
  const cwd = folder;
  const run = (...words: readonly string[]) =>
    new Promise<void>((resolve) => void execFile('git', words, { cwd, env }, () => resolve()));
  await run('init', '--quiet');
  await run('config', 'remote.origin.url', address);
  rmSync(trace);
  await run('ls-remote', 'origin');
  assert.ok(told.includes(`Basic ${Buffer.from(`me@work:${secrets.gitPassword}`).toString('base64')}`), String(told));
  const commands = readFileSync(trace, 'utf8');
  assert.match(commands, /git-remote-http|remote-http origin/);
  assert.ok(!commands.includes(secrets.gitPassword), commands);
  assert.ok(commands.includes(`http://127.0.0.1:${port}/app.git`));
});

test('an address without a password, over ssh or with a line break in it changes nothing', () => {
  for (const address of [
    'https://git.example/a.git',
    'ssh://git:x@git.example/a',
    '/srv/a',
    'http://u:a%0ab@git.example/',
  ])
    assert.deepEqual(addressCredentials([address], {}), {}, address);
  const after = addressCredentials(['https://u:p@git.example/a'], { GIT_CONFIG_COUNT: '1' });
  assert.equal(after.GIT_CONFIG_COUNT, '3');
  assert.equal(after.GIT_CONFIG_KEY_1, 'url.https://git.example/a.insteadOf');
});

test('--clone shows no secret to other users: neither in a command line nor in a file that they can read', async (t) => {
  const site = await buildSite(t);
  rmSync(site.app, { recursive: true });
  const host = quietHost();
  const commands: string[] = [];
  const watched: typeof host = {
    ...host,
    run: (command, options) => {
      commands.push(command.join(' '));
      return host.run(command, options);
    },
  };
  const clone = `http://deployer:${secrets.gitPassword}@127.0.0.1:1/a"b\\c.git`;
  await prepareClone(watched, site.settings({ clone }));
  assert.ok(
    commands.length > 0 && commands.every((command) => !command.includes(secrets.gitPassword)),
    String(commands),
  );
  assert.equal(site.git(site.app, 'config', 'remote.origin.url'), clone);
  assert.equal(site.git(site.app, 'config', 'remote.origin.fetch'), '+refs/heads/*:refs/remotes/origin/*');
  assert.equal(statSync(join(site.app, '.git/config')).mode & 0o777, 0o600);
});
