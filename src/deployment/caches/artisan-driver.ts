/**
 * The beginning of both programs: `$mark` precedes each answer, and `$start` makes and starts an application. Where the
 * first one cannot be started, by an exception or by a fatal error, the answer has `cannotStart`: the reason.
 */
const prelude = `
[, $mark, $steps] = $argv;
$answer = function ($answer) use ($mark) {
    echo "\\n", $mark, ' ', json_encode($answer, JSON_INVALID_UTF8_SUBSTITUTE), "\\n";
};
$starting = true;
$cannotStart = function ($kind, $message, $file, $line) use ($answer) {
    $message = strtok(trim($message), "\\n");
    $answer(['cannotStart' => "$kind: $message at " . str_replace(getcwd() . '/', '', $file) . ":$line"]);
};
register_shutdown_function(function () use (&$starting, $cannotStart) {
    $error = error_get_last();
    if (!$starting || !(($error['type'] ?? 0) & (E_ERROR | E_PARSE | E_CORE_ERROR | E_COMPILE_ERROR))) return;
    $cannotStart('Fatal error', $error['message'], $error['file'], $error['line']);
});
$trying = function ($start) use (&$starting, $cannotStart) {
    try {
        return $start();
    } catch (Throwable $error) {
        if (!$starting) throw $error;
        $cannotStart(get_class($error), $error->getMessage(), $error->getFile(), $error->getLine());
        exit(1);
    }
};
preg_match("/require(?:_once)?[\\s(]+__DIR__\\s*\\.\\s*'([^']*autoload\\.php)'/", file_get_contents('artisan'), $found);
define('LARAVEL_START', microtime(true));
$trying(fn () => require getcwd() . $found[1]);
$start = function ($prepare) use (&$starting, $trying) {
    $kernel = $trying(function () use ($prepare) {
        $app = require getcwd() . '/bootstrap/app.php';
        $prepare($app);
        $kernel = $app->make(Illuminate\\Contracts\\Console\\Kernel::class);
        $kernel->bootstrap();
        return $kernel;
    });
    $starting = false;
    return $kernel;
};
`;

/** Starts the application as artisan would, and does nothing with it. */
export const startDriver = `${prelude}
$_SERVER['argv'] = ['artisan', '--version'];
$start(fn ($app) => null);
$answer(['started' => true]);
`;

/**
 * A PHP program that runs artisan commands one after the other: a word that marks its results and the steps (their
 * words, their environment, `leaves`, or what `Together` has) are its arguments. It answers each step, and ends after
 * one that failed. A new application is created after its configuration may have changed. `env()` gives null outside
 * the configuration once that is cached: what an application loaded into the environment goes before the next one.
 */
export const driver = `${prelude}
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
    $input = new Symfony\\Component\\Console\\Input\\ArgvInput($step['words']);
    $output = new Symfony\\Component\\Console\\Output\\BufferedOutput();
    if ($before === null || $before['words'][1] === 'config:cache' || $before['environment'] !== $step['environment']) {
        $kernel = $start(function ($app) use ($step) {
            if (!isset($step['views'])) return;
            is_dir($step['views']) || mkdir($step['views']);
            $views = fn ($app) => $app['config']->set('view.compiled', getcwd() . '/' . $step['views']);
            $app->afterBootstrapping(Illuminate\\Foundation\\Bootstrap\\LoadConfiguration::class, $views);
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
`;
