import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  globSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entriesOf } from '../debian/stage-package.ts';

/** What Node links (`readelf -d`), the authorities of TLS, and the zones of `timeZone` in a CronJob. */
const debianPackages = ['libc6', 'libgcc-s1', 'libstdc++6', 'ca-certificates', 'tzdata'];

/** What no program reads; of gconv, iconv's tables of character sets, Node has its own. */
const unread = [
  ...['doc', 'man', 'lintian', 'locale', 'bug'].map((name) => `usr/share/${name}`),
  'usr/lib/*-linux-gnu*/gconv',
];

/**
 * The programs of these packages are scripts for a shell, which is not there; of zoneinfo, `right` and `posix` are
 * copies.
 */
const unusable = ['usr/sbin', 'usr/share/zoneinfo/right', 'usr/share/zoneinfo/posix', 'lib/systemd', 'usr/lib/systemd'];

export interface Wanted {
  /** Debian's name: amd64, arm64. */
  readonly architecture: string;
  /** The path of holdfast's own package of that architecture. */
  readonly deb: string;
  /** Seconds since 1970: the time of every file. */
  readonly builtAt: number;
}

/**
 * Lays out the image's files in `folder`: no shell, no package manager, one user without privileges. Nothing of another
 * architecture is run.
 *
 * @returns the Debian packages in it, as `name_version_architecture.deb`: the same ones make the same files
 * @throws Error where apt reaches no mirror
 */
export function stageRoot(folder: string, { architecture, deb, builtAt }: Wanted): readonly string[] {
  const downloads = mkdtempSync(join(tmpdir(), 'holdfast-image-'));
  try {
    download(downloads, architecture);
    const files = globSync('*.deb', { cwd: downloads }).toSorted();
    mkdirSync(folder, { recursive: true });
    for (const path of [...files.map((name) => join(downloads, name)), deb])
      execFileSync('dpkg-deb', ['--extract', path, folder]);
    finishInstallation(folder);
    for (const path of globSync([...unread, ...unusable], { cwd: folder }))
      rmSync(join(folder, path), { recursive: true });
    for (const path of [folder, ...entriesOf(folder)]) fixModeAndTime(path, builtAt);
    return files.map((name) => decodeURIComponent(name));
  } finally {
    rmSync(downloads, { recursive: true });
  }
}

/**
 * By an apt that knows nothing but the architecture and this machine's mirrors: what is installed here must not show in
 * the image.
 */
function download(folder: string, architecture: string): void {
  for (const name of ['state/lists/partial', 'cache/archives/partial'])
    mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'state/status'), '');
  const options = [
    `Dir::State=${folder}/state`,
    `Dir::State::status=${folder}/state/status`,
    `Dir::Cache=${folder}/cache`,
    `APT::Architecture=${architecture}`,
    `APT::Architectures=${architecture}`,
    'Acquire::Languages=none',
    // apt gives its downloads to a user of its own, who may not enter this folder.
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['-o', option]);
  const apt = (...words: readonly string[]): void => {
    execFileSync('apt-get', ['-qq', ...options, ...words], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  };
  apt('update');
  apt('download', ...debianPackages);
}

/** What the packages' own scripts would have done. */
function finishInstallation(folder: string): void {
  const authorities = globSync('usr/share/ca-certificates/**/*.crt', { cwd: folder }).toSorted();
  const write = (path: string, text: string): void => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write(
    'etc/ssl/certs/ca-certificates.crt',
    authorities.map((path) => readFileSync(join(folder, path), 'utf8')).join(''),
  );
  rmSync(join(folder, 'usr/share/ca-certificates'), { recursive: true });
  write('etc/passwd', 'root:x:0:0:root:/:/nologin\nholdfast:x:65532:65532:holdfast:/var/lib/holdfast:/nologin\n');
  write('etc/group', 'root:x:0:\nholdfast:x:65532:\n');
  write('etc/nsswitch.conf', 'hosts: files dns\n');
  mkdirSync(join(folder, 'tmp'), { recursive: true });
  useVersion(join(folder, 'usr/lib/holdfast'));
}

/** As the package's postinst: the program lies in a folder of its version, whose name its first line has. */
function useVersion(home: string): void {
  const [, identity] =
    /^#!\S+\/versions\/([^/]+)\//.exec(readFileSync(join(home, 'package/bin/holdfast.js'), 'utf8')) ?? [];
  if (identity === undefined) throw new Error('bin/holdfast.js of the package does not name the Node that it runs on.');
  mkdirSync(join(home, 'versions'));
  renameSync(join(home, 'package'), join(home, 'versions', identity));
  symlinkSync(`versions/${identity}`, join(home, 'current'));
}

/** Neither the umask nor the clock of whoever builds is in the image; only /tmp can be written by everybody. */
function fixModeAndTime(path: string, seconds: number): void {
  const entry = lstatSync(path);
  if (!entry.isSymbolicLink()) {
    const isProgram = entry.isDirectory() || (entry.mode & 0o100) !== 0;
    chmodSync(path, isProgram ? 0o755 : 0o644);
  }
  lutimesSync(path, seconds, seconds);
}
