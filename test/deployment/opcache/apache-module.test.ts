import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, globSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { apacheModule } from '../../../src/deployment/opcache/apache-configuration.ts';
import { decideMeans } from '../../../src/deployment/opcache/means.ts';
import { freePort } from '../../support/free-port.ts';
import { needs } from '../../support/needs.ts';
import { buildCheckout } from '../support/checkout.ts';
import { until } from '../support/holdfast.ts';
import { quietHost } from '../support/quiet-host.ts';
import { settingsOf } from '../support/site.ts';

test('a commit of plain PHP in Apache’s own processes is judged by its own code, also a good one after one that throws', async (t) => {
  const [php] = globSync('/usr/lib/apache2/modules/libphp*.so');
  if (!needs(t, 'apache2') || php === undefined) return t.skip('mod_php is not here');
  const site = buildCheckout(t, {
    'public/index.php': "<?php echo require __DIR__ . '/../version.php';",
    'version.php': "<?php return 'one';",
  });
  const url = await startApache(t, site.folder, join(site.app, 'public'), php);
  const page = async () => (await fetch(url, { headers: { connection: 'close' } })).text();
  const old = () => ['public/index.php', 'version.php'].map((path) => utimesSync(join(site.app, path), 1, 1));
  old();
  assert.equal(await page(), 'one');
  const { app: appDir, logFile, folder } = site;
  const environment = { PATH: process.env.PATH ?? '', HOME: folder };
  const settings = settingsOf({ appDir, branch: 'main', logFile, healthUrl: url, preset: 'php' }, environment, {});
  const push = (text: string) => {
    site.push({ 'version.php': text });
    return deploy(quietHost(), settings);
  };
  assert.equal((await push("<?php throw new Exception('broken');")).state, 'rolled-back', site.log());
  assert.match(site.log(), /^\[INFO\] Waiting 3 s, because PHP in Apache \(mod_php\) cannot be made to forget/m);
  assert.equal(await page(), 'one');
  old();
  assert.equal((await push("<?php return 'two';")).state, 'verified', site.log());
  assert.equal(await page(), 'two');
});

/** An Apache whose one worker runs PHP itself; its address. */
async function startApache(t: TestContext, folder: string, root: string, php: string): Promise<string> {
  const port = await freePort();
  const modules = '/usr/lib/apache2/modules';
  const names = ['mpm_prefork', 'authz_core', 'dir'].map(
    (name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`,
  );
  const configuration = `ServerName localhost
Listen 127.0.0.1:${port}
PidFile ${folder}/apache.pid
ErrorLog ${folder}/apache.log
${names.join('\n')}
LoadModule php_module ${php}
User daemon
Group daemon
StartServers 1
MaxRequestWorkers 1
DocumentRoot ${root}
DirectoryIndex index.php
<Directory ${root}>
  Require all granted
</Directory>
<FilesMatch "\\.php$">
  SetHandler application/x-httpd-php
</FilesMatch>
php_admin_value opcache.enable 1
`;
  const path = join(folder, 'apache.conf');
  writeFileSync(path, configuration);
  chmodSync(folder, 0o755);
  const child = spawn('/usr/sbin/apache2', ['-DFOREGROUND', '-f', path], { stdio: 'ignore', detached: true });
  t.after(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    return new Promise((resolve) => (child.exitCode === null ? child.once('close', resolve) : resolve(undefined)));
  });
  await until(() => existsSync(join(folder, 'apache.pid')), 'Apache is ready');
  return `http://127.0.0.1:${port}/`;
}

test('a module that never looks at its files again needs a command that starts Apache afresh', () => {
  const text = `LoadModule php_module /usr/lib/apache2/modules/libphp8.2.so
DocumentRoot /srv/main
php_admin_value opcache.validate_timestamps 0
<VirtualHost *:80>
DocumentRoot "/srv/app/public"
</VirtualHost>
<VirtualHost *:81>
DocumentRoot /srv/fpm
<FilesMatch x>
SetHandler "proxy:unix:/run/php.sock|fcgi://localhost"
</FilesMatch>
</VirtualHost>`;
  const found = apacheModule(text);
  assert.deepEqual(found, {
    roots: ['/srv/main', '/srv/app/public'],
    version: '8.2',
    values: { 'opcache.validate_timestamps': '0' },
  });
  const settings = { enabled: true, validateTimestamps: false, revalidateSeconds: 2, preloads: false };
  const means = decideMeans([{ address: 'Apache', master: '1', settings, isOurs: true }]);
  assert.match(
    String('because' in means && means.because),
    /^PHP in Apache \(mod_php\) goes on .*apachectl graceful\.$/,
  );
  assert.equal(apacheModule('DocumentRoot /srv'), undefined);
});
