// Makes holdfast_VERSION_ARCHITECTURE.oci.tar, an OCI image, from Debian's packages and npm's, by buildah and without a
// daemon: npm run package:image -- --arch arm64 Same sources, same packages of Debian, same SOURCE_DATE_EPOCH: same
// bytes. `--root FOLDER` lays out its files and stops.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { arch as cpu, env, exit, stderr, stdout } from 'node:process';
import { parseArgs } from 'node:util';
import { stageRoot } from './root-file-system.ts';

const here = import.meta.dirname;
const { version } = JSON.parse(readFileSync(join(here, '../../package.json'), 'utf8'));

const { values } = parseArgs({
  options: {
    arch: { type: 'string', default: cpu === 'x64' ? 'amd64' : cpu },
    out: { type: 'string', default: resolve(here, '../..') },
    root: { type: 'string' },
  },
});

const work = mkdtempSync(join(tmpdir(), 'holdfast-image-'));
try {
  const root = values.root ?? join(work, 'root');
  const packages = stageRoot(root, { architecture: values.arch, deb: ownPackage(), builtAt: builtAtSeconds() });
  stdout.write(packages.map((name) => `${name}\n`).join(''));
  if (values.root === undefined) stdout.write(`${pack()}\n`);
} catch (error) {
  stderr.write(`package:image: ${error instanceof Error ? error.message : String(error)}\n`);
  exit(1);
} finally {
  rmSync(work, { recursive: true });
}

/** The path of the Debian package of the wanted architecture. */
function ownPackage(): string {
  const words = ['../debian/build.ts', '--arch', values.arch, '--compression', 'none', '--out', work];
  return execFileSync(process.execPath, words, { cwd: here, encoding: 'utf8' }).trim();
}

/** The path of the finished image. */
function pack(): string {
  mkdirSync(join(work, 'runs'));
  const name = `holdfast:${version}`;
  const file = resolve(values.out, `holdfast_${version}_${values.arch}.oci.tar`);
  mkdirSync(resolve(values.out), { recursive: true });
  const buildah = (...words: readonly string[]): void => {
    // Nothing is run and nothing is mounted: the storage needs no overlay file system.
    execFileSync('buildah', ['--storage-driver', 'vfs', '--root', join(work, 'storage'), ...words], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  };
  const platform = `linux/${values.arch}`;
  const stamp = String(builtAtSeconds());
  buildah('build', '--platform', platform, '--timestamp', stamp, '-f', join(here, 'Containerfile'), '-t', name, work);
  rmSync(file, { force: true });
  buildah('push', name, `oci-archive:${file}:${name}`);
  return file;
}

/** The time that every file of the image gets, in seconds since 1970. */
function builtAtSeconds(): number {
  const { SOURCE_DATE_EPOCH: given } = env;
  const text = given ?? execFileSync('git', ['-C', here, 'log', '-1', '--format=%ct'], { encoding: 'utf8' }).trim();
  if (!/^\d+$/.test(text)) throw new Error(`SOURCE_DATE_EPOCH is "${text}"; it has to be whole seconds since 1970.`);
  return Number(text);
}
