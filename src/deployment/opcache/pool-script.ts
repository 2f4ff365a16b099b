import { OperationError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import type { Checkout } from '../checkout/checkout.ts';
import { decodeAnswer, encodeRequest } from './fastcgi.ts';
import type { OpcacheSettings } from './fpm-configuration.ts';

/** The state of a pool's opcache, as a script that runs in the pool sees it. */
export interface PoolAnswer extends OpcacheSettings {
  /** How many files of the directory it has compiled. */
  readonly cached: number;
  /** Whether one of them was used in the last two seconds. */
  readonly visited: boolean;
  /** Whether its memory is full. */
  readonly full: boolean;
  /** Whether it forgot all files that it was asked to forget; with `look`, whether it could. */
  readonly forgotten: boolean;
}

/**
 * Runs a script by FastCGI in the pool that listens at `address`. `look` reads its opcache; `forget` also invalidates every
 * changed file of the directory, `forget all` every file. Other sites of the pool keep theirs. No answer is an `OperationError`.
 */
export async function askPool(
  host: Pick<Host, 'exchange' | 'files' | 'random'>,
  address: string,
  { directory, gitFolder }: Pick<Checkout, 'directory' | 'gitFolder'>,
  action: 'look' | 'forget' | 'forget all',
): Promise<PoolAnswer> {
  const folders = [gitFolder, '/tmp'];
  for (const [index, folder] of folders.entries()) {
    const answer = await runIn(host, address, folder, { HOLDFAST_DIRECTORY: directory, HOLDFAST_ACTION: action });
    if (answer !== undefined) return answer;
    if (index === folders.length - 1) break;
  }
  throw new OperationError({
    tried: 'Asking',
    on: `php-fpm at ${address}`,
    reason: `it could run a script neither in ${folders.join(' nor in ')}`,
  });
}

/** Undefined when the pool cannot read a script in that folder. */
async function runIn(
  host: Pick<Host, 'exchange' | 'files' | 'random'>,
  address: string,
  folder: string,
  parameters: Readonly<Record<string, string>>,
): Promise<PoolAnswer | undefined> {
  const random = Math.floor(host.random('opcache-script')() * 2 ** 48).toString(36);
  const path = `${folder}/holdfast-opcache-${random}.php`;
  if (!(await host.files.create(path, script, { mode: 0o644 }))) return undefined;
  try {
    const request = {
      GATEWAY_INTERFACE: 'CGI/1.1',
      REQUEST_METHOD: 'GET',
      SCRIPT_FILENAME: path,
      SCRIPT_NAME: `/${path}`,
    };
    const bytes = encodeRequest({ ...request, ...parameters });
    return readAnswer(decodeAnswer(await host.exchange({ address, bytes, timeoutSeconds })).body);
  } finally {
    await host.files.remove(path);
  }
}

/** A pool whose workers are all busy lets a request wait. */
const timeoutSeconds = 10;

function readAnswer(body: string): PoolAnswer | undefined {
  try {
    const { enabled, validateTimestamps, revalidateSeconds, preload, cached, visited, full, forgotten } =
      JSON.parse(body);
    return {
      enabled: enabled === true,
      validateTimestamps: validateTimestamps === true,
      revalidateSeconds: Number(revalidateSeconds) || 0,
      preloads: preload !== '',
      cached: Number(cached) || 0,
      visited: visited === true,
      full: full === true,
      forgotten: forgotten === true,
    };
  } catch {
    return undefined;
  }
}

/**
 * The script. `opcache.restrict_api` may refuse opcache_get_status and opcache_invalidate: then nothing is forgotten. A
 * file whose time is that of its compilation stays compiled, unless it is younger than 5 s: times are whole seconds. A
 * request that runs meanwhile would mix old and new code, so the script waits up to 0.04 s for a moment without one.
 */
const script = `<?php
$directory = $_SERVER['HOLDFAST_DIRECTORY'] . '/';
$status = function_exists('opcache_get_status') ? @opcache_get_status(true) : false;
$scripts = is_array($status) ? $status['scripts'] ?? [] : [];
$forgotten = is_array($status);
$cached = 0;
$used = 0;
$changed = [];
clearstatcache();
foreach ($scripts as $path => $script) {
    if (strncmp($path, $directory, strlen($directory)) !== 0) continue;
    $cached++;
    $used = max($used, $script['last_used_timestamp'] ?? 0);
    if ($_SERVER['HOLDFAST_ACTION'] === 'look') continue;
    $modified = @filemtime($path);
    $same = $modified === ($script['timestamp'] ?? null) && $modified < time() - 5;
    if ($same && $_SERVER['HOLDFAST_ACTION'] === 'forget') continue;
    $changed[$path] = $modified;
}
$running = function () {
    $workers = function_exists('fpm_get_status') ? fpm_get_status()['procs'] ?? [] : [];
    return count(array_diff(array_column($workers, 'state'), ['Idle']));
};
for ($end = microtime(true) + 0.04; $changed !== [] && $running() > 1 && microtime(true) < $end;) usleep(200);
foreach ($changed as $path => $modified) {
    $forgotten = (@opcache_invalidate($path, true) || $modified === false) && $forgotten;
}
echo json_encode([
    'enabled' => function_exists('opcache_get_status') && filter_var(ini_get('opcache.enable'), FILTER_VALIDATE_BOOL),
    'validateTimestamps' => filter_var(ini_get('opcache.validate_timestamps'), FILTER_VALIDATE_BOOL),
    'revalidateSeconds' => (int) ini_get('opcache.revalidate_freq'),
    'preload' => (string) ini_get('opcache.preload'),
    'cached' => $cached,
    'visited' => $used >= time() - 2,
    'full' => !empty($status['cache_full']),
    'forgotten' => $forgotten,
]);
`;
