import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { claimRunFolder, createRunFolder, requireFreeFolders } from '../../../src/cli/runs/create-run-folder.ts';
import { UsageError } from '../../../src/host/errors.ts';
import { nodeFiles } from '../../../src/host/files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The files below a folder of the test, at ten o'clock. */
function hostIn(t: TestContext) {
  const root = temporaryFolder(t);
  const real = nodeFiles();
  const at = (path: string) => join(root, path);
  const files = {
    ...real,
    stat: (path: string) => real.stat(at(path)),
    makeFolder: (path: string) => real.makeFolder(at(path)),
    create: (path: string, text: string) => real.create(at(path), text),
  };
  const clock = { wallAt: () => Date.parse('2026-11-20T10:00:00Z') };
  return { root, host: { files, clock } as unknown as Parameters<typeof createRunFolder>[0]['host'] };
}

test('runs that begin in the same second have folders of their own, with their own settings', async (t) => {
  const { root, host } = hostIn(t);
  const made = await Promise.all(
    ['a', 'b', 'c'].map(async (settings) => [
      await createRunFolder({ host }, undefined, 'rehearsal', settings),
      settings,
    ]),
  );
  assert.deepEqual(made.map(([folder]) => folder).sort(), [
    'runs/2026-11-20T10-00-00Z-rehearsal',
    'runs/2026-11-20T10-00-00Z-rehearsal-2',
    'runs/2026-11-20T10-00-00Z-rehearsal-3',
  ]);
  for (const [folder = '', settings] of made)
    assert.equal(readFileSync(join(root, folder, 'settings.json'), 'utf8'), settings);
});

test('the second of two runs with one --out is refused, and so is a folder of --repeat that holds a run', async (t) => {
  const { host } = hostIn(t);
  const both = await Promise.allSettled([1, 2].map(() => createRunFolder({ host }, 'out', 'cluster', '{}')));
  const refused = both.filter((one) => one.status === 'rejected').map((one) => one.reason as unknown);
  assert.equal(refused.length, 1);
  assert.ok(refused[0] instanceof UsageError);
  assert.match(refused[0].message, /out already holds a run: name another folder with --out/);
  await claimRunFolder(host.files, 'out/1', '{}');
  await assert.rejects(claimRunFolder(host.files, 'out/1', '{}'), UsageError);
});

test('every folder of --repeat that holds a run is named before the first one begins', async (t) => {
  const root = temporaryFolder(t);
  const files = nodeFiles();
  const [out, other] = [join(root, 'out'), join(root, 'other')];
  await requireFreeFolders(files, undefined, 3);
  await requireFreeFolders(files, out, 3);
  for (const [number, file] of [
    ['2', 'journal.jsonl'],
    ['10', 'settings.json'],
    ['11', 'journal.jsonl'],
    ['3', 'letter.txt'],
    ['02', 'journal.jsonl'],
  ] as const) {
    mkdirSync(join(out, number), { recursive: true });
    writeFileSync(join(out, number, file), '');
  }
  await requireFreeFolders(files, out);
  await assert.rejects(requireFreeFolders(files, out, 10), (error: unknown) => {
    assert.ok(error instanceof UsageError);
    assert.deepEqual(
      error.mistakes,
      [2, 10].map((number) => `${out}/${number} already holds a run: name another folder with --out.`),
    );
    return true;
  });
  // The largest number that --repeat takes must not cost a look at each folder.
  await assert.rejects(requireFreeFolders(files, out, Number.MAX_SAFE_INTEGER), /out\/11 already holds a run/);
  await claimRunFolder(files, other, '{}');
  await assert.rejects(requireFreeFolders(files, other), /other already holds a run/);
});
