import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { pruneEvidence } from '../../../src/deployment/run/evidence.ts';
import type { Host } from '../../../src/host/host.ts';
import { holdfast } from '../support/holdfast.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite, type Site } from '../support/site.ts';

const mebibyte = 1024 * 1024;
const keptBy = (site: Site, id: string) => join(site.app, '.git/holdfast/runs', id, 'files');

/** A site with an upload of 3 MiB in the way of the next commit. */
async function siteWithUpload(t: TestContext): Promise<Site> {
  const site = await buildSite(t);
  site.write('media/upload', 'x'.repeat(3 * mebibyte));
  site.push({ media: 'a file now' });
  return site;
}

test('what has to be kept counts in the room that is demanded, before anything is touched', async (t) => {
  const site = await siteWithUpload(t);
  const before = site.head();
  const real = quietHost();
  const roomFor = (bytes: number): Host => ({
    ...real,
    files: { ...real.files, freeSpace: async () => ({ bytes, files: 1e6 }) },
  });
  const { exitCode, id } = await deploy(roomFor(34 * mebibyte), site.settings());
  assert.deepEqual([exitCode, site.head(), existsSync(keptBy(site, id))], [1, before, false]);
  assert.match(site.log(), /no space left: .* may be needed, 4 MiB of them for a copy of the 2 files in its way/);
  assert.equal((await deploy(roomFor(37 * mebibyte), site.settings())).state, 'verified', site.log());
  for (const isSeen of [true, false]) {
    if (!isSeen) site.git(site.app, 'update-index', '--assume-unchanged', 'page');
    site.write('page', 'x'.repeat(3 * mebibyte));
    site.push({ page: `another, ${isSeen}` });
    assert.equal((await deploy(roomFor(34 * mebibyte), site.settings())).exitCode, 1, 'an edit of 3 MiB');
    assert.equal((await deploy(roomFor(38 * mebibyte), site.settings())).state, 'verified', site.log());
  }
});

test('a copy that fails leaves nothing, and the reason is that of the program', async (t) => {
  const site = await siteWithUpload(t);
  const before = site.head();
  const real = quietHost();
  let program = '';
  const run: Host['run'] = async (command, options) => {
    const ended = await real.run(command, options);
    const isFull = command.includes(program);
    return isFull ? { ...ended, exitCode: 1, stderr: 'error: No space left on device\n' } : ended;
  };
  for (const [full, leaves] of [
    ['cp', 'files'],
    ['--binary', 'local-edits.patch'],
  ] as const) {
    program = full;
    site.write('page', 'an edit');
    const { exitCode, id, because } = await deploy({ ...real, run }, site.settings());
    const left = existsSync(join(site.app, '.git/holdfast/runs', id, leaves));
    assert.deepEqual([exitCode, site.head(), left], [1, before, false]);
    assert.match(because ?? '', /No space left on device/);
  }
});

test('a clean submodule that a commit moves is neither copied nor an edit; what is in a dirty one is kept', async (t) => {
  const site = await buildSite(t);
  const library = join(site.folder, 'library');
  const commitIn = (text: string) => {
    writeFileSync(join(library, 'code'), text);
    site.git(library, 'add', 'code');
    site.git(library, 'commit', '--quiet', '--message', text);
  };
  site.git(site.folder, 'init', '--quiet', library);
  commitIn('one');
  const local = ['-c', 'protocol.file.allow=always'] as const;
  site.git(site.developer, ...local, 'submodule', '--quiet', 'add', library, 'lib');
  site.push({});
  const settings = site.settings(
    {},
    {
      localEdits: 'refuse',
      environment: {
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: local[1].split('=')[0] ?? '',
        GIT_CONFIG_VALUE_0: 'always',
      },
    },
  );
  assert.equal((await deploy(quietHost(), settings)).state, 'verified', site.log());
  const bump = (text: string) => {
    commitIn(text);
    site.git(join(site.developer, 'lib'), 'pull', '--quiet');
    site.push({});
  };
  bump('two');
  const clean = await deploy(quietHost(), settings);
  assert.deepEqual(
    [clean.state, existsSync(keptBy(site, clean.id)), site.read('lib/code')],
    ['verified', false, 'two'],
  );
  site.write('lib/own', 'ours');
  bump('three');
  assert.equal((await deploy(quietHost(), settings)).exitCode, 1);
  const { id, state } = await deploy(quietHost(), { ...settings, localEdits: 'discard' });
  assert.deepEqual([state, site.read(`.git/holdfast/runs/${id}/files/lib/own`)], ['verified', 'ours']);
  rmSync(join(site.app, 'lib/own'));
  const keptEdit = async (text: string): Promise<string | undefined> => {
    site.write('lib/code', text);
    const run = await deploy(quietHost(), { ...settings, localEdits: 'discard' });
    assert.equal(run.state, 'verified', site.log());
    return site.read(`.git/holdfast/runs/${run.id}/files/lib/code`);
  };
  site.git(site.app, 'config', 'submodule.lib.ignore', 'all');
  assert.equal(await keptEdit('an edit of a submodule that git ignores'), 'an edit of a submodule that git ignores');
  site.git(join(site.app, 'lib'), 'update-index', '--assume-unchanged', 'code');
  bump('four');
  assert.equal(await keptEdit('an edit that git does not see'), 'an edit that git does not see');
  assert.equal(site.read('lib/code'), 'four');
  site.git(join(site.app, 'lib'), 'update-index', '--skip-worktree', 'code');
  site.git(library, 'commit', '--quiet', '--allow-empty', '--message', 'leaves the file alone');
  site.git(join(site.developer, 'lib'), 'pull', '--quiet');
  site.push({});
  await keptEdit('an edit that git does not see');
  assert.equal(site.read('lib/code'), 'an edit that git does not see');
  assert.match(site.git(join(site.app, 'lib'), 'ls-files', '-v'), /^S code$/m);
});

test('what runs kept is removed when it is both old and of an old run; status says how much is left', async (t) => {
  const site = await buildSite(t);
  const runs = join(site.app, '.git/holdfast/runs');
  const old = new Date(Date.now() - 31 * 24 * 3600 * 1000);
  for (let number = 10; number < 32; number++) {
    mkdirSync(join(runs, `run${number}`, 'files'), { recursive: true });
    writeFileSync(join(runs, `run${number}`, 'files/upload'), 'x'.repeat(100_000));
    if (number !== 11) utimesSync(join(runs, `run${number}`), old, old);
  }
  const lines: string[] = [];
  const log = { line: async (_: string, text: string) => void lines.push(text) };
  const checkout = { stateFolder: join(site.app, '.git/holdfast') };
  await pruneEvidence({ host: quietHost(), checkout, log } as unknown as Parameters<typeof pruneEvidence>[0]);
  const there = (number: number) => existsSync(join(runs, `run${number}/files/upload`));
  assert.deepEqual([there(10), there(11), there(12)], [false, true, true]);
  assert.deepEqual(lines, ['What run10 kept more than 30 days ago is removed']);
  const { stdout } = await holdfast(site, ['status']);
  assert.match(stdout, /^kept by runs +2\.\d MiB$/m);
});
