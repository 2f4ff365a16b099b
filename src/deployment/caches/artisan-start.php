<?php
// Starts the application as artisan would, and does nothing with it.
$_SERVER['argv'] = ['artisan', '--version'];
$start(fn ($app) => null);
$answer(['started' => true]);
