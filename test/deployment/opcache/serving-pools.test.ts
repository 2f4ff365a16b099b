import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { apachePasses } from '../../../src/deployment/opcache/apache-configuration.ts';
import { findServers } from '../../../src/deployment/opcache/find-servers.ts';
import { opcacheSettings, readPools } from '../../../src/deployment/opcache/fpm-configuration.ts';
import { passesOf, readDirectives } from '../../../src/deployment/opcache/nginx-configuration.ts';
import { servingPools, withOnlyPool } from '../../../src/deployment/opcache/serving-pools.ts';
import { nodeFiles } from '../../../src/host/files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { withProcesses } from '../support/processes.ts';

const nginx = (text: string) => passesOf(readDirectives(text), '/usr/share/nginx');

test('nginx: a location has the root of its server, or its own, and an upstream has several addresses', () => {
  const text = `
    user www-data; # a comment; with { braces }
    http {
      log_format main '$remote_addr "{';
      upstream php { server unix:/run/php/a.sock; server 127.0.0.1:9000 weight=2; }
      server { root "/srv/one/public";
        location ~ \\.php$ { fastcgi_pass unix:/run/php/one.sock; }
        location /old { alias /srv/old; location ~ \\.php$ { fastcgi_pass php; } } }
      server { root html; location / { fastcgi_pass unix:/run/php/two.sock:; } }
    }`;
  assert.deepEqual(nginx(text), [
    { roots: ['/srv/one/public'], address: '/run/php/one.sock' },
    { roots: ['/srv/old'], address: '/run/php/a.sock' },
    { roots: ['/srv/old'], address: '127.0.0.1:9000' },
    { roots: ['/usr/share/nginx/html'], address: '/run/php/two.sock' },
  ]);
});

test('nginx: variables that are set are known, and what only a request decides is left out', () => {
  const text = `server { set $app /srv/app; root \${app}/public;
    set $pool unix:/run/php/app.sock; location ~ [.]php$ { fastcgi_pass $pool; fastcgi_param SCRIPT_FILENAME $realpath_root$fastcgi_script_name; }
    location /x { root /srv/$host; fastcgi_pass unix:/x; } location /y { fastcgi_pass unix:/run/$host; }
    location /z { fastcgi_param SCRIPT_FILENAME /srv/z/index.php; fastcgi_pass unix:/z; } }`;
  assert.deepEqual(nginx(text), [
    { roots: ['/srv/app/public'], address: '/run/php/app.sock' },
    { roots: [], address: '/x' },
    { roots: ['/srv/app/public', '/srv/z/index.php'], address: '/z' },
  ]);
});

test('nginx: a text that is cut off anywhere is read as far as it goes', () => {
  const text = 'http { server { root /a; location / { fastcgi_pass unix:/s; } } }';
  for (let length = 0; length <= text.length; length++) nginx(text.slice(0, length));
  assert.equal(nginx(text.slice(0, -6))[0]?.address, '/s');
});

test('Apache: a virtual host has the handler of the main server unless it has its own, and a path that names a folder', () => {
  const text = `
    Define SITE /srv/app
    <FilesMatch ".+\\.ph(?:ar|p|tml)$">
        SetHandler "proxy:unix:/run/php/php8.2-fpm.sock|fcgi://localhost"
    </FilesMatch>
    <VirtualHost *:80>
      DocumentRoot "\${SITE}/public"
    </VirtualHost>
    <VirtualHost *:80>
      DocumentRoot /srv/two
      ProxyPassMatch ^/(.*\\.php)$ fcgi://127.0.0.1:9000/srv/two/web/$1
    </VirtualHost>
    <VirtualHost *:80>
      <Directory /srv/three> <IfModule x>
        SetHandler "proxy:fcgi://[::1]:9001"
      </IfModule> </Directory>
    </VirtualHost>`.replaceAll('> <', '>\n<');
  assert.deepEqual(apachePasses(text), [
    { roots: [], address: '/run/php/php8.2-fpm.sock' },
    { roots: ['/srv/app/public'], address: '/run/php/php8.2-fpm.sock' },
    { roots: ['/srv/two/web/'], address: '127.0.0.1:9000' },
    { roots: ['/srv/three'], address: '[::1]:9001' },
  ]);
});

