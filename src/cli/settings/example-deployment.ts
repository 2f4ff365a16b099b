import { group, offGroup, on } from './setting.ts';

/** Who gets messages of `holdfast monitor`, to fill in. */
export const exampleMonitor = offGroup('monitor', 'holdfast monitor: who gets messages', [
  on('alertAfter', '3', 'bad samples in a row; --alert-after'),
  group('notifiers', 'as in deployment; no flags', [on('slackWebhookUrl', `\${SLACK_WEBHOOK_URL}`)]),
]);

/** What a deploy is set by, to fill in. */
export const exampleDeployment = offGroup('deployment', 'deploy, rollback, status, history, doctor, lock', [
  on('appDir', '/srv/www/app', '--app-dir, APP_DIR'),
  on('branch', 'main', '--branch, BRANCH'),
  on('logFile', '/var/log/holdfast/app.log', '--log-file, LOG_FILE'),
  on('healthUrl', 'https://app.example.com/up', '--health-url, HEALTH_URL; 200 and nothing else is healthy'),
  on('preset', 'laravel', 'which caches: also symfony, wordpress, drupal, php, none; --preset'),
  on('php', 'php8.2', 'which PHP; no flag'),
  on('subfolder', 'backend', 'where the application is in its repository; --subfolder'),
  on('mode', 'in-place', 'or releases: each commit in a folder, shown by the link current; --mode'),
  group('releases', 'no flags', [
    on('folder', 'releases', 'from appDir, or anywhere'),
    on('keep', '5', 'good ones, the live one among them'),
    on('shared', '[.env, storage, public/storage]', 'stays at the top of appDir, and is linked into each'),
  ]),
  on('health', '{ before: true }', 'asks a release by itself before the link leads to it; no flag'),
  on('slackWebhookUrl', `\${SLACK_WEBHOOK_URL}`, 'a secret: from the environment; no flag'),
  group('mail', 'no flags; TO_EMAIL, FROM_EMAIL, MAIL_SUBJECT', [
    on('to', 'ops@example.com'),
    on('from', 'deploy@example.com'),
    on('subject', 'Deployment of app'),
    on('transport', 'sendmail', `or smtp://user:\${SMTP_PASSWORD}@mail.example.com`),
  ]),
]);
