import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { listingEnvironment, listingOptions, membersOf, wrongMembers } from '../../../src/deployment/backup/members.ts';
import { restore } from '../../../src/deployment/backup/restore.ts';
import { deploy } from '../../../src/deployment/deploy.ts';
import { UsageError } from '../../../src/host/errors.ts';
import { locked } from '../support/attribute.ts';
import { holdfast, startHoldfast, until } from '../support/holdfast.ts';
import { tagged } from '../support/log.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite, type Site } from '../support/site.ts';

const isRoot = process.getuid?.() === 0;
const runFolder = (site: Site, id: string) => join(site.app, '.git', 'holdfast', 'runs', id);

test('the pre-step: hard reset, then untracked files and folders are moved aside; what is ignored stays', async (t) => {
  const site = await buildSite(t);
  const commit = site.push({ page: 'two' });
  site.write('page', 'edited');
  site.write('left over/deep/file', 'mine');
  site.write('stray', 'mine too');
  site.write('.env', 'APP_KEY=x');
  site.write('storage/upload', 'an upload');
  mkdirSync(join(site.app, 'other'));
  site.git(join(site.app, 'other'), 'init', '--quiet');
  const { id, state } = await deploy(quietHost(), site.settings({ clean: true }));
  assert.equal(state, 'verified', site.log());
  assert.equal(site.head(), commit);
  assert.deepEqual(['stray', 'left over/deep/file'].map(site.read), [undefined, undefined]);
  assert.deepEqual(['.env', 'storage/upload'].map(site.read), ['APP_KEY=x', 'an upload']);
  assert.ok(existsSync(join(site.app, 'other', '.git')), 'another repository is nobody’s to move');
  const moved = (path: string) => readFileSync(join(runFolder(site, id), 'untracked', path), 'utf8');
  assert.deepEqual([moved('stray'), moved('left over/deep/file')], ['mine too', 'mine']);
  assert.match(readFileSync(join(runFolder(site, id), 'local-edits.patch'), 'utf8'), /^\+edited/m);
  const lines = tagged(site.log());
  assert.match(lines[0] ?? '', /Previous commit/, 'PREVIOUS_COMMIT is recorded first');
  assert.match(site.log(), /^\[INFO\] Untracked files and folders, moved to [^\n]*: 2\n {2}left over\/\n {2}stray\n/m);
});

test('the pre-step asks one narrowly allowed command for the files of other users', {
  skip: isRoot ? false : 'only root can give files away',
}, async (t) => {
  const site = await buildSite(t);
  site.write('storage/theirs', 'x');
  const give = () => execFileSync('chown', ['1:1', join(site.app, 'storage/theirs')]);
  give();
  const refused = await deploy(quietHost(), site.settings({ clean: true }));
  assert.equal(refused.exitCode, 1);
  assert.match(
    site.log(),
    /^\[ERROR\] Taking ownership of 1 files, such as .*storage\/theirs: deployment\.clean\.ownership names no command for it$/m,
  );
  const ownership = ['xargs', '-0', 'chown', '-h', '0:0', '--'];
  const document = await deploy(quietHost(), site.settings({ clean: true }, { clean: { ownership } }));
  assert.equal(document.state, 'verified', site.log());
  assert.equal(statSync(join(site.app, 'storage/theirs')).uid, 0);
});

test('the backup keeps permissions and owners, is whole before it has its name, and is made before the switch', async (t) => {
  const site = await buildSite(t);
  site.write('.env', 'APP_KEY=x');
  chmodSync(join(site.app, '.env'), 0o640);
  if (isRoot) execFileSync('chown', ['-h', '1234:2345', join(site.app, '.env')]);
  symlinkSync('page', join(site.app, 'link'));
  site.push({ page: 'two' });
  const dir = join(site.folder, 'backups');
  const document = await deploy(quietHost(), site.settings({ backupDir: dir }));
  assert.equal(document.state, 'verified', site.log());
  const [archive = '', sum] = readdirSync(dir).sort();
  assert.match(archive, /^app-\d{8}T\d{6}Z\.tar\.(zst|gz)$/);
  assert.equal(sum, `${archive}.sha256`);
  assert.deepEqual([statSync(dir).mode & 0o777, statSync(join(dir, archive)).mode & 0o777], [0o700, 0o600]);
  const listing = execFileSync('tar', ['-tvf', join(dir, archive), '--numeric-owner'], { encoding: 'utf8' });
  assert.match(listing, isRoot ? /^-rw-r----- 1234\/2345 .*app\/\.env$/m : /^-rw-r----- .*app\/\.env$/m);
  assert.doesNotMatch(listing, /\.git\/holdfast/);
  const page = execFileSync('tar', ['-xOf', join(dir, archive), `${site.app.slice(1)}/page`], { encoding: 'utf8' });
  assert.equal(page, 'one', 'the backup is of the previous commit');
});

