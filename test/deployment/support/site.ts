import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type DeploymentSettings, readDeploymentSettings } from '../../../src/deployment/settings/settings.ts';
import { whereIs } from '../../support/needs.ts';
import { buildCheckout, type Checkout } from './checkout.ts';

/** A whole small world: a checkout, a stand-in for PHP, and the site that the checkout makes. */
export interface Site extends Checkout {
  readonly healthUrl: string;
  /** What the site answers now: the status in the checkout's file `status`, 503 while `down` is there. */
  readonly server: Server;
  /** How many requests the site has had. */
  readonly requests: () => number;
  readonly settings: (flags?: Readonly<Record<string, unknown>>, file?: unknown) => DeploymentSettings;
  readonly environment: Readonly<Record<string, string>>;
  /** What the stand-in for PHP was asked to do, a line a call. */
  readonly artisanCalls: () => readonly string[];
}

/** In the mode `releases` the site is what `current` leads to, and so is what the checkout's members tell of. */
export async function buildSite(t: TestContext, mode: DeploymentSettings['mode'] = 'in-place'): Promise<Site> {
  const whole = buildCheckout(t, { status: '200', page: 'one', '.gitignore': 'storage/\n.env\ncalls\n' });
  const checkout = mode === 'releases' ? throughCurrent(whole) : whole;
  const { folder, app, logFile } = checkout;
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'php'), php);
  chmodSync(join(bin, 'php'), 0o755);
  const { server, requests } = await serve(t, mode === 'releases' ? join(app, 'current') : app);
  const healthUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/health`;
  const environment = { PATH: `${bin}:${process.env.PATH}`, HOME: folder };
  return {
    ...checkout,
    healthUrl,
    server,
    requests,
    environment,
    settings: (flags = {}, file = {}) =>
      settingsOf(
        { appDir: app, branch: 'main', logFile, healthUrl, mode, ...flags },
        environment,
        withoutOpcache(file),
      ),
    artisanCalls: () => (checkout.read('calls') ?? '').split('\n').filter((line) => line !== ''),
  };
}

function throughCurrent(checkout: Checkout): Checkout {
  const current = join(checkout.app, 'current');
  return {
    ...checkout,
    read: (path) => textOf(join(current, path)),
    head: () => checkout.git(current, 'rev-parse', 'HEAD'),
  };
}

/** The stand-in is not php-fpm: a real one that another test runs on this machine is none of its business. */
function withoutOpcache(file: unknown): unknown {
  return { opcache: { wait: '0s' }, ...(file as object) };
}

export function settingsOf(
  flags: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string>>,
  file: unknown,
): DeploymentSettings {
  const read = readDeploymentSettings({ flags, environment, file });
  if ('mistakes' in read) throw new Error(read.mistakes.join('\n'));
  return read.settings;
}

/**
 * A server is PHP's own. Notes each other call and caches the page; fails where the checkout's file `fail-<command>`
 * says so, waits where `wait-<command>` does, and as long as `hold-<command>` is there, at most a minute.
 */
const php = `#!/bin/sh
case " $* " in *' -S '*) exec ${whereIs('php')} "$@" ;; esac
shift
echo "$*" >> calls
if [ -e "wait-$1" ]; then sleep "$(cat "wait-$1")"; fi
held=0; while [ -e "hold-$1" ] && [ $held -lt 1200 ]; do held=$((held + 1)); sleep 0.05; done
if [ -e "fail-$1" ]; then echo "$1 has failed" >&2; exit 1; fi
if [ "$1" = config:cache ]; then caches="\${VIEW_COMPILED_PATH:-storage}"; mkdir -p "$caches"; cat page > "$caches/cached-page"; fi
echo "$1 done"
`;

async function serve(t: TestContext, app: string): Promise<{ server: Server; requests: () => number }> {
  let count = 0;
  const server = createServer((_, response) => {
    count++;
    // A status below zero is a site that hangs.
    const status = existsSync(join(app, 'down')) ? 503 : Number(textOf(join(app, 'status')) ?? '404');
    if (status > 0) response.writeHead(status, status === 302 ? { location: '/' } : {}).end('never read');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, requests: () => count };
}

function textOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
