import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { freePort } from '../../support/free-port.ts';
import { buildCheckout } from './checkout.ts';
import { until } from './holdfast.ts';
import { startFpm } from './php-server.ts';

/** The users of Debian that stand for those of a server: who deploys, nginx's, and php-fpm's. */
const users = { deploy: 65534, nginx: 33, fpm: 'games' } as const;

/**
 * A site of one user, served by nginx and php-fpm as two others, with folders and files of all of them. Only root can
 * build it.
 */
export interface FurnishedSite {
  readonly folder: string;
  readonly app: string;
  readonly url: string;
  readonly log: () => string;
  /** The words of the program and its environment, as the user who deploys. */
  readonly command: (
    words: readonly string[],
  ) => readonly [command: readonly string[], env: Readonly<Record<string, string>>];
  /** Brings everything back to how it was after two verified deploys, with this commit pushed. */
  readonly begin: () => void;
  readonly commits: { readonly old: string; readonly next: string };
}

/** What an independent look finds at each path: kind, mode, owner, group, ACLs and content. */
export type Looked = ReadonlyMap<string, string>;

const program = new URL('../../../bin/holdfast.js', import.meta.url).pathname;

export async function buildFurnishedSite(
  t: TestContext,
  mode: 'in-place' | 'releases',
  nextIs: 'good' | 'broken',
): Promise<FurnishedSite> {
  const checkout = buildCheckout(t, filesOf('one'));
  const { folder, app, developer, push, git } = checkout;
  execFileSync('chmod', ['755', folder]);
  const library = join(folder, 'library');
  git(folder, 'init', '--quiet', library);
  const commitLibrary = (text: string): void => {
    rmSync(join(library, 'emptied'), { recursive: true, force: true });
    for (const name of ['code', 'deep/code', `emptied/${text}`]) write(join(library, name), text);
    git(library, 'add', '.');
    git(library, 'commit', '--quiet', '--message', text);
  };
  commitLibrary('one');
  git(developer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'lib');
  push({});
  const fpm = await startFpm(t, join(folder, 'fpm'), [
    { name: 'site', user: users.fpm, lines: ['php_admin_value[opcache.enable] = 0'] },
  ]);
  const port = await startNginx(t, folder, mode === 'releases' ? `${app}/current` : app, fpm.listen[0] ?? '');
  const url = `http://127.0.0.1:${port}`;
  writeFileSync(
    join(folder, 'holdfast.yaml'),
    JSON.stringify({ deployment: { preset: 'none', mode, opcache: { wait: '0s' } } }),
  );
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    APP_DIR: app,
    BRANCH: 'main',
    LOG_FILE: join(folder, 'log/deploy.log'),
    HEALTH_URL: `${url}/up`,
  };
  // The remote belongs to root, and the library is on this disk.
  writeFileSync(join(folder, '.gitconfig'), '[safe]\n directory = *\n[protocol "file"]\n allow = always\n');
  const as = ['setpriv', `--reuid=${users.deploy}`, `--regid=${users.deploy}`, '--clear-groups', '--'];
  const command = (words: readonly string[]) => [[...as, process.execPath, program, ...words], env] as const;
  const deploy = (): void => {
    const [[name = '', ...words]] = command(['deploy']);
    execFileSync(name, words, { cwd: folder, env, stdio: 'ignore' });
  };
  mkdirSync(join(folder, 'log'));
  execFileSync('chown', ['-R', `${users.deploy}:${users.deploy}`, app, join(folder, 'log')]);
  deploy();
  furnish(app, mode);
  const moveLibrary = (text: string): void => {
    commitLibrary(text);
    git(join(developer, 'lib'), 'pull', '--quiet');
  };
  moveLibrary('two');
  const old = push(filesOf('two'));
  deploy();
  leaveFiles(app);
  moveLibrary('three');
  const leaving = ['folder', 'linked', 'gone', 'assets'];
  for (const path of leaving) execFileSync('rm', ['-rf', join(developer, path)]);
  for (const path of ['linked', 'media']) execFileSync('ln', ['-s', 'public', join(developer, path)]);
  const three = Object.entries(filesOf('three')).filter(([path]) => !leaving.includes(path.split('/')[0] ?? ''));
  const next = push({
    ...Object.fromEntries(three),
    folder: 'a file now',
    'assets/app.3.css': 'three',
    'public/robots.txt': 'theirs',
    'public/uploads/picture': 'theirs',
    ...(nextIs === 'broken' ? { 'public/up': null } : {}),
  });
  const beginning = join(folder, 'beginning');
  execFileSync('cp', ['--archive', app, beginning]);
  const begin = (): void => {
    execFileSync('rm', ['-rf', app]);
    execFileSync('cp', ['--archive', beginning, app]);
  };
  return {
    folder,
    app,
    url,
    log: () => readFileSync(join(folder, 'log/deploy.log'), 'utf8'),
    command,
    begin,
    commits: { old, next },
  };
}

function filesOf(version: string): Readonly<Record<string, string>> {
  return {
    'public/up': 'ok',
    'public/page.html': version,
    'public/info.php': `<?php echo '${version}';`,
    'folder/x': version,
    'folder/deep/x': version,
    'linked/x': version,
    'gone/deep/file': version,
    'assets/app.1.css': version,
    'private/key': 'the same in all',
    ...Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`app/code${index}.php`, `<?php // ${version}`])),
  };
}

