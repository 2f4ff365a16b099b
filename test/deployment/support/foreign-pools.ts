import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { decodeAnswer, encodeRequest } from '../../../src/deployment/opcache/fastcgi.ts';
import type { DeployDocument } from '../../../src/deployment/record/document.ts';
import type { DeploymentSettings } from '../../../src/deployment/settings/settings.ts';
import { exchange } from '../../../src/host/exchange.ts';
import { freePort } from '../../support/free-port.ts';
import { buildCheckout, type Checkout } from './checkout.ts';
import { until } from './holdfast.ts';
import { type Served, startFpm, startNginx } from './php-server.ts';
import { quietHost } from './quiet-host.ts';
import { settingsOf } from './site.ts';

/** A site in plain PHP whose pool has been visited, and what has to do with it. */
export interface PhpSite extends Checkout {
  readonly url: string;
  readonly fastcgi: string;
  /** Where the other pools of the same php-fpm listen. */
  readonly others: readonly string[];
  readonly fpmPid: number;
  /** The page, from the web server. */
  readonly page: () => Promise<string>;
  readonly settings: (file: object) => DeploymentSettings;
  /** Pushes a version, and deploys it. */
  readonly deployVersion: (version: string, file?: object) => Promise<DeployDocument>;
}

export interface PhpSiteOptions {
  /** Whether the web server is an nginx whose configuration can be read, or one of which nothing is known. */
  readonly web?: 'nginx' | 'unknown';
  readonly workers?: number;
  readonly lines?: readonly string[];
  readonly user?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Names of other pools of the same php-fpm, with one worker each. */
  readonly beside?: readonly string[];
  /** The pool answers nginx and nobody else. */
  readonly refuses?: boolean;
  /** More of nginx's configuration, with its files in the folder. */
  readonly nginx?: (folder: string) => Pick<Served, 'more' | 'http'>;
}

/** Where the web server's requests to a pool come from that answers nobody else. */
const webServer = '127.0.0.2';

const index = `<?php
if (isset($_GET['slow'])) { touch(__DIR__ . '/../../busy-' . getmypid()); while (!file_exists(__DIR__ . '/../../go-on')) usleep(20000); }
echo require __DIR__ . '/../version.php';`;
const versionFile = (version: string): string => `<?php return '${version}';`;

export async function buildPhpSite(t: TestContext, options: PhpSiteOptions = {}): Promise<PhpSite> {
  const { web = 'nginx', workers = 2, lines = [], user, files = {}, beside = [], refuses = false } = options;
  const first = { 'public/index.php': index, 'version.php': versionFile('one'), ...files };
  const checkout = buildCheckout(t, first);
  const { folder, app, logFile, push, log } = checkout;
  const refusing = refuses ? { listen: `127.0.0.1:${await freePort()}` } : {};
  const allowed = refuses ? [`listen.allowed_clients = ${webServer}`] : [];
  const users = user === undefined ? {} : { user };
  const pool = { name: 'own', workers, lines: [...allowed, ...lines], ...refusing, ...users };
  const { listen, pid } = await startFpm(t, join(folder, 'own'), [
    pool,
    ...beside.map((name) => ({ name, workers: 1 })),
  ]);
  const [fastcgi = '', ...others] = listen;
  const served = { served: app, fastcgi, ...(refuses ? { bind: webServer } : {}), ...(options.nginx?.(folder) ?? {}) };
  const url =
    web === 'nginx' ? ((await startNginx(t, folder, [served]))[0] ?? '') : await startUnknownServer(t, app, fastcgi);
  const page = async () => (await fetch(url, { headers: { connection: 'close' } })).text();
  // opcache keeps no file that is younger than two seconds.
  for (const path of ['public/index.php', 'version.php']) utimesSync(join(app, path), 1, 1);
  chmodSync(folder, 0o755);
  for (let visit = 0; visit < 2 * workers; visit++) assert.match(await page(), /one/);
  const environment = { PATH: process.env.PATH ?? '', HOME: folder };
  const settings = (file: object) =>
    settingsOf({ appDir: app, branch: 'main', logFile, healthUrl: url }, environment, {
      caches: { clear: [], rebuild: [] },
      ...file,
    });
  return {
    ...checkout,
    url,
    fastcgi,
    others,
    fpmPid: pid,
    page,
    settings,
    deployVersion: async (version, file = {}) => {
      push({ 'version.php': versionFile(version) });
      return deploy(quietHost(), settings(file));
    },
    log,
  };
}

