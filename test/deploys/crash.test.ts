import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { appendFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildOrdeal, type CrashKind, type CrashVariant } from './support/crash.ts';
import { holdfast, startHoldfast, until } from './support/holdfast.ts';
import { buildSite } from './support/site.ts';

/** Every moment of every kind and variant takes many minutes: the campaign does that. Here is a share, another one for each. */
const shares: readonly (readonly [CrashKind, CrashVariant, number])[] = [
  ['good', 'full', 12],
  ['broken', 'full', 14],
  ['rollback', 'full', 14],
  ['first', 'full', 12],
  ['good', 'steps', 30],
  ['broken', 'clean', 40],
  ['broken', 'notify', 40],
  ['good', 'backup', 40],
  ['good', 'basic', 30],
];

for (const [offset, [kind, variant, step]] of shares.entries()) {
  test(`${kind}, ${variant}: killed at a share of its moments, the next run repairs it`, async (t) => {
    const { moments, survives } = await buildOrdeal(t, kind, variant);
    const count = await moments();
    t.diagnostic(`${count} moments`);
    for (let moment = offset % step; moment < count; moment += step)
      await survives({ moment, withCommands: moment % 2 === 0 });
  });
}

test('the run that repairs is killed as well, and the third one repairs what both have left', async (t) => {
  const { moments, survives } = await buildOrdeal(t, 'good', 'steps');
  const count = await moments();
  for (let moment = 60; moment < count; moment += 50) {
    await survives({ moment, withCommands: false }, { moment: moment % 90, withCommands: true });
  }
});

test('the program itself killed with -9 at random moments: the next run repairs it', async (t) => {
  const { seconds, survivesKill } = await buildOrdeal(t, 'good');
  const longest = await seconds();
  for (let round = 0; round < 6; round++) await survivesKill((randomInt(5, 100) / 100) * longest, round % 2 === 0);
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
