import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { needs } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const program = join(import.meta.dirname, '../../../bin/holdfast.js');
/** Every write to it fails as on a full disk. */
const full = '/dev/full';
const skip = existsSync(full) ? false : `this system has no ${full}`;

function exitCodeOf(cwd: string, ...words: readonly string[]) {
  const nowhere = openSync(full, 'w');
  const ran = spawnSync(process.execPath, [program, ...words], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', nowhere, 'pipe'],
  });
  closeSync(nowhere);
  assert.match(ran.stderr, /holdfast: Standard output could not be written: .*ENOSPC/);
  return ran.status;
}

/** A checkout `app` of a repository with one commit. */
function checkoutIn(t: TestContext): string {
  const folder = temporaryFolder(t);
  const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: folder, stdio: 'ignore' });
  git('init', '--initial-branch=main', 'origin');
  writeFileSync(join(folder, 'origin/page'), 'one');
  git('-C', 'origin', 'add', '.');
  git('-C', 'origin', '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-m', 'one');
  git('clone', 'origin', 'app');
  return folder;
}

test('a deploy keeps its exit code if its output cannot be written', {
  skip,
}, (t) => {
  if (!needs(t, 'git')) return;
  const folder = checkoutIn(t);
  const settings = ['--app-dir', 'app', '--branch', 'main', '--log-file', 'log', '--preset', 'none'];
  assert.equal(exitCodeOf(folder, 'deploy', ...settings, '--variant', 'basic', '--json'), 0);
  assert.match(readFileSync(join(folder, 'log'), 'utf8'), /^\[SUCCESS\]/m);
  assert.equal(exitCodeOf(folder, 'deploy', ...settings, '--variant', 'basic', '--dry-run'), 1, 'this one only shows');
});

test('a command that only prints exits 1 if its output cannot be written', { skip }, (t) => {
  assert.equal(exitCodeOf(temporaryFolder(t), 'explain', 'node-drain'), 1);
});
