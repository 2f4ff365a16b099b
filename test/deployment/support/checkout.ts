import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';

/** A bare remote, a developer's clone and the checkout on the server, in a folder that goes with the test. */
export interface Checkout {
  readonly folder: string;
  readonly remote: string;
  readonly developer: string;
  readonly app: string;
  readonly logFile: string;
  /** Commits these files (null removes one) and pushes them, by force; the commit's id. */
  readonly push: (files: Readonly<Record<string, string | null>>, branch?: string) => string;
  readonly log: () => string;
  /** A file of the checkout on the server. */
  readonly read: (path: string) => string | undefined;
  readonly write: (path: string, text: string) => void;
  readonly head: () => string;
  readonly git: (folder: string, ...words: readonly string[]) => string;
}

/** Git reads no configuration but the repository's own, and knows who commits. */
const gitIdentity: Readonly<Record<string, string>> = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'A Developer',
  GIT_AUTHOR_EMAIL: 'developer@example.com',
  GIT_COMMITTER_NAME: 'A Developer',
  GIT_COMMITTER_EMAIL: 'developer@example.com',
  LC_ALL: 'C',
};

/** The first commit holds these files, or what that folder holds. */
export function buildCheckout(t: TestContext, first: Readonly<Record<string, string>> | URL): Checkout {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-deploy-'));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const inFolder = (name: string) => join(folder, name);
  const [remote, developer, app] = [inFolder('origin.git'), inFolder('developer'), inFolder('app')];
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  git(folder, 'clone', '--quiet', remote, developer);
  if (first instanceof URL) cpSync(first, developer, { recursive: true });
  const push = pushTo(developer);
  push(first instanceof URL ? {} : first);
  git(folder, 'clone', '--quiet', remote, app);
  const text = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);
  return {
    folder,
    remote,
    developer,
    app,
    push,
    git,
    logFile: inFolder('deploy.log'),
    log: () => text(inFolder('deploy.log')) ?? '',
    read: (path) => text(join(app, path)),
    write: (path, content) => {
      mkdirSync(dirname(join(app, path)), { recursive: true });
      writeFileSync(join(app, path), content);
    },
    head: () => git(app, 'rev-parse', 'HEAD'),
  };
}

function git(where: string, ...words: readonly string[]): string {
  const env = { PATH: process.env.PATH ?? '', ...gitIdentity };
  return execFileSync('git', ['-C', where, ...words], {
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
}

function pushTo(developer: string): Checkout['push'] {
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
