import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What is git's or made by runs themselves, from the checkout's top. */
const notTheirs = /^(?:\.git|releases|current|vendor|storage\/vendor)$/;

/**
 * Mode, owner, group and ACLs of each folder of a checkout, by the folder's path; the top is the empty path. Found
 * without the product.
 */
export function foldersIn(app: string): ReadonlyMap<string, string> {
  if (!existsSync(app)) return new Map();
  const folders = ['', ...foldersBelow(app, '')];
  const found = folders.map((path) => {
    const { mode, uid, gid } = lstatSync(join(app, path));
    return [path, `${(mode & 0o7777).toString(8)} ${uid}:${gid}`] as const;
  });
  const withAcls = aclsOf(app, folders);
  return new Map(found.map(([path, attributes]) => [path, `${attributes}${withAcls.get(path) ?? ''}`]));
}

/** Each folder that stood before stands as it did; `leaving` names those that the commit removes. */
export function assertFoldersStand(
  app: string,
  before: ReadonlyMap<string, string>,
  story: string,
  leaving: readonly string[] = [],
): void {
  const now = foldersIn(app);
  const stood = [...before].filter(([path]) => !leaving.includes(path));
  assert.deepEqual(
    stood.map(([path]) => [path, now.get(path)]),
    stood,
    story,
  );
}

function foldersBelow(app: string, path: string): readonly string[] {
  return readdirSync(join(app, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(path, name))
    .filter((below) => !notTheirs.test(below))
    .flatMap((below) => [below, ...foldersBelow(app, below)])
    .toSorted();
}

/** By `ls`, which marks them, and then by tar's pax records: no other program shows ACLs on every machine. */
function aclsOf(app: string, folders: readonly string[]): ReadonlyMap<string, string> {
  const places = folders.map((path) => `./${path}`);
  const lines = execFileSync('ls', ['-Uldq', '--', ...places], { cwd: app, encoding: 'utf8' }).split('\n');
  const marked = folders.filter((_, index) => /^\S+\+ /.test(lines[index] ?? ''));
  return new Map(
    marked.map((path) => {
      const words = ['--create', '--file=-', '--acls', '--format=posix', '--no-recursion', '--', `./${path}`];
      const archive = execFileSync('tar', words, { cwd: app, encoding: 'latin1' });
      return [path, archive.match(/SCHILY\.acl\.[^=]+=[^\0]*?(?=\n\d+ |\n?\0)/gs)?.join(' ') ?? ''] as const;
    }),
  );
}
