import assert from 'node:assert/strict';
import { existsSync, readdirSync, readlinkSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import type { DeployDocument } from '../../../src/deployment/record/document.ts';
import { repairNow } from '../../../src/deployment/repair-now.ts';
import { rollback } from '../../../src/deployment/rollback.ts';
import { OperationError } from '../../../src/host/errors.ts';
import type { Host } from '../../../src/host/host.ts';
import { mortalHost } from '../support/mortal-host.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite, type Site } from '../support/site.ts';

const live = (site: Site): string => realpathSync(join(site.app, 'current'));
/** What the releases show, by the alphabet: names of the same second are in no order. */
const pages = (site: Site): readonly string[] =>
  readdirSync(join(site.app, 'releases'))
    .map((name) => site.git(join(site.app, 'releases', name), 'cat-file', '-p', 'HEAD:page'))
    .sort();

/** Runs until it is about to remove a release, as if a kill came then. */
async function killedAtARemoval(run: (host: Host) => Promise<DeployDocument>): Promise<void> {
  const { host, bury } = await mortalHost();
  const { promise: death, resolve: die } = Promise.withResolvers<void>();
  const remove = async (path: string): Promise<void> => {
    if (!path.includes('/releases/2')) return host.files.remove(path);
    die();
    await new Promise(() => {});
  };
  const lives = run({ ...host, files: { ...host.files, remove } }).then(() => assert.fail('it lives'));
  await Promise.race([lives, death]).finally(bury);
}

test('a run that is killed while it removes old releases counts as ended: nothing is undone', async (t) => {
  const site = await buildSite(t, 'releases');
  const settings = () => site.settings({}, { releases: { keep: 1 } });
  await deploy(quietHost(), settings());
  const commit = site.push({ page: 'two' });
  await killedAtARemoval((host) => deploy(host, settings()));
  assert.equal(site.head(), commit);
  const shown = live(site);
  assert.equal((await repairNow(quietHost(), settings())).exitCode, 0, site.log());
  assert.deepEqual([site.head(), live(site)], [commit, shown]);
  assert.deepEqual(pages(site), ['two'], 'what was being removed is gone');
  assert.doesNotMatch(site.log(), /Repaired|Killed before it ended/);
});

test('where the outcome cannot be written, the release that a repair would go back to stays', async (t) => {
  const site = await buildSite(t, 'releases');
  const settings = () => site.settings({}, { releases: { keep: 1 } });
  await deploy(quietHost(), settings());
  site.push({ page: 'two' });
  const real = quietHost();
  const append: Host['files']['append'] = async (path, options) => {
    const appender = await real.files.append(path, options);
    const write = async (text: string): Promise<void> => {
      if (/"to":"verified"|"run-finished"/.test(text)) throw new Error('no space left on device');
      await appender.write(text);
    };
    return path.endsWith('journal.jsonl') ? { ...appender, write } : appender;
  };
  await deploy({ ...real, files: { ...real.files, append } }, settings());
  assert.deepEqual(pages(site), ['one', 'two'], site.log());
});

test('a release that fills the disk while it is made is removed at once, so that the rollback can be recorded', async (t) => {
  const site = await buildSite(t, 'releases');
  await deploy(quietHost(), site.settings());
  site.push({ page: 'two' });
  const real = quietHost();
  const releases = join(site.app, 'releases');
  const demandRoom = (path: string): void => {
    if (readdirSync(releases).some((name) => existsSync(join(releases, name, 'fills the disk'))))
      throw new OperationError({ tried: 'Writing', on: path, reason: 'ENOSPC' });
  };
  const replace: Host['files']['replace'] = async (path, text, options) => {
    demandRoom(path);
    await real.files.replace(path, text, options);
  };
  const append: Host['files']['append'] = async (path, options) => {
    const appender = await real.files.append(path, options);
    const write = async (text: string): Promise<void> => {
      // What is little may still find its place in the last block.
      if (/rollback-intended|run-finished/.test(text)) demandRoom(path);
      await appender.write(text);
    };
    return { ...appender, write };
  };
  const steps = { before: [{ command: ['sh', '-c', '> "fills the disk"; false'] }] };
  const document = await deploy({ ...real, files: { ...real.files, append, replace } }, site.settings({}, { steps }));
  assert.deepEqual([document.state, document.exitCode], ['rolled-back', 3], site.log());
  assert.doesNotMatch(site.log(), /ENOSPC/);
  assert.deepEqual(pages(site), ['one']);
  assert.equal((await deploy(quietHost(), site.settings({ again: true }))).state, 'verified', site.log());
  assert.doesNotMatch(site.log(), /Killed before it ended/);
});

test('an unfinished release that a repair cannot remove is not reported as removed', async (t) => {
  const site = await buildSite(t, 'releases');
  await deploy(quietHost(), site.settings());
  site.push({ page: 'two' });
  const { host, bury } = await mortalHost();
  const { promise: death, resolve: die } = Promise.withResolvers<void>();
  const replace: Host['files']['replace'] = async (path, text, options) => {
    if (!text.includes('"state":"ready"')) return host.files.replace(path, text, options);
    die();
    await new Promise(() => {});
  };
  await Promise.race([deploy({ ...host, files: { ...host.files, replace } }, site.settings()), death]);
  await bury();
  const real = quietHost();
  const remove: Host['files']['remove'] = async (path) => {
    if (path.includes('/releases/2')) throw new OperationError({ tried: 'Removing', on: path, reason: 'EIO' });
    await real.files.remove(path);
  };
  await repairNow({ ...real, files: { ...real.files, remove } }, site.settings());
  assert.match(site.log(), /^\[ERROR\] The release \S+ cannot be removed: Removing .* EIO$/m);
  assert.doesNotMatch(site.log(), /Removed the releases/);
  assert.equal((await repairNow(quietHost(), site.settings())).exitCode, 0);
  assert.deepEqual(pages(site), ['one']);
});

test('a release that cannot be recorded as good is logged, and the deploy is verified all the same', async (t) => {
  const site = await buildSite(t, 'releases');
  const real = quietHost();
  const replace: Host['files']['replace'] = async (path, text, options) => {
    if (text.includes('"state":"good"')) throw new OperationError({ tried: 'Writing', on: path, reason: 'ENOSPC' });
    return real.files.replace(path, text, options);
  };
  const document = await deploy({ ...real, files: { ...real.files, replace } }, site.settings());
  assert.deepEqual([document.state, document.exitCode], ['verified', 0]);
  assert.match(site.log(), /^\[ERROR\] The release \S+ cannot be recorded as good: Writing .* ENOSPC$/m);
});

test('the releases that were live last are kept, and before others the one that a person rolled back from is removed', async (t) => {
  const site = await buildSite(t, 'releases');
  const settings = () => site.settings({}, { releases: { keep: 2 } });
  for (const page of ['one', 'two', 'three']) {
    site.push({ page });
    await deploy(quietHost(), settings());
  }
  assert.equal((await rollback(quietHost(), settings())).state, 'verified', site.log());
  const second = live(site);
  site.push({ page: 'four' });
  assert.equal((await deploy(quietHost(), settings())).state, 'verified', site.log());
  assert.deepEqual(pages(site), ['four', 'two']);
  assert.equal((await rollback(quietHost(), settings())).state, 'verified', site.log());
  assert.equal(live(site), second, 'a way back builds nothing');
});

for (const [how, fails] of [
  ['fails its health check', { push: { page: 'two', status: '500' }, state: 'rolled-back' }],
  ['is killed before it is proved', { push: { page: 'two' }, state: 'aborted' }],
] as const)
  test(`the first release over the checkout itself ${how}: the link leads to the checkout again, and nothing is built`, async (t) => {
    const site = await buildSite(t, 'releases');
    const before = site.git(site.app, 'rev-parse', 'HEAD');
    symlinkSync('.', join(site.app, 'current'));
    site.push(fails.push);
    // The second time it would fail, as where there is no network any more.
    const steps = { before: [{ command: ['mkdir', join(site.folder, 'once')] }] };
    const settings = () => site.settings({}, { steps });
    const { host, bury } = await mortalHost();
    const { promise: death, resolve: die } = Promise.withResolvers<void>();
    const link: Host['files']['link'] = async (path, target) => {
      await host.files.link(path, target);
      if (fails.state === 'rolled-back') return;
      die();
      await new Promise(() => {});
    };
    const ended = deploy({ ...host, files: { ...host.files, link } }, settings());
    const document = await Promise.race([ended, death]);
    await bury();
    if (document === undefined) assert.equal((await repairNow(quietHost(), settings())).exitCode, 0, site.log());
    else assert.deepEqual([document.state, document.exitCode], ['rolled-back', 3], site.log());
    assert.equal(readlinkSync(join(site.app, 'current')), '.');
    assert.deepEqual([site.head(), site.read('page'), (await fetch(site.healthUrl)).status], [before, 'one', 200]);
    assert.deepEqual(pages(site), ['two'], 'kept for whoever wants to know why');
  });

test('where the link cannot be switched back to the checkout, the commands for it are logged', async (t) => {
  const site = await buildSite(t, 'releases');
  symlinkSync('.', join(site.app, 'current'));
  site.push({ page: 'two', status: '500' });
  const real = quietHost();
  const link: Host['files']['link'] = (path, target) =>
    target === '.'
      ? Promise.reject(new OperationError({ tried: 'Linking', on: path, reason: 'EIO' }))
      : real.files.link(path, target);
  const document = await deploy({ ...real, files: { ...real.files, link } }, site.settings());
  assert.deepEqual([document.state, document.exitCode], ['rollback-failed', 5], site.log());
  assert.match(site.log(), /^ {2}ln -sfn \. \S+\/by-hand\n {2}mv -T \S+\/by-hand \S+\/current$/m);
});

test('where the live release was removed by hand, a bad commit is rolled back to the last verified one', async (t) => {
  const site = await buildSite(t, 'releases');
  const commits = ['two', 'three'].map((page) => ({ page, commit: '' }));
  for (const each of commits) {
    each.commit = site.push({ page: each.page });
    await deploy(quietHost(), site.settings());
  }
  rmSync(live(site), { recursive: true });
  assert.equal(existsSync(join(site.app, 'current')), false);
  site.push({ page: 'four', status: '500' });
  const document = await deploy(quietHost(), site.settings());
  assert.deepEqual([document.state, document.exitCode], ['rolled-back', 3], site.log());
  assert.deepEqual([document.previousCommit, site.head()], [commits[1]?.commit, commits[1]?.commit]);
  assert.equal(site.read('page'), 'three');
});
