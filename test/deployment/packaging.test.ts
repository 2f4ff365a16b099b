import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { whereIs } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const packaging = join(import.meta.dirname, '../../packaging');
const textOf = (name: string) => readFileSync(join(packaging, name), 'utf8');

/** Everything that systemd knows of these files here; the programs of an installation are not there. */
function verified(t: TestContext, names: readonly string[]): string {
  const folder = temporaryFolder(t);
  for (const name of names)
    writeFileSync(join(folder, name), textOf(name).replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
  const paths = names.map((name) => join(folder, name));
  return spawnSync('systemd-analyze', ['verify', ...paths], { encoding: 'utf8' }).stderr;
}

test('the units are ones that systemd understands, and stop a deploy so that it puts back what it changed', (t) => {
  const units = readdirSync(packaging).filter((name) => /\.(?:service|timer)$/.test(name));
  assert.deepEqual(units, [
    'holdfast-deploy.service',
    'holdfast-deploy.timer',
    'holdfast-listen.service',
    'holdfast-monitor.service',
  ]);
  for (const name of units) {
    for (const line of textOf(name).split('\n')) assert.match(line, /^(?:|#.*|\[\w+\]|[A-Z]\w+=.*)$/, name);
    if (/(deploy|listen)\.service$/.test(name)) assert.match(textOf(name), /^KillMode=mixed\nTimeoutStopSec=120$/m);
  }
  if (whereIs('systemd-analyze') !== undefined) assert.equal(verified(t, units), '');
});

test('sudo allows one command, without arguments', (t) => {
  const rules = textOf('holdfast.sudoers')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  assert.deepEqual(rules, ['deploy ALL=(root) NOPASSWD: /usr/local/sbin/holdfast-own ""']);
  if (whereIs('visudo') === undefined) return;
  const file = join(temporaryFolder(t), 'sudoers');
  copyFileSync(join(packaging, 'holdfast.sudoers'), file);
  assert.equal(spawnSync('visudo', ['-c', '-f', file]).status, 0);
});

/** The command as an administrator sets it up, for this folder; only root can give files away. */
function own(t: TestContext) {
  const folder = temporaryFolder(t);
  const [app, outside] = [join(folder, 'app'), join(folder, 'outside')];
  for (const each of [app, outside, join(app, 'storage')]) mkdirSync(each);
  const program = join(folder, 'holdfast-own');
  writeFileSync(program, textOf('holdfast-own').replace('/srv/www/app', app), { mode: 0o755 });
  const owner = process.getuid?.() === 0 ? 12_345 : (process.getuid?.() ?? 0);
  return {
    app,
    outside,
    owner,
    run: (...paths: readonly string[]) =>
      spawnSync(program, [], {
        input: paths.map((path) => `${path}\0`).join(''),
        env: { SUDO_UID: String(owner), SUDO_GID: String(process.getgid?.() === 0 ? 12_345 : process.getgid?.()) },
        encoding: 'utf8',
      }),
  };
}

test('the command for the ownership gives files of the directory back, whatever they are called', (t) => {
  const { app, owner, run } = own(t);
  const names = ['plain', 'storage/two words', 'storage/-R', 'storage/new\nline', "quo'te"];
  for (const name of names) writeFileSync(join(app, name), '');
  symlinkSync('/etc/passwd', join(app, 'link'));
  const { status, stderr } = run(...names, join(app, 'storage'), 'link');
  assert.equal(status, 0, stderr);
  for (const name of [...names, 'storage', 'link']) assert.equal(lstatSync(join(app, name)).uid, owner, name);
  assert.equal(lstatSync('/etc/passwd').uid, 0);
});

test('the command for the ownership never leaves the directory', (t) => {
  const { app, outside, run } = own(t);
  const target = join(outside, 'target');
  writeFileSync(target, '');
  symlinkSync(outside, join(app, 'way-out'));
  linkSync(target, join(app, 'second-name'));
  const before = lstatSync(target).uid;
  const ways = [target, '../outside/target', 'storage/../../outside/target', 'way-out/target', 'second-name'];
  for (const path of [...ways, `${app}/way-out/target`, '..', '.', '/', '', 'nowhere/file']) {
    const { status, stderr } = run(path);
    assert.notEqual(status, 0, path);
    assert.match(stderr, /holdfast-own: /, path);
    assert.equal(lstatSync(target).uid, before, path);
  }
});