test('the partial archive of a killed backup is removed by the next one', async (t) => {
  const site = await buildSite(t);
  const dir = join(site.folder, 'backups');
  mkdirSync(dir);
  const [left, running] = ['app-20200101T000000Z.tar.zst.part', 'app-29990101T000000Z.tar.zst.part'];
  for (const name of [left, running]) writeFileSync(join(dir, name), 'half');
  utimesSync(join(dir, left), 0, 0);
  await deploy(quietHost(), site.settings({ backupDir: dir }));
  assert.deepEqual(
    readdirSync(dir).filter((name) => name.endsWith('.part')),
    [running],
  );
});

test('a backup directory in the checkout is refused, and nothing is touched', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  site.push({ page: 'two' });
  const document = await deploy(quietHost(), site.settings({ backupDir: join(site.app, 'backups') }));
  assert.equal(document.exitCode, 1);
  assert.equal(site.head(), before);
});

test('an incomplete backup ends the deploy before anything is touched, and leaves no archive', async (t) => {
  const site = await buildSite(t);
  const before = site.head();
  site.push({ page: 'two' });
  const dir = join(site.folder, 'backups');
  const tar = join(site.folder, 'bin', 'tar');
  writeFileSync(tar, '#!/bin/sh\necho "tar: x: Cannot open: Permission denied" >&2\nexit 2\n');
  chmodSync(tar, 0o755);
  const document = await deploy(quietHost(), site.settings({ backupDir: dir }));
  assert.equal(document.exitCode, 1);
  assert.match(site.log(), /^\[ERROR\] Making a backup .*: tar ended with exit code 2$/m);
  assert.equal(site.head(), before);
  assert.deepEqual(readdirSync(dir), []);
});

async function backedUp(t: Parameters<typeof buildSite>[0]) {
  const site = await buildSite(t);
  mkdirSync(join(site.app, 'sub'));
  writeFileSync(join(site.app, 'sub/file'), '');
  site.push({ page: 'two' });
  const dir = join(site.folder, 'backups');
  await deploy(quietHost(), site.settings({ backupDir: dir }));
  const archive = join(dir, readdirSync(dir).find((name) => !name.endsWith('.sha256')) ?? '');
  const note = (word: string) => ['sh', '-c', `echo ${word} >> ${site.folder}/services`] as [string, ...string[]];
  const settings = { ...site.settings(), backup: { stop: [note('stop')], start: [note('start')] } };
  const services = () =>
    existsSync(join(site.folder, 'services')) ? readFileSync(join(site.folder, 'services'), 'utf8') : '';
  return { site, archive, settings, services };
}

test('restore changes nothing without --yes; with it the services are stopped, the archive is extracted, and they are started', async (t) => {
  const { site, archive, settings, services } = await backedUp(t);
  const { commands, members } = await restore(quietHost(), settings, archive, false);
  assert.equal(site.read('page'), 'two');
  assert.equal(services(), '');
  assert.deepEqual(
    commands.map(([program]) => program),
    ['sh', 'tar', 'sh'],
  );
  assert.ok(commands[1]?.includes('--extract') && members > 2);
  await restore(quietHost(), settings, archive, true);
  assert.equal(site.read('page'), 'one');
  assert.equal(services(), 'stop\nstart\n');
});

test('a restore that could not end is refused before a service is stopped, with everything in the way', async (t) => {
  const { site, archive, settings, services } = await backedUp(t);
  const host = quietHost();
  const files = {
    ...host.files,
    freeSpace: async () => ({ bytes: 1, files: 1000 }),
    stat: async (path: string) => {
      const there = await host.files.stat(path);
      if (path.startsWith('/proc/')) return there && { ...there, uid: 4711 };
      return path.startsWith(site.app) ? undefined : there;
    },
  };
  const run: typeof host.run = (command, options) =>
    command[0] === 'test' ? host.run(['false'], options) : host.run(command, options);
  await assert.rejects(restore({ ...host, files, run }, settings, archive, true), (error: unknown) => {
    assert.ok(error instanceof UsageError);
    assert.match(error.message, /this user cannot write to .*\/app, or its file system is read-only\./);
    assert.match(
      error.message,
      /\d+ of its members belong to other users \(\/.* to \d+\), which only root can restore\./,
    );
    assert.match(error.message, /it needs \d+\.\d MiB more than what is there, and 0\.0 MiB are free/);
    return true;
  });
  assert.equal(services(), '');
  assert.equal(site.read('page'), 'two');
});

