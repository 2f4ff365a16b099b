import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { randomStreams } from '@holdfast/embedded-cluster';
import { deploy } from '../../../src/deployment/deploy.ts';
import { repairNow } from '../../../src/deployment/repair-now.ts';
import { buildOrdeal, type CrashKind, type CrashVariant } from '../support/crash.ts';
import { holdfast, startHoldfast, until } from '../support/holdfast.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite } from '../support/site.ts';

/**
 * The campaign `crash-deploys` kills at every moment of every kind; here each has one, and together they are spread
 * over a run.
 */
const kinds: readonly (readonly [CrashKind, CrashVariant])[] = [
  ['good', 'full'],
  ['broken', 'full'],
  ['rollback', 'full'],
  ['first', 'full'],
  ['good', 'steps'],
  ['broken', 'clean'],
  ['broken', 'notify'],
  ['good', 'backup'],
  ['good', 'basic'],
  ['good', 'releases'],
  ['broken', 'releases'],
  ['rollback', 'releases'],
  ['first', 'releases'],
  ['good', 'before'],
  ['broken', 'before'],
];

for (const [index, [kind, variant]] of kinds.entries()) {
  test(`${kind}, ${variant}: killed at one of its moments, the next run repairs it`, async (t) => {
    const { moments, survives } = await buildOrdeal(t, kind, variant);
    const count = await moments();
    // 7 and 15 have no common factor, so that no two kinds that stand together die at neighbouring moments.
    const share = (((index * 7) % kinds.length) + 0.5) / kinds.length;
    t.diagnostic(`${count} moments`);
    await survives({ moment: Math.floor(count * share), withCommands: index % 2 === 0 });
  });
}

test('the run that repairs is killed as well, and the third one repairs what both have left', async (t) => {
  const { moments, survives } = await buildOrdeal(t, 'good', 'steps');
  const count = await moments();
  for (const moment of [60, count - 60])
    await survives({ moment, withCommands: false }, { moment: moment % 90, withCommands: true });
});

test('the program itself killed with -9 at random moments: the next run repairs it', async (t) => {
  const { seconds, survivesKill } = await buildOrdeal(t, 'good');
  const longest = await seconds();
  const seed = process.env.SEED ?? '1';
  const share = randomStreams(seed)('shares of a run');
  t.diagnostic(`seed ${seed}`);
  for (const withCommands of [true, false]) await survivesKill(Math.max(0.05, share()) * longest, withCommands);
});

test('commands that a killed deploy has left running are ended first', async (t) => {
  const site = await buildSite(t);
  const commit = site.push({ page: 'two', 'wait-config:cache': '300' });
  const { child, ended } = startHoldfast(site, ['deploy']);
  await until(() => site.artisanCalls().some((call) => call.startsWith('config:cache')), 'the caches are rebuilt');
  child.kill('SIGKILL');
  await ended;
  const host = quietHost();
  const impatient = { ...host, clock: { ...host.clock, sleep: async () => {} } };
  const document = await deploy(impatient, site.settings({}, { caches: { clear: [], rebuild: [] } }));
  assert.equal(document.newCommit, commit, site.log());
  const [, pid] = /^\[INFO\] Its commands have ended: (\d+)$/m.exec(site.log()) ?? [];
  const stat = `/proc/${pid}/stat`;
  assert.ok(pid !== undefined && (!existsSync(stat) || / Z /.test(readFileSync(stat, 'utf8'))), site.log());
});

test('after a kill the repair does not rely on HEAD: files that the new commit added are removed, and files that it replaced come back', async (t) => {
  const site = await buildSite(t);
  assert.equal((await deploy(quietHost(), site.settings())).state, 'verified');
  const before = site.head();
  site.write('storage/contested', 'ours');
  const commit = site.push({ page: 'two', added: 'theirs', changed: 'theirs', 'storage/contested': 'theirs' });
  const caches = { clear: [], rebuild: [{ command: ['sh', '-c', 'kill -9 "$PPID"'] }] };
  writeFileSync(
    join(site.folder, 'holdfast.yaml'),
    JSON.stringify({ deployment: { opcache: { wait: '0s' }, caches } }),
  );
  await holdfast(site, ['deploy']);
  assert.deepEqual([site.head(), site.read('storage/contested')], [commit, 'theirs']);
  site.write('changed', 'by a person, since then');
  const { id, exitCode } = await repairNow(quietHost(), site.settings());
  assert.equal(exitCode, 0, site.log());
  assert.equal(site.head(), before);
  const paths = ['page', 'added', 'changed', 'storage/contested'];
  assert.deepEqual(paths.map(site.read), ['one', undefined, undefined, 'ours']);
  assert.equal(site.read(`.git/holdfast/runs/${id}/files/changed`), 'by a person, since then');
});

test('a loss of power: files with other contents and a broken index are repaired', async (t) => {
  const site = await buildSite(t);
  const files = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`folder/file${index}`, `content ${index}`]),
  );
  site.push(files);
  assert.equal((await holdfast(site, ['deploy'])).exitCode, 0);
  const commit = site.push({ page: 'two' });
  site.write('hold-config:clear', '');
  const { child, ended } = startHoldfast(site, ['deploy']);
  await until(() => site.artisanCalls().length > 7, 'the second deploy has reached its caches');
  child.kill('SIGKILL');
  await ended;
  rmSync(join(site.app, 'hold-config:clear'));
  for (let index = 0; index < 20; index += 3) sameTimesOtherContent(site.app, `folder/file${index}`);
  writeFileSync(join(site.app, '.git', 'index'), 'not an index');
  writeFileSync(join(site.app, '.git', 'index.lock'), '');
  const journal = join(site.app, '.git', 'holdfast', 'journal.jsonl');
  appendFileSync(journal, '{"at":"2026-11-20T10:00:00.000Z","type":"step-fin');
  const again = await holdfast(site, ['deploy']);
  assert.equal(again.exitCode, 0, `${again.stderr}\n${site.log()}`);
  assert.equal(site.head(), commit);
  for (const [path, text] of Object.entries(files)) assert.equal(site.read(path), text, path);
});

/** What a file system may leave of a file that was being written: its name, size and times are right. */
function sameTimesOtherContent(app: string, path: string): void {
  const file = join(app, path);
  const { size, atime, mtime } = statSync(file);
  writeFileSync(file, Buffer.alloc(size));
  utimesSync(file, atime, mtime);
}
