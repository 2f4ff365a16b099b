import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { appendFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type CrashKind, killAndRunAgain, momentsOf } from './support/crash.ts';
import { holdfast, startHoldfast, until } from './support/holdfast.ts';
import { buildSite } from './support/site.ts';

/** Every moment of every kind takes many minutes: the campaign does that. Here is a share, another one for each kind. */
const share = 16;
const kinds: readonly CrashKind[] = ['good', 'broken', 'rollback'];

for (const [offset, kind] of kinds.entries()) {
  test(`${kind}: killed at a share of its moments, the next run repairs it`, async (t) => {
    const moments = await momentsOf(t, kind);
    t.diagnostic(`${moments} moments`);
    for (let moment = offset * 5; moment < moments; moment += share) {
      await killAndRunAgain(t, kind, moment, moment % 2 === 0);
    }
  });
}

test('the program itself killed with -9 at random moments, again and again: the next run repairs it', async (t) => {
  const site = await buildSite(t);
  assert.equal((await holdfast(site, ['deploy'])).exitCode, 0);
  for (let round = 0; round < 6; round++) {
    const commit = site.push({ page: `round ${round}`, file: `${round}` });
    const { child, ended } = startHoldfast(site, ['deploy']);
    await new Promise((resolve) => setTimeout(resolve, randomInt(50, 900)));
    child.kill('SIGKILL');
    await ended;
    const again = await holdfast(site, ['deploy']);
    assert.equal(again.exitCode, 0, `${again.stderr}\n${site.log()}`);
    assert.equal(site.head(), commit);
    assert.equal(site.read('storage/cached-page'), `round ${round}`);
    assert.equal(site.git(site.app, 'status', '--porcelain', '--untracked-files=no'), '');
  }
});

test('a loss of power: files with other contents and a broken index are repaired', async (t) => {
  const site = await buildSite(t);
  const files = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`folder/file${index}`, `content ${index}`]),
  );
  site.push(files);
  assert.equal((await holdfast(site, ['deploy'])).exitCode, 0);
  const commit = site.push({ page: 'two', 'wait-config:clear': '3' });
  const { child, ended } = startHoldfast(site, ['deploy']);
  await until(() => site.artisanCalls().length > 7, 'the second deploy has reached its caches');
  child.kill('SIGKILL');
  await ended;
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
