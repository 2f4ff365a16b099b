import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { FreshRoot } from './fresh-root.ts';

const commands = `
  cd /srv
  git init -q --bare --initial-branch=main origin.git
  git clone -q origin.git work 2>/dev/null
  cd work
  git config user.name You; git config user.email you@example.com
  echo ok > up; git add .; git commit -qm 'First page'; git push -q origin HEAD:main
  git clone -q ../origin.git ../site`;

/**
 * A site in /srv/site with its remote and a health page that is a file of it; the words are the options of a deploy.
 */
export async function servedSite(t: TestContext, root: FreshRoot): Promise<readonly string[]> {
  await root.run('sh', '-euc', commands);
  const server = createServer((request, response) => {
    response.writeHead(existsSync(join(root.folder, 'srv/site', request.url ?? '')) ? 200 : 404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const place = ['--app-dir', '/srv/site', '--branch', 'main', '--log-file', '/var/log/deploy.log', '--preset', 'none'];
  return [...place, '--health-url', `http://127.0.0.1:${port}/up`];
}

/** A new commit, which the remote has and the site does not. */
export const pushCommit = (root: FreshRoot): Promise<string> =>
  root.run(
    'sh',
    '-euc',
    'cd /srv/work; echo more >> page; git add .; git commit -qm More; git push -q origin HEAD:main',
  );

/**
 * Settings whose deploy waits in a step until somebody writes to /srv/continue, and says so in /srv/reached; it ends
 * with a mail to /srv/mail.
 */
export async function heldDeploy(root: FreshRoot): Promise<string> {
  await root.run('mkfifo', '/srv/reached', '/srv/continue');
  const settings = {
    deployment: {
      steps: { before: [{ name: 'held', command: ['sh', '-c', 'echo > /srv/reached; read line < /srv/continue'] }] },
      mail: { to: 'ops@example.com', from: 'deploy@example.com', subject: 'Deployment' },
    },
  };
  writeFileSync(join(root.folder, 'srv/holdfast.yaml'), JSON.stringify(settings));
  writeFileSync(join(root.folder, 'usr/sbin/sendmail'), '#!/bin/sh\ncat > /srv/mail\n', { mode: 0o755 });
  return '/srv/holdfast.yaml';
}
