import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { freePort } from '../../support/free-port.ts';
import { needs, whereIs } from '../../support/needs.ts';
import { until } from './holdfast.ts';

/** A pool of php-fpm as a test wants it. */
export interface PoolOptions {
  readonly name: string;
  /** A socket named after the pool in the folder, where nothing is said. */
  readonly listen?: string;
  /** The user of the workers; the test's own where nothing is said. */
  readonly user?: string;
  readonly workers?: number;
  /** More lines of its section. */
  readonly lines?: readonly string[];
}
/** A php-fpm that runs: its master process, and where its pools listen. */
export interface Fpm {
  readonly pid: number;
  readonly listen: readonly string[];
}

/** Whether nginx and php-fpm are installed; without them the test is skipped, visibly. */
export function needsPhpServer(t: TestContext): boolean {
  return needs(t, 'nginx') && needs(t, 'php') && needs(t, fpmProgram() ?? 'php-fpm');
}

/** The name of php-fpm's program, which Debian gives the version. */
export function fpmProgram(): string | undefined {
  return ['/usr/sbin', '/usr/bin']
    .flatMap((folder) => readdirSync(folder))
    .find((name) => /^php-fpm[\d.]*$/.test(name));
}

/** One php-fpm with these pools, which share one opcache; its files are in the folder. */
export async function startFpm(t: TestContext, folder: string, pools: readonly PoolOptions[]): Promise<Fpm> {
  mkdirSync(folder, { recursive: true });
  const configuration = join(folder, 'fpm.conf');
  const sections = pools.map((pool) => section(folder, pool));
  const head = `[global]\nerror_log = ${folder}/fpm.log\ndaemonize = no\n`;
  writeFileSync(configuration, `${head}${sections.map(({ text }) => text).join('\n')}\n`);
  const { pid = 0 } = start(t, whereIs(fpmProgram() ?? '') ?? '', ['-R', '-F', '-y', configuration]);
  const log = join(folder, 'fpm.log');
  await until(
    () => existsSync(log) && /ready to handle/.test(readFileSync(log, 'utf8')),
    `php-fpm is ready: ${configuration}`,
  );
  return { pid, listen: sections.map(({ listen }) => listen) };
}

function section(folder: string, pool: PoolOptions): { readonly listen: string; readonly text: string } {
  const { name, workers = 4, lines = [], user } = pool;
  const listen = pool.listen ?? join(folder, `${name}.sock`);
  const owner = user ?? (userInfo().uid === 0 ? 'root' : undefined);
  const users = owner === undefined ? [] : [`user = ${owner}`, 'listen.mode = 0666'];
  const processes = ['pm = static', `pm.max_children = ${workers}`];
  return { listen, text: [`[${name}]`, `listen = ${listen}`, ...users, ...processes, ...lines].join('\n') };
}

export interface Served {
  /** The folder whose `public` is the document root. */
  readonly served: string;
  /** What nginx gives to php-fpm: where a link leads, or the link itself. */
  readonly root?: '$realpath_root' | '$document_root';
  readonly fastcgi: string;
  /** The address that requests to a pool by TCP come from. */
  readonly bind?: string;
  /** More of its configuration, and of that which all sites have. */
  readonly more?: string;
  readonly http?: string;
}

/** An nginx with a server for each of these, its files in the folder; their addresses. */
export async function startNginx(t: TestContext, folder: string, sites: readonly Served[]): Promise<readonly string[]> {
  const place = join(folder, 'nginx');
  mkdirSync(place, { recursive: true });
  const ports: number[] = [];
  for (const _ of sites) ports.push(await freePort());
  const configuration = join(folder, 'nginx.conf');
  writeFileSync(configuration, nginxConfiguration(place, sites, ports));
  const words = ['-c', configuration, '-p', place, '-e', join(place, 'error.log')];
  start(t, whereIs('nginx') ?? '', words);
  const urls = ports.map((port) => `http://127.0.0.1:${port}/`);
  await until(() => existsSync(join(place, 'pid')), 'nginx is ready');
  return urls;
}

function nginxConfiguration(place: string, sites: readonly Served[], ports: readonly number[]): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = kinds.map((name) => `${name}_temp_path ${place}/${name};`);
  const servers = sites.map((site, index) => server(site, ports[index] ?? 0));
  return `daemon off; worker_processes 1; pid ${place}/pid; ${userInfo().uid === 0 ? 'user root;' : ''}
events { worker_connections 1024; }
http { access_log off; ${paths.join(' ')} ${sites.map(({ http = '' }) => http).join(' ')}
${servers.join('\n')} }
`;
}

function server({ served, root = '$realpath_root', fastcgi, bind, more = '' }: Served, port: number): string {
  const pass = fastcgi.startsWith('/') ? `fastcgi_pass unix:${fastcgi}` : `fastcgi_pass ${fastcgi}`;
  return `  server { listen 127.0.0.1:${port}; root ${served}/public; ${more}
    location / { try_files $uri /index.php$is_args$args; }
    location ~ \\.php$ { include /etc/nginx/fastcgi_params; ${bind === undefined ? '' : `fastcgi_bind ${bind}; `}${pass};
      fastcgi_param SCRIPT_FILENAME ${root}$fastcgi_script_name; fastcgi_param DOCUMENT_ROOT ${root}; } }`;
}

/** Ends with the test, with all that it started; also where it was stopped by a signal. */
function start(t: TestContext, program: string, words: readonly string[]): ChildProcess {
  const child = spawn(program, words, { stdio: 'ignore', detached: true });
  const gone = new Promise((resolve) => child.once('close', resolve));
  t.after(async () => {
    if (child.pid !== undefined && child.exitCode === null) {
      process.kill(-child.pid, 'SIGTERM');
      process.kill(-child.pid, 'SIGCONT');
    }
    await gone;
  });
  return child;
}
