import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { repairNow } from '../../../src/deployment/repair-now.ts';
import type { Command, Host } from '../../../src/host/host.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite } from '../support/site.ts';
import { onSmallDisk } from '../support/small-disk.ts';

/**
 * The host, on which something happens before the first command of a kind, and before each later command: a deleted
 * file makes room again.
 */
function from(isIt: (command: Command) => boolean, happens: () => void): Host {
  const host = quietHost();
  let has = false;
  return {
    ...host,
    run: (command, options) => {
      has ||= isIt(command);
      if (has) happens();
      return host.run(command, options);
    },
  };
}

const manyFiles = (version: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`file${index}`, `${version} `.repeat(5000)]));

test('a disk that becomes full in the middle of a reset: exit 5, and the next run repairs', async (t) => {
  const site = await buildSite(t);
  await onSmallDisk(t, site, async (disk) => {
    const good = site.push({ ...manyFiles('one'), page: 'two' });
    assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
    const next = site.push({ ...manyFiles('two'), page: 'three' });
    // The new files are in their places, and git knows them.
    const host = from((command) => command.includes('update-index'), disk.fill);
    const document = await deploy(host, site.settings());
    assert.deepEqual([document.exitCode, document.state], [5, 'rollback-failed'], site.log());
    disk.free();
    assert.equal((await repairNow(quietHost(), site.settings())).exitCode, 0, site.log());
    assert.deepEqual([site.head(), site.read('page')], [good, 'two']);
    assert.equal(site.git(site.app, 'status', '--porcelain', '--untracked-files=no'), '');
    assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
    assert.equal(site.head(), next);
  });
});

test('a disk that becomes full in the middle of an automatic rollback: exit 5, and the next run repairs', async (t) => {
  const site = await buildSite(t);
  await onSmallDisk(t, site, async (disk) => {
    const good = site.push({ ...manyFiles('one'), page: 'two' });
    assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
    site.push({ ...manyFiles('two'), page: 'three', status: '500' });
    // The deploy has made its own reset by then; the first command of the way back stages the files of the former
    // commit.
    const host = from((command) => command.includes('read-tree') && command.includes(good), disk.fill);
    const document = await deploy(host, site.settings());
    assert.deepEqual([document.exitCode, document.state], [5, 'rollback-failed'], site.log());
    assert.match(site.log(), /^ {2}git reset --hard [0-9a-f]{40}$/m);
    disk.free();
    assert.equal((await repairNow(quietHost(), site.settings())).exitCode, 0, site.log());
    assert.deepEqual([site.head(), site.read('page')], [good, 'two']);
    assert.equal(site.git(site.app, 'status', '--porcelain', '--untracked-files=no'), '');
    assert.equal((await fetch(site.healthUrl)).status, 200);
  });
});
