<?php
// What a web server does for PHP: files are shown as they are, everything else is the application's, and HTTPS ends
// before it. One variable, because the application's script shares the names.
$holdfast = rawurldecode((string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH));
if (! is_file($_SERVER['DOCUMENT_ROOT'].$holdfast)) $holdfast = '/index.php';
elseif (substr($holdfast, -4) !== '.php') return false;
unset($_SERVER['PATH_INFO']);
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = $holdfast;
$_SERVER['SCRIPT_FILENAME'] = $_SERVER['DOCUMENT_ROOT'].$holdfast;
if (getenv('HOLDFAST_HTTPS') === 'on') $_SERVER['HTTPS'] = 'on';
unset($holdfast);
chdir(dirname($_SERVER['SCRIPT_FILENAME']));
require $_SERVER['SCRIPT_FILENAME'];
