import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { holdfast, startHoldfast, until } from '../support/holdfast.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite, type Site } from '../support/site.ts';

const journal = (site: Site) => readFileSync(join(site.app, '.git/holdfast/journal.jsonl'), 'utf8');

/** What one run adds to the log. */
async function logged(site: Site, run: () => Promise<unknown>): Promise<string> {
  const before = site.log();
  await run();
  assert.ok(site.log().startsWith(before));
  return site.log().slice(before.length);
}

for (const mode of ['in-place', 'releases'] as const)
  test(`a timer that finds nothing new adds one line to the log and nothing to the journal (${mode})`, async (t) => {
    const site = await buildSite(t, mode);
    const commit = site.push({ page: 'two' });
    await deploy(quietHost(), site.settings());
    const before = journal(site);
    for (let run = 0; run < 3; run++)
      assert.match(
        await logged(site, () => deploy(quietHost(), site.settings({ ifChanged: true }))),
        new RegExp(`^\\[INFO\\] Nothing to deploy: already at ${commit} \\(20\\d\\d-\\S+Z\\)\\n$`),
      );
    assert.equal(journal(site), before);
    const status = JSON.parse((await holdfast(site, ['status', '--mode', mode, '--json'])).stdout);
    assert.deepEqual([status.lastRun.document.state, status.problems], ['verified', []]);
  });

test('nothing is cleaned, and no archive is made, where nothing is new', async (t) => {
  const site = await buildSite(t);
  site.write('stray', 'mine');
  const backup = { dir: join(site.folder, 'backups') };
  mkdirSync(backup.dir);
  await deploy(quietHost(), site.settings({ ifChanged: true, clean: true }, { backup }));
  assert.equal(site.read('stray'), 'mine');
  assert.doesNotMatch(site.log(), /Backup/);
});

test('a commit that waits for --again, and frozen deploys, cost a timer one line too', async (t) => {
  const site = await buildSite(t);
  const bad = site.push({ status: '500' });
  await deploy(quietHost(), site.settings());
  const before = journal(site);
  const timer = async () => {
    const document = await deploy(quietHost(), site.settings({ ifChanged: true }));
    assert.equal(document.exitCode, 6);
  };
  assert.match(await logged(site, timer), new RegExp(`^\\[ERROR\\] ${bad} was found bad before; .* \\(20\\S+Z\\)\\n$`));
  await holdfast(site, ['lock', '--reason', 'a sale']);
  assert.match(await logged(site, timer), /^\[ERROR\] Deploys are frozen since .*\n$/);
  assert.equal(journal(site), before);
});

test('a timer that finds a new commit, or cannot fetch, has its whole block', async (t) => {
  const site = await buildSite(t);
  const timer = () => deploy(quietHost(), site.settings({ ifChanged: true }));
  site.push({ page: 'two' });
  const whole =
    /^===== Deployment started \S+ =====\n\[INFO\] Previous commit: .*===== Deployment completed \S+ =====\n\n$/s;
  assert.match(await logged(site, timer), whole);
  rmSync(site.remote, { recursive: true });
  const failed = await logged(site, timer);
  assert.match(failed, whole);
  assert.match(failed, /^\[ERROR\] Git fetch failed$/m);
  assert.equal(journal(site).match(/"run-finished"/g)?.length, 2);
});

test('a timer that was killed while it fetched is repaired by the next one, which says so', async (t) => {
  const site = await buildSite(t);
  await deploy(quietHost(), site.settings());
  site.git(site.app, 'config', 'remote.origin.uploadpack', `${site.folder}/slow-upload-pack`);
  writeFileSync(join(site.folder, 'slow-upload-pack'), `#!/bin/sh\ntouch ${site.folder}/fetching\nexec sleep 60\n`, {
    mode: 0o755,
  });
  const { child, ended } = startHoldfast(site, ['deploy', '--if-changed']);
  await until(() => existsSync(join(site.folder, 'fetching')), 'it fetches');
  child.kill('SIGKILL');
  await ended;
  site.git(site.app, 'config', '--unset', 'remote.origin.uploadpack');
  const said = await logged(site, () => deploy(quietHost(), site.settings({ ifChanged: true })));
  assert.match(said, /^\[INFO\] Killed before it ended: /m);
  const before = journal(site);
  assert.equal((await deploy(quietHost(), site.settings({ ifChanged: true }))).state, 'unchanged');
  assert.equal(journal(site), before, 'what was killed is repaired once');
});
