<?php
// Runs artisan commands one after the other. Its arguments are a word that marks its results and the steps: their words,
// their environment, leaves, or what Together has. It answers each step, and ends after one that failed. A new
// application is created after its configuration may have changed. env() gives null outside the configuration once that
// is cached: what an application loaded into the environment goes before the next one.
$inherited = [getenv(), $_ENV, $_SERVER];
$steps = json_decode($steps, true);
$publications = array_merge(...array_column($steps, 'publish'));
// Files that a killed or a failing run wrote aside must never be taken for the new ones.
$forget = function () use ($publications) {
    foreach ($publications as $each) {
        array_map('unlink', is_dir($each['from']) ? glob($each['from'] . '/*') : []);
        is_dir($each['from']) ? rmdir($each['from']) : @unlink($each['from']);
    }
};
$forget();
register_shutdown_function($forget);
// The new file stays readable for everybody who could read the old one. A compiled view may be readable for more users;
// a cached configuration may not, because it holds secrets.
$like = fn ($from, $to, $more) => is_file($to) && @chmod($from, (fileperms($to) | ($more ? fileperms($from) : 0)) & 0777);
$rename = function ($from, $to, $more = false) use ($like) {
    $like($from, $to, $more);
    return rename($from, $to) ? [] : [$to];
};
$publish = function ($publication) use ($rename) {
    ['from' => $from, 'to' => $to] = $publication;
    if (!is_dir($from)) return $rename($from, $to);
    $built = array_map('basename', glob("$from/*"));
    $wrong = [];
    foreach ($built as $name) {
        // A view that is not younger than its source, in whole seconds, would be compiled again by every request.
        touch("$from/$name", time() + 1);
        $wrong = [...$wrong, ...$rename("$from/$name", "$to/$name", true)];
    }
    $old = isset($publication['whole']) ? array_diff(array_map('basename', glob("$to/*")), $built) : [];
    return [...$wrong, ...array_filter(array_map(fn ($name) => "$to/$name", $old), fn ($path) => !unlink($path))];
};
// The first application would be started with the old commit's configuration, only to remove it.
if ($steps[0]['words'][1] === 'config:clear' && !isset($steps[0]['views'])) @unlink('bootstrap/cache/config.php');
$before = null;
foreach ($steps as $step) {
    $started = microtime(true);
    foreach (array_keys(getenv()) as $name) {
        if (!array_key_exists($name, $inherited[0])) putenv($name);
    }
    [, $_ENV, $_SERVER] = $inherited;
    foreach ($step['environment'] as $name => $value) {
        putenv("$name=$value");
        $_ENV[$name] = $_SERVER[$name] = $value;
    }
    $_SERVER['argv'] = $step['words'];
    clearstatcache();
    $input = new Symfony\Component\Console\Input\ArgvInput($step['words']);
    $output = new Symfony\Component\Console\Output\BufferedOutput();
    if ($before === null || $before['words'][1] === 'config:cache' || $before['environment'] !== $step['environment']) {
        $kernel = $start(function ($app) use ($step) {
            if (!isset($step['views'])) return;
            is_dir($step['views']) || mkdir($step['views']);
            $settings = ['view.compiled' => getcwd() . '/' . $step['views']];
            if (isset($step['quiet'])) $settings += [
                'logging.default' => 'holdfast',
                'logging.channels.holdfast' => ['driver' => 'monolog', 'handler' => Monolog\Handler\NullHandler::class],
            ];
            $set = fn ($app) => $app['config']->set($settings);
            $app->afterBootstrapping(Illuminate\Foundation\Bootstrap\LoadConfiguration::class, $set);
        });
    }
    $before = $step;
    $exit = $kernel->handle($input, $output);
    $kernel->terminate($input, $exit);
    clearstatcache();
    $wrong = $exit === 0 ? array_merge(...array_map($publish, $step['publish'] ?? [])) : [];
    if (isset($step['leaves']['absent'])) {
        $old = fn ($path) => filemtime($path) < $started - 1;
        $wrong = array_values(array_filter(glob($step['leaves']['absent']), $old));
    } elseif (isset($step['leaves']['present'])) {
        $new = fn ($path) => filemtime($path) >= $started - 1;
        $wrong = array_filter(glob($step['leaves']['present']), $new) === [] ? [$step['leaves']['present']] : [];
    }
    $answer(['exitCode' => $exit, 'seconds' => microtime(true) - $started, 'output' => $output->fetch(), 'wrong' => $wrong]);
    if ($exit !== 0 || $wrong !== []) break;
}
