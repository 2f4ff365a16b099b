import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const clone = join(import.meta.dirname, '../..');

/** The commands that the README has for a bare Debian 12, without their comments. */
function readmeCommands(): readonly string[] {
  const [, block = ''] =
    /On a bare Debian 12[^`]+```\n([^`]+)```/.exec(readFileSync(join(clone, 'README.md'), 'utf8')) ?? [];
  return block
    .trim()
    .split('\n')
    .map((line) => line.replace(/ +# .*$/, ''));
}

/** Debian 12 as debootstrap makes it: no Node, no git. What reaches the registries comes from this machine. */
function bareDebian(t: TestContext): string {
  const root = temporaryFolder(t);
  chmodSync(root, 0o755);
  const made = spawnSync('debootstrap', ['--variant=minbase', 'bookworm', root], { encoding: 'utf8' });
  assert.equal(made.status, 0, made.stdout + made.stderr);
  writeFileSync(join(root, 'etc/apt/apt.conf.d/99yes'), 'APT::Get::Assume-Yes "true";\n');
  for (const path of ['/etc/resolv.conf', '/etc/hosts', '/etc/ssl/certs/ca-certificates.crt'].filter(existsSync)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    copyFileSync(path, join(root, path));
  }
  copyFileSync('/etc/ssl/certs/ca-certificates.crt', join(root, 'root/authorities.crt'));
  writeFileSync(join(root, 'root/.npmrc'), 'cafile=/root/authorities.crt\n');
  cpSync(clone, join(root, 'root/holdfast'), {
    recursive: true,
    filter: (path) =>
      !['node_modules', 'dist', 'runs'].some((name) => path === join(clone, name)) && !path.endsWith('.deb'),
  });
  return root;
}

const enter =
  'root=$1; shift; mount -t proc proc "$root/proc"; mount --rbind /dev "$root/dev"; exec chroot "$root" "$@"';
const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', DEBIAN_FRONTEND: 'noninteractive' };

/** Types a line into a shell of that root; its screen, with the line at the top, is printed. */
async function type(root: string, line: string): Promise<{ readonly status: number; readonly screen: string }> {
  const shell = spawn(
    'unshare',
    ['--mount', 'sh', '-euc', enter, 'sh', root, 'sh', '-c', `cd /root/holdfast\n${line}`],
    { env },
  );
  let screen = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      screen += text;
    });
  const [status] = await once(shell, 'close');
  console.log(`$ ${line}\n${screen}`);
  return { status, screen };
}

const site = `
  apt-get update -qq && apt-get install -qq --no-install-recommends git >/dev/null
  useradd --create-home deploy && mkdir -p /srv/www && chown deploy /srv/www
  su deploy -c 'cd; git init -q --bare --initial-branch=main origin.git; git clone -q origin.git work; cd work
    git config user.name You; git config user.email you@example.com
    echo ok > up; git add .; git commit -qm First; git push -q origin HEAD:main; git clone -q ../origin.git /srv/www/app'`;

test('the three commands of the README lead to a verified deploy on a bare Debian 12', {
  timeout: 1_800_000,
}, async (t) => {
  if (!needs(t, 'debootstrap')) return;
  if (process.getuid?.() !== 0) return t.skip('debootstrap needs root');
  const root = bareDebian(t);
  assert.equal((await type(root, site)).status, 0);
  const server = createServer((request, response) => {
    response.writeHead(existsSync(join(root, 'srv/www/app', request.url ?? '')) ? 200 : 404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const [build = '', install = '', deploy = '', ...others] = readmeCommands();
  assert.deepEqual(others, []);
  assert.equal((await type(root, build)).status, 0);
  assert.equal((await type(root, install)).status, 0);
  const health = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const typed = `${deploy.replace('https://app.example.com', health)} --preset none`;
  const { status, screen } = await type(root, `su - deploy -c '${typed}'`);
  assert.equal(status, 0);
  assert.match(screen, /verified at [0-9a-f]{40}, exit 0/);
});
