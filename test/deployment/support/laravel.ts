import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { DeploymentSettings } from '../../../src/deployment/settings/settings.ts';
import { freePort } from '../../support/free-port.ts';
import { needs, whereIs } from '../../support/needs.ts';
import { type BrokenKind, brokenFiles, mendedFiles } from './broken-commits.ts';
import { buildCheckout, type Checkout } from './checkout.ts';
import { until } from './holdfast.ts';
import { settingsOf } from './site.ts';

/** A real Laravel behind a real nginx and php-fpm, opcache at its defaults. */
export interface LaravelSite extends Checkout {
  readonly url: string;
  readonly healthUrl: string;
  /** php-fpm's socket. */
  readonly fastcgi: string;
  /** Commits the next version: the class, the view and the configuration hold its name. */
  readonly pushVersion: (version: string, options?: { readonly broken?: boolean | BrokenKind }) => string;
  readonly settings: (flags?: Readonly<Record<string, unknown>>, file?: unknown) => DeploymentSettings;
  readonly environment: Readonly<Record<string, string>>;
  readonly get: (path: string) => Promise<{ readonly status: number; readonly body: string }>;
}

const fixture = new URL('../fixtures/laravel/', import.meta.url);

/** Whether all its parts are on this machine; without them the test is skipped, visibly. */
export function needsLaravel(t: TestContext): boolean {
  return (
    needs(t, 'nginx') &&
    needs(t, 'php') &&
    needs(t, fpmProgram() ?? 'php-fpm') &&
    needs(t, '../share/php/Illuminate/autoload.php')
  );
}

export interface LaravelOptions {
  /** PHP settings of the pool. */
  readonly poolValues?: Readonly<Record<string, string>>;
  /** The pool answers the web server and nobody else. */
  readonly deaf?: boolean;
  readonly mode?: DeploymentSettings['mode'];
  /** What nginx gives to php-fpm: where a link leads, or the link itself. */
  readonly root?: '$realpath_root' | '$document_root';
}

export async function buildLaravel(
  t: TestContext,
  { poolValues = {}, deaf = false, mode = 'in-place', root = '$realpath_root' }: LaravelOptions = {},
): Promise<LaravelSite> {
  const checkout = buildCheckout(t, fixture);
  const { folder, app, logFile, push } = checkout;
  copyFileSync(join(app, '.env.example'), join(app, '.env'));
  execFileSync('php', ['artisan', 'key:generate', '--force'], { cwd: app, stdio: 'ignore' });
  for (const step of ['config:cache', 'route:cache', 'view:cache'])
    execFileSync('php', ['artisan', step], { cwd: app, stdio: 'ignore' });
  const fastcgi = await startFpm(t, folder, deaf, poolValues);
  const served = mode === 'releases' ? join(app, 'current') : app;
  const url = await startNginx(t, folder, { served, root, fastcgi });
  const healthUrl = `${url}health`;
  const environment = { PATH: process.env.PATH ?? '', HOME: folder };
  const given = { appDir: app, branch: 'main', logFile, healthUrl, mode };
  return {
    ...checkout,
    url,
    healthUrl,
    fastcgi,
    environment,
    pushVersion: pushVersionTo(push),
    settings: (flags = {}, file = {}) =>
      settingsOf({ ...given, ...flags }, environment, {
        ...(deaf ? {} : { opcache: { fastcgi } }),
        ...(file as object),
      }),
    get: (path) => getPage(new URL(path, url)),
  };
}

function pushVersionTo(push: Checkout['push']): LaravelSite['pushVersion'] {
  let isBroken = false;
  return (version, { broken = false } = {}) => {
    const files = { ...(isBroken ? mendedFiles() : {}), ...versionFiles(version) };
    isBroken = broken !== false;
    return push(broken === false ? files : brokenFiles(broken === true ? 'runtime' : broken, files));
  };
}

/** On a connection of its own, as a new visitor. */
function getPage(url: URL): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    request.on('error', reject);
  });
}

