import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const scripts = globSync('src/**/*.php', { cwd: root });

test('PHP stands in files of its own, which the build puts into one folder', () => {
  assert.ok(scripts.length >= 6, 'scripts are found');
  assert.equal(new Set(scripts.map((path) => basename(path))).size, scripts.length, 'each name is there once');
  const strings = globSync('src/**/*.ts', { cwd: root }).filter((path) =>
    /`<\?php\b/.test(readFileSync(join(root, path), 'utf8')),
  );
  assert.deepEqual(strings, []);
});

test('PHP can read each of them', (t) => {
  try {
    execFileSync('php', ['--version'], { stdio: 'ignore' });
  } catch {
    t.skip('php is not installed');
    return;
  }
  for (const path of scripts) execFileSync('php', ['-l', join(root, path)], { stdio: 'pipe' });
});
