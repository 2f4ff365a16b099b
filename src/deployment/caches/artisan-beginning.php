<?php
// The beginning of both programs. $mark precedes each answer, and $start makes and starts an application. If the first
// one cannot be started, by an exception or by a fatal error, the answer has cannotStart: the reason.
[, $mark, $steps] = $argv;
$answer = function ($answer) use ($mark) {
    echo "\n", $mark, ' ', json_encode($answer, JSON_INVALID_UTF8_SUBSTITUTE), "\n";
};
$starting = true;
$cannotStart = function ($kind, $message, $file, $line) use ($answer) {
    $message = strtok(trim($message), "\n");
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
preg_match("/require(?:_once)?[\s(]+__DIR__\s*\.\s*'([^']*autoload\.php)'/", file_get_contents('artisan'), $found);
define('LARAVEL_START', microtime(true));
$trying(fn () => require getcwd() . $found[1]);
$start = function ($prepare) use (&$starting, $trying) {
    $kernel = $trying(function () use ($prepare) {
        $app = require getcwd() . '/bootstrap/app.php';
        $prepare($app);
        $kernel = $app->make(Illuminate\Contracts\Console\Kernel::class);
        $kernel->bootstrap();
        return $kernel;
    });
    $starting = false;
    return $kernel;
};
