import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../support/temporary-folder.ts';

const program = join(import.meta.dirname, '../../bin/holdfast.js');
/** Every write to it fails as on a full disk. */
const full = '/dev/full';
const skip = existsSync(full) ? false : `this system has no ${full}`;

function rehearse(cwd: string, ...stdio: readonly ['pipe' | number, 'pipe' | number]) {
  const words = ['rehearse', '--scenario', 'single-replica', '--out', 'run'];
  return spawnSync(process.execPath, [program, ...words], { cwd, encoding: 'utf8', stdio: ['ignore', ...stdio] });
}

test('progress that a full disk refuses does not end the run: it is undone, judged and reported', { skip }, (t) => {
  const folder = temporaryFolder(t);
  const ran = rehearse(folder, 'pipe', openSync(full, 'w'));
  assert.equal(ran.status, 0, ran.stdout);
  assert.match(ran.stdout, /PASS/);
  assert.ok(existsSync(join(folder, 'run/report.json')));
});

test('a result that a full disk refuses is reported as lost, and the exit code is not 0', { skip }, (t) => {
  const folder = temporaryFolder(t);
  const ran = rehearse(folder, openSync(full, 'w'), 'pipe');
  assert.equal(ran.status, 4, ran.stderr);
  assert.match(ran.stderr, /holdfast: Standard output could not be written: .*ENOSPC/);
  assert.doesNotMatch(ran.stderr, /\n\s+at /);
  assert.ok(existsSync(join(folder, 'run/report.json')));
});
