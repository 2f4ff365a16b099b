import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { repairNow } from '../../../src/deployment/repair-now.ts';
import { rollback } from '../../../src/deployment/rollback.ts';
import type { Workspace } from '../../../src/deployment/run/run.ts';
import { placeFiles } from '../../../src/deployment/tree/place-files.ts';
import type { Host } from '../../../src/host/host.ts';
import { giveDefaultAcl, hasAcl } from '../support/acl.ts';
import { mortalHost } from '../support/mortal-host.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite, type Site } from '../support/site.ts';

/** A host that tells which paths of the checkout were put in their places in one step. */
function watchedHost(site: Site): { readonly host: Host; readonly placed: string[] } {
  const host = quietHost();
  const placed: string[] = [];
  const place = async (from: string, to: string): Promise<void> => {
    await host.files.place(from, to);
    placed.push(to.slice(site.app.length + 1));
  };
  return { host: { ...host, files: { ...host.files, place } }, placed };
}

/** A visitor that looks at a file again and again, and says at the end what sizes it met; none where it met no file. */
const visitor = `
const { statSync } = require('node:fs');
const sizes = new Set();
process.stdin.on('end', () => { console.log(JSON.stringify([...sizes])); process.exit(); }).resume();
(function look() {
  for (let times = 0; times < 1000; times++) sizes.add(statSync(process.argv[1], { throwIfNoEntry: false })?.size ?? 'none');
  setImmediate(look);
})();
console.log();
`;

test('no visitor meets a changed file that is absent or cut off, in a deploy, in its rollback and in one by hand', async (t) => {
  const site = await buildSite(t);
  // Git takes some time to write as much.
  const [small, large] = [3_000_000, 6_000_000];
  site.push({ large: 'x'.repeat(small) });
  await deploy(quietHost(), site.settings());
  const child = spawn(process.execPath, ['-e', visitor, join(site.app, 'large')]);
  let told = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    told += text;
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  site.push({ large: 'y'.repeat(large) });
  assert.equal((await deploy(quietHost(), site.settings())).state, 'verified');
  assert.equal((await rollback(quietHost(), site.settings(), { commit: 'HEAD~1' })).state, 'verified');
  site.push({ large: 'z'.repeat(large), status: '500' });
  assert.equal((await deploy(quietHost(), site.settings())).state, 'rolled-back');
  child.stdin.end();
  await new Promise((resolve) => child.once('close', resolve));
  assert.deepEqual(JSON.parse(told), [small, large]);
});

test('files are placed as git writes them, and git finds nothing left to write', async (t) => {
  const site = await buildSite(t);
  site.git(site.app, 'config', 'filter.upper.smudge', 'tr a-z A-Z');
  site.git(site.app, 'config', 'filter.upper.clean', 'tr A-Z a-z');
  symlinkSync('page', join(site.developer, 'link'));
  site.push({ 'deep/lines.txt': 'one\n', tool: 'one', 'filtered.up': 'one', 'deep/gone': 'x' });
  await deploy(quietHost(), site.settings());
  rmSync(join(site.developer, 'link'));
  symlinkSync('tool', join(site.developer, 'link'));
  chmodSync(join(site.developer, 'tool'), 0o755);
  site.push({
    '.gitattributes': '*.txt text eol=crlf\n*.up filter=upper\n',
    'deep/lines.txt': 'one\ntwo\n',
    tool: 'two',
    'filtered.up': 'two',
    'deep/gone': null,
    'new/folder/file': 'new',
  });
  const { host, placed } = watchedHost(site);
  assert.equal((await deploy(host, site.settings())).state, 'verified', site.log());
  assert.deepEqual(placed, ['.gitattributes', 'new', 'deep/lines.txt', 'filtered.up', 'link', 'tool'], site.log());
  assert.equal(site.read('deep/lines.txt'), 'one\r\ntwo\r\n');
  assert.equal(site.read('filtered.up'), 'TWO');
  assert.equal(statSync(join(site.app, 'tool')).mode & 0o111, 0o111);
  assert.equal(readlinkSync(join(site.app, 'link')), 'tool');
  assert.equal(site.read('new/folder/file'), 'new');
  assert.equal(site.read('deep/gone'), undefined);
  assert.equal(site.git(site.app, 'diff-index', 'HEAD'), '', 'the index knows them without looking again');
});