test('a restore is refused where one folder or file below cannot be written, before anything is', async (t) => {
  for (const path of ['sub', 'sub/file']) {
    const { site, archive, settings, services } = await backedUp(t);
    await locked(t, site, 'i', path, async () => {
      await assert.rejects(restore(quietHost(), settings, archive, true), (error: unknown) => {
        assert.ok(error instanceof UsageError);
        assert.match(
          error.message,
          new RegExp(`cannot write to 1 of the files and folders.*, such as /.*/${path}\\.$`),
        );
        return true;
      });
      assert.equal(services(), '');
      assert.equal(site.read('page'), 'two');
    });
  }
});

test('a restore ends with a line that says what was done, and with exit 1 where a service did not start again', async (t) => {
  const { site, archive } = await backedUp(t);
  const settings = (start: string) =>
    `deployment:\n  appDir: ${site.app}\n  logFile: ${site.folder}/log\n  branch: main\n  backup:\n    start: ${start}\n`;
  const restored = async (start: string) => {
    writeFileSync(join(site.folder, 'holdfast.yaml'), settings(start));
    return holdfast(site, ['restore', archive, '--yes', '--config', join(site.folder, 'holdfast.yaml')]);
  };
  const good = await restored("[['true']]");
  assert.equal(good.exitCode, 0, good.stderr);
  assert.match(good.stdout, /^Restored \d+ members of .*\.\n$/);
  const bad = await restored("[['false']]");
  assert.equal(bad.exitCode, 1);
  assert.match(bad.stdout, /^Restored \d+ members of .* Not started again: false; start it by hand\.\n$/);
});

test('an archive that everybody may write, or another user owns, is refused unless --trust names it', async (t) => {
  const { site, archive } = await backedUp(t);
  chmodSync(archive, 0o666);
  const refused = await holdfast(site, ['restore', archive]);
  assert.equal(refused.exitCode, 2);
  assert.match(refused.stderr, /may not be an archive of yours: everybody may write it\. .*--trust/);
  assert.equal((await holdfast(site, ['restore', archive, '--trust', '/another'])).exitCode, 2);
  assert.equal((await holdfast(site, ['restore', archive, '--trust', archive])).exitCode, 0);
  chmodSync(archive, 0o600);
  if (process.getuid?.() !== 0) return;
  chownSync(archive, 65_534, 65_534);
  assert.match((await holdfast(site, ['restore', archive])).stderr, /it belongs to user 65534/);
});

test('no restore begins while a deploy runs, also where deploys are frozen', async (t) => {
  const { site, archive, settings, services } = await backedUp(t);
  site.push({ 'wait-config:cache': '30' });
  const { child, ended } = startHoldfast(site, ['deploy']);
  await until(() => site.artisanCalls().at(-1)?.startsWith('config:cache') === true, 'the caches are rebuilt');
  await assert.rejects(restore(quietHost(), settings, archive, true), /Restoring .*Another deploy holds the lock/);
  assert.equal(services(), '');
  child.kill('SIGTERM');
  await ended;
  assert.equal((await holdfast(site, ['lock', '--reason', 'restoring'])).exitCode, 0);
  await restore(quietHost(), settings, archive, true);
  assert.equal(services(), 'stop\nstart\n');
  assert.equal(site.read('page'), 'one');
});

test('the services are started again also when the archive cannot be extracted', async (t) => {
  const { settings, archive, services } = await backedUp(t);
  const host = quietHost();
  const failing = {
    ...host,
    run: (async (command, options) =>
      host.run(command.includes('--extract') ? ['false'] : command, options)) as typeof host.run,
  };
  await assert.rejects(restore(failing, settings, archive, true), /Restoring with tar .*exit code 1/);
  assert.equal(services(), 'stop\nstart\n');
});

test('an archive that was changed, and one that is cut off, are refused', async (t) => {
  const { archive, settings, services } = await backedUp(t);
  appendFileSync(archive, 'x');
  await assert.rejects(restore(quietHost(), settings, archive, true), /its checksum is another/);
  rmSync(`${archive}.sha256`);
  writeFileSync(archive, readFileSync(archive).subarray(0, 200));
  await assert.rejects(restore(quietHost(), settings, archive, true), UsageError);
  assert.equal(services(), '');
});

