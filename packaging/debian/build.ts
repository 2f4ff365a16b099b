// Makes holdfast_VERSION_ARCHITECTURE.deb: the program with the Node that runs it. Why a .deb, and why its files are
// laid out as they are: docs/decisions/0024-a-debian-package-with-node-inside.md. Same sources, same SOURCE_DATE_EPOCH:
// same bytes.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { arch as cpu, env, exit, stderr, stdout } from 'node:process';
import { parseArgs } from 'node:util';
import { type Package, stagePackage } from './stage-package.ts';

const root = join(import.meta.dirname, '../..');

/** Debian's name of an architecture, by Node's. */
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

const { values } = parseArgs({
  options: {
    arch: { type: 'string', multiple: true },
    out: { type: 'string', default: root },
    version: { type: 'string' },
    compression: { type: 'string', default: 'xz' },
  },
});

try {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const architecture of values.arch ?? [architectures[cpu] ?? cpu]) {
    const version = values.version ?? manifest.version;
    stdout.write(`${build({ root, version, architecture, manifest, builtAt: builtAtSeconds() })}\n`);
  }
} catch (error) {
  stderr.write(`package:deb: ${error instanceof Error ? error.message : String(error)}\n`);
  exit(1);
}

/** The path of the finished file. */
function build(wanted: Package): string {
  const staged = mkdtempSync(join(tmpdir(), 'holdfast-deb-'));
  const file = resolve(values.out, `holdfast_${wanted.version}_${wanted.architecture}.deb`);
  try {
    stagePackage(join(staged, 'root'), wanted);
    // One thread: how many a machine has must not show in the bytes.
    const options = ['--root-owner-group', '--threads-max=1', `-Z${values.compression}`];
    execFileSync('dpkg-deb', [...options, '--build', join(staged, 'root'), join(staged, 'deb')], {
      env: { ...env, SOURCE_DATE_EPOCH: String(wanted.builtAt) },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    // A build that was stopped leaves no half file under the name that people install.
    copyFileSync(join(staged, 'deb'), `${file}.new`);
    renameSync(`${file}.new`, file);
  } catch (error) {
    const program = missingProgram(error);
    if (program === undefined) throw error;
    throw new Error(`${program} is not on this machine. Build where dpkg-deb, npm and tar are: Debian or Ubuntu.`);
  } finally {
    rmSync(staged, { recursive: true });
  }
  return file;
}

/** The name of the program that could not be started because it is not there. */
function missingProgram(error: unknown): string | undefined {
  const { code, syscall = '' } = error as { readonly code?: string; readonly syscall?: string };
  return code === 'ENOENT' && syscall.startsWith('spawn') ? syscall.replace(/^spawn(Sync)? /, '') : undefined;
}

/**
 * The time that every file of the package gets, in seconds since 1970: SOURCE_DATE_EPOCH, or that of the last commit,
 * or that of the sources.
 */
function builtAtSeconds(): number {
  const { SOURCE_DATE_EPOCH: given = lastCommitAt() } = env;
  if (!/^\d+$/.test(given)) throw new Error(`SOURCE_DATE_EPOCH is "${given}"; it has to be whole seconds since 1970.`);
  return Number(given);
}

function lastCommitAt(): string {
  try {
    // Root may build in the clone of another user.
    const git = ['-c', `safe.directory=${resolve(root)}`, '-C', root];
    return execFileSync('git', [...git, 'log', '-1', '--format=%ct'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    // Sources without git: an unpacked archive has the time of the commit in its files.
    return String(Math.floor(statSync(join(root, 'package.json')).mtimeMs / 1000));
  }
}