test('paths that become a folder or a file, or lie behind a link, are left to git: no link leads out of the checkout', async (t) => {
  const site = await buildSite(t);
  site.push({ becomes: 'a folder', 'is/folder': 'x', 'linked/file': 'tracked' });
  await deploy(quietHost(), site.settings());
  for (const path of site.git(site.app, 'ls-files').split('\n')) chmodSync(join(site.app, path), 0o640);
  const outside = join(site.folder, 'outside');
  mkdirSync(outside);
  rmSync(join(site.app, 'linked'), { recursive: true });
  symlinkSync(outside, join(site.app, 'linked'));
  site.push({ becomes: null, 'is/folder': null });
  rmSync(join(site.developer, 'is'), { recursive: true });
  site.push({ 'becomes/file': 'y', is: 'a file', 'linked/file': 'changed', page: 'two' });
  const ours = process.umask(0o077);
  t.after(() => process.umask(ours));
  const { host, placed } = watchedHost(site);
  assert.equal((await deploy(host, site.settings())).state, 'verified', site.log());
  assert.deepEqual(placed, ['page']);
  assert.deepEqual(['becomes/file', 'is', 'linked/file'].map(site.read), ['y', 'a file', 'changed']);
  assert.equal(existsSync(join(outside, 'file')), false);
  assert.equal(lstatSync(join(site.app, 'linked')).isDirectory(), true);
  assert.equal(statSync(join(site.app, 'becomes/file')).mode & 0o777, 0o640);
});

test('a folder that gives its files another group gives it to what a deploy writes there', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can give a folder another group');
  const site = await buildSite(t);
  site.push({ 'shared/file': 'one' });
  await deploy(quietHost(), site.settings());
  chownSync(join(site.app, 'shared'), 0, 33);
  chmodSync(join(site.app, 'shared'), 0o2755);
  site.push({ 'shared/file': 'two', 'shared/new': 'two' });
  assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
  for (const path of ['shared/file', 'shared/new']) assert.equal(statSync(join(site.app, path)).gid, 33, path);
});

test('a folder that gives its files an ACL gives it to what a deploy and its rollback write there', async (t) => {
  const site = await buildSite(t);
  site.push({ 'code/file': 'one', 'other/file': 'one' });
  await deploy(quietHost(), site.settings());
  const reader = 'user::rwx,user:33:r-x,group::r-x,mask::r-x,other::---';
  if (!giveDefaultAcl(join(site.app, 'code'), reader)) return t.skip('the file system has no ACLs');
  const { host, placed } = watchedHost(site);
  site.push({ 'code/file': 'two', 'code/new': 'two', 'other/file': 'two', status: '500' });
  assert.equal((await deploy(host, site.settings())).state, 'rolled-back', site.log());
  assert.ok(hasAcl(join(site.app, 'code/file')), 'in the rollback');
  assert.deepEqual(new Set(placed), new Set(['other/file', 'status']));
  site.push({ 'code/file': 'three', 'code/new': 'three', 'other/file': 'three', status: '200' });
  assert.equal((await deploy(host, site.settings())).state, 'verified', site.log());
  for (const path of ['code/file', 'code/new']) assert.ok(hasAcl(join(site.app, path)), path);
});

