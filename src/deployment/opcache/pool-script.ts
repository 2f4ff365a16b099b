import type { OpcacheSettings } from './fpm-configuration.ts';

/** The state of a pool's opcache, as a script that runs in the pool sees it. */
export interface PoolAnswer extends OpcacheSettings {
  /** How many files of the directory it has compiled, without those below .git. */
  readonly cached: number;
  /** Whether one of them was used in the last two seconds. */
  readonly visited: boolean;
  /** Whether it keeps no further file, because its memory or its table of files is full. */
  readonly full: boolean;
  /** How many files more its table takes; absent where it does not say. Those of removed releases stay in it. */
  readonly keysLeft?: number;
  /** Whether it forgot all files that it was asked to forget; with `look`, whether it could. */
  readonly forgotten: boolean;
}

/** Undefined for what the script does not print. */
export function readAnswer(body: string): PoolAnswer | undefined {
  try {
    const { enabled, validateTimestamps, revalidateSeconds, preload, cached, visited, full, keysLeft, forgotten } =
      JSON.parse(body);
    return {
      enabled: enabled === true,
      validateTimestamps: validateTimestamps === true,
      revalidateSeconds: Number(revalidateSeconds) || 0,
      preloads: preload !== '',
      cached: Number(cached) || 0,
      visited: visited === true,
      full: full === true,
      ...(typeof keysLeft === 'number' ? { keysLeft } : {}),
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
 * Compiled files below .git are no site's: scripts of ours that a former version left there. Where
 * `opcache.file_update_protection` is 0 the script itself has been kept, and takes itself out. A request for it by HTTP
 * gets an empty answer.
 */
export const poolScript = `<?php
if (!isset($_SERVER['HOLDFAST_ACTION'])) exit;
$directory = $_SERVER['HOLDFAST_DIRECTORY'] . '/';
$status = function_exists('opcache_get_status') ? @opcache_get_status(true) : false;
$scripts = is_array($status) ? $status['scripts'] ?? [] : [];
$forgotten = is_array($status);
$cached = 0;
$used = 0;
$changed = [];
clearstatcache();
foreach ($scripts as $path => $script) {
    if (strncmp($path, $directory, strlen($directory)) !== 0 || $path === __FILE__) continue;
    if (strncmp($path, "$directory.git/", strlen("$directory.git/")) !== 0) {
        $cached++;
        $used = max($used, $script['last_used_timestamp'] ?? 0);
    }
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
    'keysLeft' => isset($status['opcache_statistics']) ? $status['opcache_statistics']['max_cached_keys'] - $status['opcache_statistics']['num_cached_keys'] : null,
    'forgotten' => $forgotten,
]);
if ($scripts !== [] && @opcache_is_script_cached(__FILE__)) @opcache_invalidate(__FILE__, true);
`;
