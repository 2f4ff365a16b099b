import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { test } from 'node:test';
import { apachePasses } from '../../../src/deployment/opcache/apache-configuration.ts';
import { findServers } from '../../../src/deployment/opcache/find-servers.ts';
import { readPools } from '../../../src/deployment/opcache/fpm-configuration.ts';
import { passesOf, readDirectives } from '../../../src/deployment/opcache/nginx-configuration.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { withProcesses } from '../support/processes.ts';

const foreign = 65534;
const ofForeign = [foreign, foreign, foreign, foreign] as const;
const addressesIn = ({ passes }: Awaited<ReturnType<typeof findServers>>) => passes.map(({ address }) => address);

test('the title of another user is not even read; a server of another user that is no worker of ours is a warning', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(`${folder}/nginx.conf`, 'http { server { root /srv/a; location / { fastcgi_pass unix:/a; } } }');
  const title = `nginx: master process /usr/sbin/nginx -c ${folder}/nginx.conf`;
  const fpm = `php-fpm: master process (${folder}/fpm.conf)`;
  writeFileSync(`${folder}/fpm.conf`, '[www]\nlisten = /evil.sock');
  const { uid } = userInfo();
  const files = withProcesses([
    { title, name: 'nginx' },
    { title: 'nginx: worker process', name: 'nginx', parent: 1, uids: ofForeign },
    { title, name: 'sleep', uids: ofForeign },
    { title: fpm, name: 'php-fpm8.2', uids: ofForeign },
    { title: 'php-fpm: pool www', name: 'php-fpm8.2', parent: 4, uids: ofForeign },
    // A program with the set-user-ID bit has the arguments of who started it.
    { title: fpm, name: 'passwd', uids: [foreign, uid, uid, uid] },
  ]);
  const servers = await findServers(files);
  assert.deepEqual(addressesIn(servers), ['/a']);
  assert.deepEqual(servers.pools, []);
  assert.deepEqual(files.asked, ['1']);
  assert.equal(servers.warnings.length, 1);
  assert.match(servers.warnings[0] ?? '', /^process 4 \(php-fpm8\.2\) .*belongs to nobody.*opcache\.fastcgi/);
});

test('a pipe, a device, a file of somebody else and one that is too long are left out of a configuration, and the rest is read', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(`${folder}/sites`);
  execFileSync('mkfifo', [`${folder}/sites/a.conf`]);
  symlinkSync('/dev/zero', `${folder}/sites/b.conf`);
  writeFileSync(`${folder}/sites/c.conf`, `# ${'x'.repeat(600_000)}`);
  writeFileSync(`${folder}/sites/d.conf`, 'server { root /srv/d; location / { fastcgi_pass unix:/d; } }');
  chmodSync(`${folder}/sites/d.conf`, 0o666);
  writeFileSync(`${folder}/sites/e.conf`, 'server { root /srv/e; location / { fastcgi_pass unix:/e; } }');
  if (userInfo().uid === 0) chownSync(`${folder}/sites/e.conf`, foreign, foreign);
  writeFileSync(`${folder}/available`, 'server { root /srv/z; location / { fastcgi_pass unix:/z; } }');
  symlinkSync('../available', `${folder}/sites/z.conf`);
  writeFileSync(`${folder}/nginx.conf`, 'http { include sites/*.conf; }');
  const servers = await findServers(withProcesses([`nginx: master process nginx -c ${folder}/nginx.conf`]));
  assert.deepEqual(addressesIn(servers), userInfo().uid === 0 ? ['/z'] : ['/e', '/z']);
  assert.match(servers.warnings.join('\n'), /a\.conf is left out .* not a plain file/);
});

test('files that include themselves, each other or all of their folder come to an end', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(`${folder}/sites`);
  const again = 'include sites/*.conf; '.repeat(5);
  for (const name of ['a', 'b', 'c'])
    writeFileSync(
      `${folder}/sites/${name}.conf`,
      `${again} include ../sites/${name}.conf; include ${folder}/sites/?.conf;`,
    );
  writeFileSync(`${folder}/nginx.conf`, `http { ${again} server { root /srv; location / { fastcgi_pass unix:/s; } } }`);
  writeFileSync(`${folder}/apache2.conf`, 'Include apache2.conf\nInclude ./apache2.conf\n'.repeat(5));
  const files = withProcesses([
    `nginx: master process nginx -c ${folder}/nginx.conf`,
    `/usr/sbin/apache2\0-d\0${folder}\0`,
  ]);
  assert.deepEqual(addressesIn(await findServers(files)), ['/s']);
});

test('no text of a configuration makes its reader fail or take for ever', () => {
  const long = 20_000;
  const texts = [
    '{',
    'a {',
    '"',
    '\\x',
    `\${a}`,
    ' ',
    '}',
    ';',
    'x',
    "'",
    'set $a $a$a;',
    '[a]\n$pool=$pool\n',
    '<a>\n',
    `Define a \${a}\${a}\n`,
  ];
  for (const text of texts) {
    const whole = text.repeat(long);
    passesOf(readDirectives(whole), '/p');
    apachePasses(whole);
    readPools(`[a]\nlisten = x\n${whole}`);
  }
});
