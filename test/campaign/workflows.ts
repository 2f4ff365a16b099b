import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const actionlint = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12';

test('actionlint finds nothing in the workflows', { timeout: 300_000 }, () => {
  const { status, stdout, stderr } = spawnSync('go', ['run', actionlint, '-no-color'], { cwd: root, encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
});
