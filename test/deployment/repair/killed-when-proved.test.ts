import assert from 'node:assert/strict';
import { readdirSync, readFileSync, readlinkSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import type { DeployDocument } from '../../../src/deployment/record/document.ts';
import { repairNow } from '../../../src/deployment/repair-now.ts';
import type { Appender, Host } from '../../../src/host/host.ts';
import { holdfast } from '../support/holdfast.ts';
import { mortalHost } from '../support/mortal-host.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite, type Site } from '../support/site.ts';

const repairs = /Repaired|Killed before it ended/;

/**
 * Runs until it is about to write this, as if a kill came then: what stands before it in the same write is on the disk.
 */
async function killedAt(mark: string, run: (host: Host) => Promise<DeployDocument>): Promise<void> {
  const { host, bury } = await mortalHost();
  const { promise: death, resolve: die } = Promise.withResolvers<void>();
  const dieAt = async (text: string, write: (text: string) => Promise<void>): Promise<void> => {
    if (!text.includes(mark)) return write(text);
    const before = text.slice(0, text.lastIndexOf('\n', text.indexOf(mark)) + 1);
    if (before !== '') await write(before);
    die();
    await new Promise(() => {});
  };
  const append: Host['files']['append'] = async (path, options): Promise<Appender> => {
    const appender = await host.files.append(path, options);
    return { ...appender, write: (text) => dieAt(text, appender.write) };
  };
  const replace: Host['files']['replace'] = (path, content, options) =>
    dieAt(content, (text) => host.files.replace(path, text, options));
  const mortal = { ...host, files: { ...host.files, append, replace } };
  await Promise.race([run(mortal).then(() => assert.fail('it lives')), death]);
  await bury();
}

/** `history`, `show` and `status` of a run that proved this commit and was killed. */
async function tellsOfProof(site: Site, commit: string, mode: DeployMode): Promise<void> {
  const history = await holdfast(site, ['history']);
  const [line = ''] = history.stdout.trim().split('\n').slice(-1);
  const [id = ''] = line.split(' ');
  assert.match(
    line,
    new RegExp(`^\\S+  deploy    main  \\w{7} → ${commit.slice(0, 7)}  verified, not finished(?:, by .*)?$`),
  );
  const shown = await holdfast(site, ['show', id]);
  assert.ok(shown.stdout.startsWith(`${line}\n`), shown.stdout);
  assert.match(shown.stdout, new RegExp(`Health check passed \\(200\\) at ${commit}$`, 'm'));
  assert.match(shown.stdout, /^started \S+ by process \d+, and has no end$/m);
  assert.equal(JSON.parse((await holdfast(site, ['show', id, '--json'])).stdout).run.verified, commit);
  const status = await holdfast(site, ['status', '--mode', mode]);
  assert.equal(status.exitCode, 0, status.stdout);
  assert.match(status.stdout, new RegExp(`^commit +${commit}$`, 'm'));
  assert.match(status.stdout, new RegExp(`^last verified +${commit}$`, 'm'));
  assert.match(status.stdout, /^lock .* which is dead$/m);
}
type DeployMode = 'in-place' | 'releases';

const stateOf = (site: Site, name: string) =>
  JSON.parse(readFileSync(join(site.app, '.git/holdfast/releases', `${name}.json`), 'utf8')).state;

for (const next of ['deploy', 'deploy --if-changed', 'doctor --repair'] as const)
  test(`a deploy that was killed after its commit was verified, before its end was recorded, counts as ended: ${next} repairs nothing`, async (t) => {
    const site = await buildSite(t);
    await deploy(quietHost(), site.settings());
    const commit = site.push({ page: 'two' });
    await killedAt('"run-finished"', (host) => deploy(host, site.settings()));
    await tellsOfProof(site, commit, 'in-place');
    const document =
      next === 'doctor --repair'
        ? await repairNow(quietHost(), site.settings())
        : await deploy(quietHost(), site.settings({ ifChanged: next === 'deploy --if-changed' }));
    assert.equal(document.exitCode, 0, site.log());
    assert.deepEqual([site.head(), site.read('page')], [commit, 'two']);
    assert.doesNotMatch(site.log(), repairs);
    assert.equal((await holdfast(site, ['status'])).exitCode, 0);
  });

for (const mark of ['"state":"good"', '"run-finished"'])
  test(`a release that was live and verified when its run was killed at ${mark} stays live, and a rollback may go to it`, async (t) => {
    const site = await buildSite(t, 'releases');
    await deploy(quietHost(), site.settings());
    const commit = site.push({ page: 'two' });
    await killedAt(mark, (host) => deploy(host, site.settings()));
    const shown = realpathSync(join(site.app, 'current'));
    await tellsOfProof(site, commit, 'releases');
    const { exitCode } = await deploy(quietHost(), site.settings({ ifChanged: true }));
    assert.deepEqual([exitCode, site.head(), realpathSync(join(site.app, 'current'))], [0, commit, shown], site.log());
    assert.equal(stateOf(site, shown.split('/').at(-1) ?? ''), 'good');
    assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
    assert.deepEqual([site.head(), site.read('page')], [commit, 'two']);
    assert.doesNotMatch(site.log(), repairs);
  });

test('the very first release over the checkout itself keeps the link, also when the next commit fails before it is shown', async (t) => {
  const site = await buildSite(t, 'releases');
  symlinkSync('.', join(site.app, 'current'));
  const commit = site.git(site.app, 'rev-parse', 'HEAD');
  await killedAt('"state":"good"', (host) => deploy(host, site.settings()));
  const [first = ''] = readdirSync(join(site.app, 'releases'));
  await tellsOfProof(site, commit, 'releases');
  assert.equal((await deploy(quietHost(), site.settings({ ifChanged: true }))).state, 'unchanged', site.log());
  site.push({ page: 'two' });
  const steps = { before: [{ command: ['false'] }] };
  const document = await deploy(quietHost(), site.settings({}, { steps }));
  assert.deepEqual([document.state, document.exitCode], ['rolled-back', 3], site.log());
  assert.equal(readlinkSync(join(site.app, 'current')).split('/').at(-1), first);
  assert.doesNotMatch(site.log(), repairs);
});
