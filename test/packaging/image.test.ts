import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const build = join(import.meta.dirname, '../../packaging/image/build.ts');
const mebibyte = 1024 ** 2;

/** The image's files; undefined, and the test is skipped, where this user may not enter them as another root. */
function rootFileSystem(t: TestContext): string | undefined {
  if (!(needs(t, 'apt-get') && needs(t, 'dpkg-deb'))) return undefined;
  if (spawnSync('unshare', ['--mount', 'true']).status !== 0) {
    t.skip('only root may enter another root directory');
    return undefined;
  }
  const folder = join(temporaryFolder(t), 'root');
  const env = { ...process.env, SOURCE_DATE_EPOCH: '1700000000' };
  const { status, stderr } = spawnSync(process.execPath, [build, '--root', folder], { env, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return folder;
}

/** Runs the program of the image as its user, with a root that nobody can write to. */
function run(folder: string, ...words: readonly string[]) {
  const script = `mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec chroot --userspec=65532:65532 "$@"`;
  return spawnSync('unshare', ['--mount', 'sh', '-c', script, 'sh', folder, folder, '/usr/bin/holdfast', ...words], {
    encoding: 'utf8',
    env: {},
  });
}

test('the image has the program, no shell, at most 180 MiB, and runs on a root that cannot be written', (t) => {
  const folder = rootFileSystem(t);
  if (folder === undefined) return;
  const help = run(folder, '--help');
  assert.equal(help.status, 0, help.stderr);
  assert.match(help.stdout, /^Usage: holdfast /);
  const rehearsed = run(folder, 'rehearse', '--scenario', 'single-replica', '--out', '/run-folder');
  assert.equal(rehearsed.status, 2, 'all of a rehearsal is loaded, and then its folder cannot be made');
  assert.match(rehearsed.stderr, /\/run-folder: the file system is read-only \(EROFS\)/);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.split('/').at(-1));
  for (const name of ['sh', 'bash', 'dash', 'busybox', 'apt-get', 'dpkg', 'npm', 'gconv'])
    assert.ok(!names.includes(name), `${name} is in the image`);
  const bytes = Number.parseInt(spawnSync('du', ['-sb', folder], { encoding: 'utf8' }).stdout, 10);
  assert.ok(bytes <= 180 * mebibyte, `${(bytes / mebibyte).toFixed(1)} MiB`);
});
