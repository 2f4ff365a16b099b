<?php
// opcache.restrict_api may refuse opcache_get_status and opcache_invalidate: then nothing is forgotten. A file whose time
// is that of its compilation stays compiled, unless it is younger than 5 s: times are whole seconds. A request that runs
// meanwhile would mix old and new code, so the script waits up to 0.04 s for a moment without one. Compiled files below
// .git belong to no site: scripts of a former version left them there. With opcache.file_update_protection at 0 opcache
// keeps the script itself, so it takes itself out. A request for it by HTTP gets an empty answer.
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
    'keysLeft' => isset($status['opcache_statistics'])
        ? $status['opcache_statistics']['max_cached_keys'] - $status['opcache_statistics']['num_cached_keys']
        : null,
    'forgotten' => $forgotten,
]);
if ($scripts !== [] && @opcache_is_script_cached(__FILE__)) @opcache_invalidate(__FILE__, true);