test('hostile archives are refused before anything is touched', async (t) => {
  const { site, settings, services } = await backedUp(t);
  const make = (name: string, build: (root: string) => readonly string[]): string => {
    const root = join(site.folder, name);
    mkdirSync(join(root, dirname(site.app.slice(1)), 'app'), { recursive: true });
    const archive = join(site.folder, `${name}.tar`);
    execFileSync('tar', ['-P', '-cf', archive, '-C', root, ...build(root)]);
    return archive;
  };
  const member = site.app.slice(1);
  const archives = [
    make('absolute', () => ['/etc/hostname']),
    make('elsewhere', (root) => {
      writeFileSync(join(root, 'elsewhere'), 'x');
      return ['elsewhere'];
    }),
    make('through-link', (root) => {
      symlinkSync('/etc', join(root, member, 'link'));
      mkdirSync(join(root, 'real', 'link'), { recursive: true });
      writeFileSync(join(root, 'real', 'link', 'passwd'), 'x');
      return [`${member}/link`, '--transform', `s,^real,${member},`, 'real/link/passwd'];
    }),
    make('dots', (root) => {
      writeFileSync(join(root, 'x'), 'x');
      return ['--transform', `s,^x,${member}/../../x,`, 'x'];
    }),
    make('device', (root) => {
      execFileSync('mkfifo', [join(root, member, 'pipe')]);
      return [`${member}/pipe`];
    }),
    make('hard-link', (root) => {
      writeFileSync(join(root, 'a'), 'x');
      execFileSync('ln', [join(root, 'a'), join(root, member, 'b')]);
      return ['a', `${member}/b`];
    }),
  ];
  // On the disk, where the archive has neither a folder nor a link.
  mkdirSync(join(site.folder, 'outside'));
  symlinkSync(join(site.folder, 'outside'), join(site.app, 'led-out'));
  archives.push(
    make('through-a-link-that-is-there', (root) => {
      mkdirSync(join(root, member, 'led-out'));
      writeFileSync(join(root, member, 'led-out', 'file'), 'x');
      return [`${member}/led-out/file`];
    }),
  );
  for (const archive of archives) {
    await assert.rejects(restore(quietHost(), settings, archive, true), (error) => {
      assert.ok(error instanceof UsageError, archive);
      return true;
    });
  }
  assert.equal(services(), '');
  assert.ok(!existsSync(join(site.folder, 'outside', 'file')));
  assert.ok(!lstatSync(site.app).isSymbolicLink());
});

/** A tar archive whose members are written without a look at what they say. */
function rawArchive(members: readonly { readonly name: string; readonly type: string; readonly link?: string }[]) {
  const blocks = members.map(({ name, type, link = '' }) => {
    const block = Buffer.alloc(512);
    block.write(name, 0);
    block.write(`0000600\0${'0000000\0'.repeat(2)}${'0'.repeat(11)}\0${'0'.repeat(11)}\0        ${type}${link}`, 100);
    block.write('ustar\x0000', 257);
    const sum = block.reduce((total, byte) => total + byte, 0);
    block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return block;
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

const listingOf = (archive: Buffer): string =>
  execFileSync('tar', [...listingOptions, '-f', '-'], {
    input: archive,
    env: { ...process.env, ...listingEnvironment },
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  });

test('members are what tar itself reads, whatever their names pretend', () => {
  const file = (name: string) => ({ name, type: '0' });
  const link = (name: string, to: string) => ({ name, type: '1', link: to });
  const names = ['a -> b', 'a link to /etc/b', 'a"q\\', 'line\nbreak', 'ä', '-rw', ' "x" link to "y"'];
  const kept = rawArchive(names.map((name) => file(`srv/app/${name}`)));
  assert.deepEqual(
    membersOf(listingOf(kept)).map(({ path }) => path),
    names.map((name) => `srv/app/${name}`),
  );
  assert.deepEqual(wrongMembers(listingOf(kept), ['/srv/app']), []);
  const wrong = (...members: Parameters<typeof rawArchive>[0]) =>
    wrongMembers(listingOf(rawArchive(members)), ['/srv/app']);
  assert.match(wrong(link('srv/app/x link to srv/app/y', '/etc/shadow'))[0] ?? '', /is a link to etc\/shadow, outside/);
  assert.match(wrong(link('srv/app/x', 'srv/app/never'))[0] ?? '', /which does not come before it/);
  assert.deepEqual(wrong(file('srv/app/x -> y'), link('srv/app/z', 'srv/app/x -> y')), []);
  assert.match(
    wrong({ name: 'srv/app/x -> y', type: '2', link: '/etc' }, file('srv/app/x -> y/passwd'))[0] ?? '',
    /would be written through the link srv\/app\/x -> y/,
  );
  assert.equal(wrong(file('srv/appendix')).length, 1);
  assert.equal(wrong({ name: 'srv/app/device', type: '3' }).length, 1);
  assert.equal(wrongMembers('what no tar says\n', ['/srv/app']).length, 1);
  assert.equal(wrongMembers('', ['/srv/app']).length, 1);
});