/** A web server that no configuration tells of. */
async function startUnknownServer(t: TestContext, app: string, fastcgi: string): Promise<string> {
  const server = createServer(async (_, response) => {
    const answer = await runPhp(fastcgi, join(app, 'public/index.php')).catch(() => undefined);
    response.writeHead(answer === undefined ? 504 : 200).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** What a script says that the pool runs. */
export async function runPhp(address: string, path: string, query = ''): Promise<string> {
  const bytes = encodeRequest({
    REQUEST_METHOD: 'GET',
    SCRIPT_FILENAME: path,
    SCRIPT_NAME: '/index.php',
    QUERY_STRING: query,
  });
  return decodeAnswer(await exchange({ address, bytes, timeoutSeconds: 10 })).body;
}

/** Busy with a request each of its workers; `goOn` ends them. */
export async function saturate(
  folder: string,
  script: string,
  address: string,
  workers: number,
): Promise<() => Promise<void>> {
  return keepBusy(folder, workers, () => runPhpForLong(address, script));
}

/** The same by the site’s own visitors. */
export function visitSlowly({ folder, url }: PhpSite, workers: number): Promise<() => Promise<void>> {
  return keepBusy(folder, workers, () => fetch(`${url}?slow=1`).then((response) => response.text()));
}

async function keepBusy(
  folder: string,
  workers: number,
  request: () => Promise<unknown>,
): Promise<() => Promise<void>> {
  rmSync(join(folder, 'go-on'), { force: true });
  const requests = Array.from({ length: workers }, request);
  const isBusy = () => readdirSync(folder).filter((name) => name.startsWith('busy-')).length === workers;
  await until(isBusy, 'every worker is busy');
  return async () => {
    writeFileSync(join(folder, 'go-on'), '');
    await Promise.all(requests);
  };
}

function runPhpForLong(address: string, path: string): Promise<unknown> {
  const bytes = encodeRequest({
    REQUEST_METHOD: 'GET',
    SCRIPT_FILENAME: path,
    SCRIPT_NAME: '/index.php',
    QUERY_STRING: 'slow=1',
  });
  return exchange({ address, bytes, timeoutSeconds: 3600 }).catch(() => undefined);
}

/** What a pool has compiled, with the memory that this takes. Asking leaves nothing behind. */
export async function compiledBy(address: string, folder: string): Promise<Compiled> {
  const path = join(folder, 'status.php');
  writeFileSync(path, statusScript);
  chmodSync(path, 0o644);
  const tomorrow = Date.now() / 1000 + 86_400;
  utimesSync(path, tomorrow, tomorrow);
  return JSON.parse(await runPhp(address, path));
}
export interface Compiled {
  readonly scripts: Readonly<Record<string, number>> | readonly [];
  readonly memory: readonly number[];
}
const statusScript = `<?php
$status = opcache_get_status(true);
$scripts = array_column($status['scripts'], 'timestamp', 'full_path');
ksort($scripts);
$memory = $status['memory_usage'];
echo json_encode(['scripts' => $scripts, 'memory' => [$memory['used_memory'], $memory['wasted_memory']]]);
`;

/** Another site of this machine, with a pool of its own. */
export interface ForeignSite {
  readonly folder: string;
  readonly script: string;
  readonly listen: string;
  readonly pid: number;
}

export async function buildForeignSite(t: TestContext, own: Checkout, name: string): Promise<ForeignSite> {
  const folder = join(own.folder, name);
  const script = join(folder, 'app/public/index.php');
  mkdirSync(join(folder, 'app/public'), { recursive: true });
  writeFileSync(script, index);
  writeFileSync(join(folder, 'app/version.php'), versionFile(name));
  for (const path of [script, join(folder, 'app/version.php')]) utimesSync(path, 1, 1);
  const { listen, pid } = await startFpm(t, folder, [{ name, workers: 1 }]);
  const site = { folder, script, listen: listen[0] ?? '', pid };
  assert.equal(await runPhp(site.listen, script), name);
  return site;
}

export interface Ordeal {
  readonly web: 'nginx' | 'unknown';
  readonly pools: number;
  readonly busy: number;
  readonly stopped: number;
  readonly deploys: number;
}
export interface OrdealResult {
  /** Seconds of each deploy, before the trouble and in it. */
  readonly before: readonly number[];
  readonly during: readonly number[];
  readonly states: readonly string[];
}

/**
 * Deploys of one site while pools of others are busy or stopped; demands that these have what they had, and nothing of
 * ours.
 */
export async function deployAmongForeignPools(t: TestContext, ordeal: Ordeal): Promise<OrdealResult> {
  const own = await buildPhpSite(t, { web: ordeal.web });
  const foreign: ForeignSite[] = [];
  for (let number = 1; number < ordeal.pools; number++) foreign.push(await buildForeignSite(t, own, `site${number}`));
  const compiled = () => Promise.all(foreign.map(({ listen, folder }) => compiledBy(listen, folder)));
  const had = await compiled();
  const deployAll = async (kind: string) => {
    const seconds: number[] = [];
    const states: string[] = [];
    for (let number = 0; number < ordeal.deploys; number++) {
      const startedAt = performance.now();
      const { state } = await own.deployVersion(`${kind}${number}`);
      seconds.push((performance.now() - startedAt) / 1000);
      states.push(state);
      assert.equal(await own.page(), `${kind}${number}`, own.log());
      // Of a file just written the next deploy would wait until opcache keeps it, and that would hide what the pools
      // cost it.
      utimesSync(join(own.app, 'version.php'), 1, 1);
    }
    return { seconds, states };
  };
  const before = await deployAll('before');
  const goOn: (() => Promise<void>)[] = [];
  for (const { folder, script, listen } of foreign.slice(0, ordeal.busy))
    goOn.push(await saturate(folder, script, listen, 1));
  const stopped = foreign.slice(ordeal.busy, ordeal.busy + ordeal.stopped);
  for (const { pid } of stopped) process.kill(-pid, 'SIGSTOP');
  const during = await deployAll('during').finally(() => {
    for (const { pid } of stopped) process.kill(-pid, 'SIGCONT');
  });
  for (const release of goOn) await release();
  assert.deepEqual(await compiled(), had, 'every foreign pool has compiled what it had, and nothing else');
  assertNothingLeft(own, (await compiledBy(own.fastcgi, own.folder)).scripts);
  return { before: before.seconds, during: during.seconds, states: [...before.states, ...during.states] };
}

function assertNothingLeft(own: PhpSite, scripts: Compiled['scripts']): void {
  const places = [join(own.app, '.git'), tmpdir(), own.app];
  const left = places.flatMap((place) => readdirSync(place).filter((name) => name.startsWith('holdfast-opcache')));
  assert.deepEqual(left, []);
  assert.ok(existsSync(join(own.app, '.git/holdfast/journal.jsonl')));
  assert.deepEqual(
    Object.keys(scripts).filter((path) => path.includes('/.git/') || path.includes('holdfast-opcache')),
    [],
  );
}
