import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { needs } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

export interface Ended {
  readonly status: number | null;
  /** Standard output, then standard error. */
  readonly output: string;
}

/** A root directory in which dpkg installs: with this machine's programs, and nothing that was installed before. */
export interface FreshRoot {
  readonly folder: string;
  /** Starts a command with this root, in a mount namespace of its own. */
  readonly start: (...command: readonly string[]) => Promise<Ended>;
  /** The same; throws where the exit code is not 0. */
  readonly run: (...command: readonly string[]) => Promise<string>;
  /** Every path below the root but dpkg's own and those of the sites that a test makes. */
  readonly paths: () => readonly string[];
}

/** Undefined, and the test is skipped, where this user may not mount or this machine has no dpkg. */
export function freshRoot(t: TestContext): FreshRoot | undefined {
  if (!(needs(t, 'dpkg') && needs(t, 'git'))) return undefined;
  if (spawnSync('unshare', ['--mount', 'true']).status !== 0) {
    t.skip('only root may mount, and dpkg gets a root of its own here');
    return undefined;
  }
  const folder = temporaryFolder(t);
  layOut(folder);
  const start = (...command: readonly string[]): Promise<Ended> => {
    const process = spawn('unshare', ['--mount', 'sh', '-euc', enter, 'sh', folder, ...command], { env });
    t.after(() => process.kill());
    return ended(process);
  };
  return {
    folder,
    start,
    run: async (...command) => {
      const { status, output } = await start(...command);
      if (status !== 0) throw new Error(`${command.join(' ')}: exit code ${status}\n${output}`);
      return output;
    },
    paths: () =>
      spawnSync('find', [folder, '-printf', '%P\\n'], { encoding: 'utf8' })
        .stdout.split('\n')
        .filter((path) => !/^(var\/(lib\/dpkg|log)|srv|tmp)\//.test(path))
        .sort(),
  };
}

const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', LANG: 'C.UTF-8' };

async function ended(process: ChildProcessWithoutNullStreams): Promise<Ended> {
  process.stdin.end();
  const [output, errors, [status]] = await Promise.all([
    text(process.stdout),
    text(process.stderr),
    once(process, 'close'),
  ]);
  return { status, output: output + errors };
}

/** What this machine has below /usr is at /bin, /sbin, /lib, /lib64 and /share; /usr itself is the root's own. */
const enter = `
  root=$1; shift
  for name in bin sbin lib lib64 share; do
    [ ! -d "/usr/$name" ] || mount --bind "/usr/$name" "$root/$name"
  done
  mount --rbind /proc "$root/proc"
  mount --rbind /dev "$root/dev"
  exec chroot "$root" "$@"`;

/**
 * Folders of /usr that dpkg writes to, each after the one that it is in: what they hold otherwise are links to this
 * machine's.
 */
const written = ['usr/bin', 'usr/sbin', 'usr/lib', 'usr/lib/systemd', 'usr/lib/systemd/system', 'usr/share'];

/**
 * Where packages put what this machine's programs do not need: empty, so that dpkg writes to the root and not through a
 * link to this machine.
 */
const own = [
  'usr/share/doc',
  'usr/share/man/man1',
  'usr/share/bash-completion/completions',
  'usr/share/fish/vendor_completions.d',
  'usr/share/zsh/vendor-completions',
];

function layOut(root: string): void {
  const empty = ['bin', 'sbin', 'lib', 'lib64', 'share', 'proc', 'dev', 'etc', 'root', 'srv', 'tmp', 'run', 'var/log'];
  for (const name of [...empty, ...written, ...own, 'var/lib/dpkg/info', 'var/lib/dpkg/updates'])
    mkdirSync(join(root, name), { recursive: true });
  for (const name of written.filter((folder) => existsSync(join('/', folder))))
    for (const entry of readdirSync(join('/', name)).filter((each) => !/holdfast|sendmail/.test(each)))
      if (!existsSync(join(root, name, entry)))
        symlinkSync(join(name.replace('usr', ''), entry), join(root, name, entry));
  for (const name of ['passwd', 'group', 'ld.so.cache']) copyFileSync(join('/etc', name), join(root, 'etc', name));
  for (const name of ['status', 'available']) writeFileSync(join(root, 'var/lib/dpkg', name), '');
}
