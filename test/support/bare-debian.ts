import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder } from './temporary-folder.ts';

const clone = join(import.meta.dirname, '../..');

/** Debian 12 as debootstrap makes it: no Node, no git. What reaches the registries comes from this machine. */
export function bareDebian(t: TestContext): string {
  const root = temporaryFolder(t);
  chmodSync(root, 0o755);
  const made = spawnSync('debootstrap', ['--variant=minbase', 'bookworm', root], { encoding: 'utf8' });
  assert.equal(made.status, 0, made.stdout + made.stderr);
  writeFileSync(join(root, 'etc/apt/apt.conf.d/99yes'), 'APT::Get::Assume-Yes "true";\n');
  for (const path of ['/etc/resolv.conf', '/etc/hosts', '/etc/ssl/certs/ca-certificates.crt'].filter(existsSync)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    copyFileSync(path, join(root, path));
  }
  copyFileSync('/etc/ssl/certs/ca-certificates.crt', join(root, 'srv/authorities.crt'));
  writeFileSync(join(root, 'srv/.npmrc'), 'cafile=/srv/authorities.crt\n');
  cpSync(clone, join(root, 'srv/holdfast'), {
    recursive: true,
    filter: (path) =>
      !['node_modules', 'dist', 'runs'].some((name) => path === join(clone, name)) && !path.endsWith('.deb'),
  });
  return root;
}

const enter =
  'root=$1; shift; mount -t proc proc "$root/proc"; mount --rbind /dev "$root/dev"; exec chroot "$root" "$@"';
const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/srv', DEBIAN_FRONTEND: 'noninteractive' };

export interface Screen {
  readonly status: number;
  readonly screen: string;
}

/** Types a line into a shell of that root, in the clone; its screen, with the line at the top, is printed. */
export async function type(root: string, line: string): Promise<Screen> {
  const shell = spawn(
    'unshare',
    ['--mount', 'sh', '-euc', enter, 'sh', root, 'sh', '-c', `cd /srv/holdfast\n${line}`],
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

/** The same where it has to succeed. */
export async function typeWell(root: string, line: string): Promise<string> {
  const { status, screen } = await type(root, line);
  assert.equal(status, 0, `${line}\n${screen}`);
  return screen;
}

/**
 * The package of an earlier commit of this clone, as version 0.0.9; its compression is left out, because it takes a
 * minute.
 */
export function packageOf(t: TestContext, commit: string): string {
  const folder = temporaryFolder(t);
  const build = `git archive "$1" | tar -x -C "$2" && cd "$2" && npm ci --silent &&
    npm run --silent package:deb -- --version 0.0.9 --compression none`;
  const { status, stdout, stderr } = spawnSync('sh', ['-euc', build, 'sh', commit, folder], {
    cwd: clone,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout + stderr);
  return stdout.trim().split('\n').at(-1) ?? '';
}
