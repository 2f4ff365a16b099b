import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { exitTrouble } from '../../../src/deployment/caches/run-steps.ts';
import { needs } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('a step that PHP cannot start without artisan names the preset of a site that is not Laravel', (t) => {
  if (!needs(t, 'php')) return;
  const { status, stdout, stderr } = spawnSync('php', ['artisan', 'config:clear'], {
    cwd: temporaryFolder(t),
    encoding: 'utf8',
  });
  const { because, lacks } = exitTrouble(status ?? 0, stdout + stderr);
  assert.match(because, /^exit code 1, because there is no artisan .+ --preset none$/);
  assert.equal(lacks, 'artisan');
  assert.deepEqual(exitTrouble(1, 'route:cache has failed\n'), {
    because: 'exit code 1',
    reason: 'route:cache has failed',
  });
});