test('the configuration of a web server that runs is read with all that it includes', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(`${folder}/sites`);
  mkdirSync(`${folder}/apache`);
  writeFileSync(
    `${folder}/nginx.conf`,
    `http { include sites/*.conf; include ${folder}/missing; include nginx.conf; }`,
  );
  writeFileSync(`${folder}/sites/a.conf`, 'server { root /srv/a; location / { fastcgi_pass unix:/a; } }');
  writeFileSync(`${folder}/sites/b.conf.off`, 'server { root /srv/b; location / { fastcgi_pass unix:/b; } }');
  writeFileSync(`${folder}/apache/apache2.conf`, 'IncludeOptional sites/*.conf');
  mkdirSync(`${folder}/apache/sites`);
  writeFileSync(`${folder}/apache/sites/c.conf`, 'DocumentRoot /srv/c\nSetHandler "proxy:unix:/c|fcgi://x"');
  const servers = await findServers(
    withProcesses([
      `nginx: master process /usr/sbin/nginx -c ${folder}/nginx.conf -p /p`,
      `/usr/sbin/apache2\0-d\0${folder}/apache\0-k\0start\0`,
      'nginx: worker process',
      '',
    ]),
  );
  const { passes, warnings } = servers;
  assert.deepEqual(warnings, []);
  assert.deepEqual(
    new Set(passes.map(({ roots, address }) => [...roots, address].join(' '))),
    new Set(['/srv/a /a', '/srv/c /c']),
  );
});

test('a pool is proved to serve the checkout by its web server or its own section, also through links and other notations', async (t) => {
  const folder = temporaryFolder(t);
  const app = `${folder}/app`;
  mkdirSync(`${app}/public`, { recursive: true });
  symlinkSync(app, `${folder}/www`);
  writeFileSync(`${folder}/real.sock`, '');
  symlinkSync('real.sock', `${folder}/link.sock`);
  const text = `
    [socket]\nlisten = ${folder}/real.sock
    [port]\nlisten = 9000
    [far]\nlisten = 10.1.2.3:9000
    [chdir]\nlisten = /chdir\nchdir = ${app}/
    [basedir]\nlisten = /basedir\nphp_admin_value[open_basedir] = /tmp:${folder}/www/public
    [beside]\nlisten = /beside\nchdir = ${app}-two
    [above]\nlisten = /above\nphp_admin_value[open_basedir] = ${folder}`;
  const pools = readPools(text).map((pool) => ({ ...pool, master: '1', settings: opcacheSettings({}) }));
  const proved = async (passes: readonly (readonly [root: string, address: string])[]) => {
    const found = passes.map(([root, address]) => ({ roots: [root], address }));
    const serving = new Set((await servingPools(nodeFiles(), pools, [app], found)).ours);
    return pools.filter((pool) => serving.has(pool)).map(({ name }) => name);
  };
  assert.deepEqual(await proved([]), ['chdir', 'basedir']);
  assert.deepEqual(await proved([[`${folder}/www/public`, `${folder}/link.sock`]]), ['socket', 'chdir', 'basedir']);
  assert.deepEqual(await proved([[`${app}/current/public`, '127.0.0.1:9000']]), ['port', 'chdir', 'basedir']);
  assert.deepEqual(await proved([[`${app}-two/public`, `${folder}/link.sock`]]), ['chdir', 'basedir']);
  const [only] = pools;
  const sortOnly = async (roots: readonly string[]) => {
    const passes = roots.map((root) => ({ roots: [root], address: `${folder}/link.sock` }));
    return withOnlyPool(await servingPools(nodeFiles(), only === undefined ? [] : [only], [app], passes));
  };
  assert.deepEqual(await sortOnly([]), { ours: [only], unknown: [], elsewhere: [] });
  assert.deepEqual(
    await sortOnly([`${app}-two/public`]),
    { ours: [], unknown: [], elsewhere: [only] },
    'it serves another site',
  );
  assert.deepEqual(await sortOnly([`${app}-two/public`, app]), { ours: [only], unknown: [], elsewhere: [] });
});
