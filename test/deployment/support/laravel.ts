import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { DeploymentSettings } from '../../../src/deployment/settings/settings.ts';
import { freePort } from '../../support/free-port.ts';
import { needs } from '../../support/needs.ts';
import { type BrokenKind, brokenFiles, repairedFiles } from './broken-commits.ts';
import { buildCheckout, type Checkout } from './checkout.ts';
import { needsPhpServer, type PoolOptions, startFpm, startNginx } from './php-server.ts';
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
  return needsPhpServer(t) && needs(t, '../share/php/Illuminate/autoload.php');
}

export interface LaravelOptions {
  /** PHP settings of the pool. */
  readonly poolValues?: Readonly<Record<string, string>>;
  /** The user of php-fpm's workers; the test's own where absent. */
  readonly poolUser?: string;
  /** The pool answers the web server and nobody else. */
  readonly deaf?: boolean;
  readonly mode?: DeploymentSettings['mode'];
  /** What nginx gives to php-fpm: where a link leads, or the link itself. */
  readonly root?: '$realpath_root' | '$document_root';
}

export async function buildLaravel(
  t: TestContext,
  { poolValues = {}, poolUser, deaf = false, mode = 'in-place', root = '$realpath_root' }: LaravelOptions = {},
): Promise<LaravelSite> {
  const checkout = buildCheckout(t, fixture);
  const { folder, app, logFile, push } = checkout;
  copyFileSync(join(app, '.env.example'), join(app, '.env'));
  execFileSync('php', ['artisan', 'key:generate', '--force'], { cwd: app, stdio: 'ignore' });
  for (const step of ['config:cache', 'route:cache', 'view:cache'])
    execFileSync('php', ['artisan', step], { cwd: app, stdio: 'ignore' });
  const lines = Object.entries(poolValues).map(([name, value]) => `php_admin_value[${name}] = ${value}`);
  const users = poolUser === undefined ? {} : { user: poolUser };
  const { listen } = await startFpm(t, folder, [deaf ? await deafPool(lines) : { name: 'www', lines, ...users }]);
  const [fastcgi = ''] = listen;
  const served = mode === 'releases' ? join(app, 'current') : app;
  const site = { served, root, fastcgi, ...(deaf ? { bind: webServer } : {}) };
  const [url = ''] = await startNginx(t, folder, [site]);
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
    const files = { ...(isBroken ? repairedFiles() : {}), ...versionFiles(version) };
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

/** A pool that answers the web server only, whose requests come from another address. */
async function deafPool(lines: readonly string[]): Promise<PoolOptions> {
  const listen = `127.0.0.1:${await freePort()}`;
  return { name: 'www', listen, lines: [`listen.allowed_clients = ${webServer}`, ...lines] };
}

/** Where the web server's requests to a deaf pool come from. */
const webServer = '127.0.0.2';