function versionFiles(version: string): Readonly<Record<string, string>> {
  return {
    'app/Version.php': `<?php\n\nnamespace App;\n\nclass Version\n{\n    public const NUMBER = '${version}';\n    public const BROKEN = false;\n}\n`,
    'resources/views/home.blade.php': `<html><body>class={{ $class }} view=${version} config={{ config('app.version') }}</body></html>\n`,
    'config/app.php': execFileSync(
      'sed',
      [`s/'version' => .*/'version' => '${version}',/`, new URL('config/app.php', fixture).pathname],
      { encoding: 'utf8' },
    ),
  };
}

function fpmProgram(): string | undefined {
  return ['/usr/sbin', '/usr/bin']
    .flatMap((folder) => readdirSync(folder))
    .find((name) => /^php-fpm[\d.]*$/.test(name));
}

async function startFpm(
  t: TestContext,
  folder: string,
  deaf: boolean,
  values: Readonly<Record<string, string>>,
): Promise<string> {
  const listen = deaf ? `127.0.0.1:${await freePort()}` : join(folder, 'fpm.sock');
  const admin = Object.entries(values).map(([name, value]) => `php_admin_value[${name}] = ${value}`);
  const user = userInfo().uid === 0 ? ['user = root', 'group = root'] : [];
  const allowed = deaf ? [`listen.allowed_clients = ${webServer}`] : [];
  const pool = ['[www]', `listen = ${listen}`, ...allowed, ...user, 'pm = static', 'pm.max_children = 4', ...admin];
  writeFileSync(
    join(folder, 'fpm.conf'),
    `[global]\nerror_log = ${folder}/fpm.log\ndaemonize = no\n${pool.join('\n')}\n`,
  );
  start(t, whereIs(fpmProgram() ?? '') ?? '', ['-R', '-F', '-y', join(folder, 'fpm.conf')]);
  await until(
    () => existsSync(join(folder, 'fpm.log')) && /ready to handle/.test(readFileSync(join(folder, 'fpm.log'), 'utf8')),
    'php-fpm is ready',
  );
  return listen;
}

/** Where the web server's requests to a deaf pool come from. */
const webServer = '127.0.0.2';

interface Served {
  readonly served: string;
  readonly root: string;
  readonly fastcgi: string;
}

async function startNginx(t: TestContext, folder: string, site: Served): Promise<string> {
  const port = await freePort();
  mkdirSync(join(folder, 'nginx'));
  writeFileSync(join(folder, 'nginx.conf'), nginxConfiguration(folder, port, site));
  start(t, whereIs('nginx') ?? '', [
    '-c',
    join(folder, 'nginx.conf'),
    '-p',
    join(folder, 'nginx'),
    '-e',
    join(folder, 'nginx', 'error.log'),
  ]);
  const url = `http://127.0.0.1:${port}/`;
  let answered = false;
  for (let tries = 0; !answered && tries < 200; tries++) {
    answered = await fetch(url, { headers: { connection: 'close' } }).then(
      () => true,
      () => new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 20)),
    );
  }
  return url;
}

function nginxConfiguration(folder: string, port: number, { served, root, fastcgi }: Served): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/nginx/${name};`,
  );
  return `daemon off; worker_processes 1; pid ${folder}/nginx/pid; ${userInfo().uid === 0 ? 'user root;' : ''}
events { worker_connections 1024; }
http { access_log off; ${paths.join(' ')}
  server { listen 127.0.0.1:${port}; root ${served}/public;
    location / { try_files $uri /index.php$is_args$args; }
    location ~ \\.php$ { include /etc/nginx/fastcgi_params; ${fastcgi.startsWith('/') ? `fastcgi_pass unix:${fastcgi}` : `fastcgi_bind ${webServer}; fastcgi_pass ${fastcgi}`};
      fastcgi_param SCRIPT_FILENAME ${root}$fastcgi_script_name; fastcgi_param DOCUMENT_ROOT ${root}; } } }
`;
}

/** Ends with the test, with all that it started. */
function start(t: TestContext, program: string, words: readonly string[]): ChildProcess {
  const child = spawn(program, words, { stdio: 'ignore', detached: true });
  const gone = new Promise((resolve) => child.once('close', resolve));
  t.after(async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await gone;
  });
  return child;
}
