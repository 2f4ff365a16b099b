import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, type TestContext } from 'node:test';
import { needs } from '../../support/needs.ts';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'holdfast-deb-'));
after(() => rmSync(folder, { recursive: true }));

/** 2023-11-14: packages built by tests are of that time. */
const builtAt = '1700000000';

/** A copy of this clone, because the build replaces its dist/, which other tests use at the same time. */
function copyOfClone(name: string): string {
  const copy = join(folder, name);
  cpSync(root, copy, {
    recursive: true,
    filter: (path) => !/^(node_modules|\.git|runs|dist|.*\.deb)$/.test(relative(root, path)),
  });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Packages that were built already, by the name of the copy: building takes seconds. */
const packages = new Map<string, string | undefined>();

/**
 * The path of a package that `npm run package:deb` makes of a copy of this clone, uncompressed, because the compression
 * takes a minute. Undefined, and the test is skipped, without dpkg-deb or without npm's registry.
 */
export function builtPackage(t: TestContext, name = 'clone', arch = 'amd64', umask = '022'): string | undefined {
  if (!needs(t, 'dpkg-deb')) return undefined;
  const key = `${name} ${arch}`;
  if (!packages.has(key)) packages.set(key, build(t, copyOfClone(key.replace(' ', '-')), arch, umask));
  const file = packages.get(key);
  if (file === undefined) t.skip('npm reaches no registry, and Node comes from there');
  return file;
}

function build(t: TestContext, copy: string, arch: string, umask: string): string | undefined {
  const command = `umask ${umask}; npm run --silent package:deb -- --compression none --arch ${arch} --out "$1"`;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command, 'sh', copy], {
    cwd: copy,
    env: { ...process.env, SOURCE_DATE_EPOCH: builtAt },
    encoding: 'utf8',
    timeout: 240_000,
  });
  if (status === 0) return stdout.trim().split('\n').at(-1);
  if (!process.env.CI && /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENOTCACHED|ETIMEDOUT/.test(stderr)) return undefined;
  throw new Error(`package:deb of ${t.name}: exit code ${status}\n${stdout}${stderr}`);
}

/** Version 9.9.9 of that package: without a file that the earlier one loads as late as a message is sent. */
export function nextVersionOf(file: string): string {
  const unpacked = join(folder, 'next');
  const dpkgDeb = (...words: readonly string[]): void => {
    const { status, stderr } = spawnSync('dpkg-deb', words, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`dpkg-deb ${words.join(' ')}: ${stderr}`);
  };
  dpkgDeb('-R', file, unpacked);
  const program = join(unpacked, 'usr/lib/holdfast/package');
  const [late = ''] = globSync('dist/cli/smtp-client-*.js', { cwd: program });
  rmSync(join(program, late));
  const { version } = JSON.parse(readFileSync(join(program, 'package.json'), 'utf8'));
  const changed = ['bin/holdfast.js', 'packaging/webhook-listener.js', 'package.json'].map((name) =>
    join(program, name),
  );
  for (const path of [...changed, ...['control', 'postinst'].map((name) => join(unpacked, 'DEBIAN', name))])
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(version, '9.9.9'));
  const next = join(folder, 'holdfast_9.9.9.deb');
  dpkgDeb('--root-owner-group', '-Znone', '--build', unpacked, next);
  rmSync(unpacked, { recursive: true });
  return next;
}
