import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const example = join(root, 'examples/library/vitest');

/** Vitest comes from its registry. Without a network that is reported; in CI it fails. */
test('the example for vitest passes', (t) => {
  if (!existsSync(join(root, 'dist/cli/library.js'))) return t.skip('dist/ is not built: npm run build');
  const folder = temporaryFolder(t);
  cpSync(join(root, 'examples/library'), folder, { recursive: true });
  const at = join(folder, 'vitest');
  const { devDependencies, ...manifest } = JSON.parse(readFileSync(join(example, 'package.json'), 'utf8'));
  const { holdfast: _, ...others } = devDependencies;
  writeFileSync(join(at, 'package.json'), JSON.stringify({ ...manifest, devDependencies: others }));
  const npm = (...words: string[]) => spawnSync('npm', words, { cwd: at, encoding: 'utf8', timeout: 180_000 });
  const installed = npm('install', '--no-audit', '--no-fund');
  if (installed.status !== 0 && process.env.CI === undefined)
    return t.skip(`vitest could not be installed: ${installed.stderr.trim().split('\n')[0]}`);
  assert.equal(installed.status, 0, installed.stderr);
  mkdirSync(join(at, 'node_modules'), { recursive: true });
  symlinkSync(root, join(at, 'node_modules/holdfast'));
  const ran = npm('test');
  assert.equal(ran.status, 0, ran.stdout + ran.stderr);
  assert.match(ran.stdout, /1 passed/);
});