test('an ACL that the whole checkout hands down stops no file from being renamed into its place', async (t) => {
  const site = await buildSite(t);
  const acl = (reader: number) => `user::rwx,user:${reader}:r-x,group::r-x,mask::rwx,other::r-x`;
  for (const folder of [site.app, join(site.app, '.git')])
    if (!giveDefaultAcl(folder, acl(33))) return t.skip('the file system has no ACLs');
  site.push({ 'code/file': 'one', 'other/file': 'one' });
  await deploy(quietHost(), site.settings());
  giveDefaultAcl(join(site.app, 'other'), acl(34));
  site.push({ page: 'two', 'code/file': 'two', 'other/file': 'two' });
  const { host, placed } = watchedHost(site);
  assert.equal((await deploy(host, site.settings())).state, 'verified', site.log());
  assert.deepEqual(placed, ['code/file', 'page']);
  for (const path of ['page', 'code/file', 'other/file']) assert.ok(hasAcl(join(site.app, path)), path);
});

test('nothing is touched where another git takes the index meanwhile', async (t) => {
  const site = await buildSite(t);
  const lock = join(site.app, '.git/index.lock');
  const host = quietHost();
  const run: Host['run'] = async (command, options) => {
    const result = await host.run(command, options);
    if (command.includes('read-tree')) writeFileSync(lock, '');
    return result;
  };
  site.push({ page: 'two', added: 'two' });
  const { state } = await deploy({ ...host, run }, site.settings());
  assert.equal(state, 'aborted', site.log());
  assert.deepEqual(['page', 'added'].map(site.read), ['one', undefined]);
});

test('a run that is killed between two files is repaired, and its staged files are removed', async (t) => {
  const site = await buildSite(t);
  site.push({ first: 'one', second: 'one' });
  assert.equal((await deploy(quietHost(), site.settings())).state, 'verified');
  const before = site.head();
  site.push({ added: 'two', first: 'two', second: 'two', status: '500' });
  const { host, bury } = await mortalHost();
  const { promise: death, resolve: die } = Promise.withResolvers<void>();
  let places = 0;
  const place = async (from: string, to: string): Promise<void> => {
    if (++places <= 2) return host.files.place(from, to);
    die();
    await new Promise(() => {});
  };
  await Promise.race([deploy({ ...host, files: { ...host.files, place } }, site.settings()), death]);
  await bury();
  const staged = join(site.app, '.git/holdfast/staged');
  assert.deepEqual(['added', 'first', 'second'].map(site.read), ['two', 'two', 'one']);
  assert.deepEqual([site.head(), existsSync(staged)], [before, true]);
  assert.equal((await repairNow(quietHost(), site.settings())).exitCode, 0, site.log());
  assert.deepEqual(['added', 'first', 'second'].map(site.read), [undefined, 'one', 'one']);
  assert.deepEqual([site.head(), existsSync(staged)], [before, false]);
  assert.equal(site.git(site.app, 'status', '--porcelain', '--untracked-files=no'), '');
  // As by a kill before anything was touched.
  mkdirSync(staged);
  assert.equal((await repairNow(quietHost(), site.settings())).exitCode, 0, site.log());
  assert.equal(existsSync(staged), false);
});

test('a new folder of 200,000 files is placed, and git knows all of them', async () => {
  const files = Array.from({ length: 200_000 }, (_, index) => `vendor/${index}`);
  let told = '';
  const run = {
    host: {
      files: { stat: async () => undefined, place: async () => undefined },
      run: async (_: unknown, { stdin }: { stdin?: string }) => {
        told = stdin ?? '';
        return { exitCode: 0, stdout: '', stderr: '', seconds: 0, timedOut: false };
      },
    },
    settings: { commandTimeout: 1 },
    checkout: { directory: '/app', gitFolder: '/app/.git', stateFolder: '/app/.git/holdfast', gitEnvironment: {} },
    log: { output: async () => undefined },
    progress: { beginStep: () => undefined, finishStep: () => undefined },
  } as unknown as Workspace;
  await placeFiles(run, [{ path: 'vendor', isNew: true, files }]);
  assert.equal(told.split('\0').length, 200_001);
});
