import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { type DeploymentSettings, readDeploymentSettings } from '../../../src/deployment/settings.ts';

/** A whole small world: a bare remote, a developer's clone, the checkout on the server, and the site that it makes. */
export interface Site {
  readonly folder: string;
  readonly remote: string;
  readonly app: string;
  readonly developer: string;
  readonly healthUrl: string;
  /** What the site answers now: the status in the checkout's file `status`, 503 while `down` is there. */
  readonly server: Server;
  /** How many requests the site has had. */
  readonly requests: () => number;
  /** Commits these files on main and pushes them, by force; the commit's id. */
  readonly push: (files: Readonly<Record<string, string | null>>, branch?: string) => string;
  readonly settings: (flags?: Readonly<Record<string, unknown>>, file?: unknown) => DeploymentSettings;
  readonly environment: Readonly<Record<string, string>>;
  readonly log: () => string;
  /** What the stand-in for PHP was asked to do, a line a call. */
  readonly artisanCalls: () => readonly string[];
  readonly read: (path: string) => string | undefined;
  readonly write: (path: string, text: string) => void;
  readonly head: () => string;
  readonly git: (folder: string, ...words: readonly string[]) => string;
}

/** Git reads no configuration but the repository's own, and knows who commits. */
export const gitIdentity: Readonly<Record<string, string>> = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'A Developer',
  GIT_AUTHOR_EMAIL: 'developer@example.com',
  GIT_COMMITTER_NAME: 'A Developer',
  GIT_COMMITTER_EMAIL: 'developer@example.com',
  LC_ALL: 'C',
};

export async function buildSite(t: TestContext): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-deploy-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [remote, developer, app, bin] = ['origin.git', 'developer', 'app', 'bin'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  const git = (where: string, ...words: readonly string[]) =>
    execFileSync('git', ['-C', where, ...words], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH ?? '', ...gitIdentity },
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  git(folder, 'clone', '--quiet', remote, developer);
  const push = pushTo(developer, git);
  push({ status: '200', page: 'one', '.gitignore': 'storage/\n.env\ncalls\n' });
  git(folder, 'clone', '--quiet', remote, app);
  mkdirSync(bin);
  writeFileSync(join(bin, 'php'), php);
  chmodSync(join(bin, 'php'), 0o755);
  const { server, requests } = await serve(t, app);
  const healthUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/health`;
  const environment = { PATH: `${bin}:${process.env.PATH}`, HOME: folder };
  const read = (path: string) => (existsSync(join(app, path)) ? readFileSync(join(app, path), 'utf8') : undefined);
  return {
    ...{ folder, remote, app, developer, healthUrl, server, requests, push, environment, git, read },
    settings: (flags = {}, file = {}) => {
      const given = { appDir: app, branch: 'main', logFile: join(folder, 'deploy.log'), healthUrl, ...flags };
      const result = readDeploymentSettings({ flags: given, environment, file });
      if ('mistakes' in result) throw new Error(result.mistakes.join('\n'));
      return result.settings;
    },
    log: () => (existsSync(join(folder, 'deploy.log')) ? readFileSync(join(folder, 'deploy.log'), 'utf8') : ''),
    artisanCalls: () => (read('calls') ?? '').split('\n').filter((line) => line !== ''),
    write: (path, text) => {
      mkdirSync(dirname(join(app, path)), { recursive: true });
      writeFileSync(join(app, path), text);
    },
    head: () => git(app, 'rev-parse', 'HEAD'),
  };
}

/** Notes each call; fails where the checkout's file `fail-<command>` says so, and waits where `wait-<command>` does. */
const php = `#!/bin/sh
shift
echo "$*" >> calls
if [ -e "wait-$1" ]; then sleep "$(cat "wait-$1")"; fi
if [ -e "fail-$1" ]; then echo "$1 has failed" >&2; exit 1; fi
echo "$1 done"
`;

function pushTo(developer: string, git: Site['git']): Site['push'] {
  return (files, branch = 'main') => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(developer, name)), { recursive: true });
      if (text === null) rmSync(join(developer, name));
      else writeFileSync(join(developer, name), text);
    }
    git(developer, 'add', '--all', '--force');
    git(developer, 'commit', '--quiet', '--allow-empty', '--message', 'a change');
    git(developer, 'push', '--quiet', '--force', 'origin', `HEAD:refs/heads/${branch}`);
    return git(developer, 'rev-parse', 'HEAD');
  };
}

async function serve(t: TestContext, app: string): Promise<{ server: Server; requests: () => number }> {
  let count = 0;
  const server = createServer((_, response) => {
    count++;
    // A status below zero is a site that hangs.
    const status = existsSync(join(app, 'down')) ? 503 : Number(readFileSync(join(app, 'status'), 'utf8'));
    if (status > 0) response.writeHead(status, status === 302 ? { location: '/' } : {}).end('never read');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, requests: () => count };
}