/** Folders of the site with modes, groups and ACLs of their own; the new files of a deploy inherit from them. */
function furnish(app: string, mode: 'in-place' | 'releases'): void {
  const acl = (path: string, entries: string) => execFileSync('setfacl', ['-m', entries, join(app, path)]);
  for (const path of ['uploads', 'deep', 'deep/er']) mkdirSync(join(app, 'public', path), { recursive: true });
  execFileSync('chown', ['-R', `${users.deploy}:${users.deploy}`, join(app, 'public')]);
  // In the mode `releases` no submodule is here.
  const ofLibrary = mode === 'releases' ? [] : ['lib/emptied'];
  for (const path of ['folder', 'gone/deep', 'public/uploads', ...ofLibrary]) {
    execFileSync('chgrp', ['33', join(app, path)]);
    execFileSync('chmod', ['2775', join(app, path)]);
  }
  acl('assets', 'd:u:33:rwx,u:33:rwx');
  for (const path of ofLibrary) acl(path, 'd:u:33:rwx,u:33:rwx');
  acl('folder/deep', 'd:u:33:rwx,u:games:r-x');
  execFileSync('chmod', ['750', join(app, 'private')]);
  execFileSync('chmod', ['711', join(app, 'gone')]);
  execFileSync('chmod', ['751', app]);
}

/** What the site has made, and no commit has: of all three users, some of it in the way of the next commit. */
function leaveFiles(app: string): void {
  const leave = (path: string, owner: string, mode: string): void => {
    write(join(app, path), `made on the server: ${path}`);
    execFileSync('chown', [owner, join(app, path)]);
    execFileSync('chmod', [mode, join(app, path)]);
  };
  const mine = `${users.deploy}:${users.deploy}`;
  leave('public/robots.txt', mine, '604');
  leave('public/uploads/picture', '33:33', '640');
  leave('folder/deep/own', mine, '600');
  leave('media/upload', '33:33', '644');
  leave('media/deep/upload', '33:33', '644');
  leave('storage/session', '5:60', '600');
  leave('lib/deep/own', mine, '644');
  execFileSync('setfacl', ['-m', 'u:games:rw', join(app, 'public/robots.txt')]);
  for (const path of ['media', 'media/deep', 'storage']) execFileSync('chown', ['33:33', join(app, path)]);
  execFileSync('chmod', ['2777', join(app, 'media'), join(app, 'media/deep'), join(app, 'storage')]);
  execFileSync('setfacl', ['-m', 'd:u:games:rwx', join(app, 'storage')]);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** nginx as a user of its own: what only the user who deploys may read is forbidden to visitors. */
async function startNginx(t: TestContext, folder: string, served: string, fpm: string): Promise<number> {
  const port = await freePort();
  const place = join(folder, 'nginx');
  mkdirSync(place);
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; user www-data; worker_processes 1; pid ${place}/pid; events {}
http { access_log off; ${kinds.map((kind) => `${kind}_temp_path ${place}/${kind};`).join(' ')}
  server { listen 127.0.0.1:${port}; root ${served}/public;
    location ~ \\.php$ { include /etc/nginx/fastcgi_params; fastcgi_pass unix:${fpm};
      fastcgi_param SCRIPT_FILENAME $realpath_root$fastcgi_script_name; } } }\n`,
  );
  const words = ['-c', join(folder, 'nginx.conf'), '-p', place, '-e', join(place, 'error.log')];
  const child = spawn('nginx', words, { stdio: 'ignore', detached: true });
  t.after(() => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
  });
  await until(() => existsSync(join(place, 'pid')), 'nginx is ready');
  return port;
}

/** Looks at everything but git's own and the releases, with coreutils and getfacl alone. */
export function look(app: string): Looked {
  const prune = ['(', '-name', '.git', '-o', '-path', './releases', '-o', '-path', './current', ')', '-prune', '-o'];
  const listed = execFileSync('find', ['.', ...prune, '-printf', '%p\\0'], {
    cwd: app,
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  const paths = listed.split('\0').filter((path) => path !== '');
  const acls = aclsOf(app, paths);
  return new Map(
    paths.toSorted().map((path) => {
      const { mode, uid, gid } = lstatSync(join(app, path));
      return [path, `${mode.toString(8)} ${uid}:${gid} ${acls.get(path) ?? ''} ${contentOf(join(app, path))}`] as const;
    }),
  );
}

function contentOf(path: string): string {
  const there = lstatSync(path);
  if (there.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
  return there.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : '';
}

function aclsOf(app: string, paths: readonly string[]): ReadonlyMap<string, string> {
  const words = ['--physical', '--numeric', '--absolute-names', '--skip-base', '--', ...paths];
  const text = execFileSync('getfacl', words, { cwd: app, encoding: 'utf8', maxBuffer: 1e9 });
  return new Map(
    text.split('\n\n').flatMap((entry) => {
      const [, path, acl = ''] =
        /^# file: (.*)\n# owner: .*\n# group: .*\n(?:# flags: .*\n)?([\s\S]*)$/.exec(entry) ?? [];
      return path === undefined ? [] : [[path, acl.replaceAll(/\s+/g, ' ')] as const];
    }),
  );
}
