<?php
// What public/index.php of Laravel includes before anything else.
if (! is_file($down = __DIR__.'/down')) return;
$data = json_decode(file_get_contents($down), true);
if (! isset($data['template'])) return;
http_response_code($data['status'] ?? 503);
header('Retry-After: '.($data['retry'] ?? 60));
echo $data['template'];
exit;
