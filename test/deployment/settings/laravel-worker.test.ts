import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import { until } from '../support/holdfast.ts';
import { buildLaravel, needsLaravel } from '../support/laravel.ts';
import { quietHost } from '../support/quiet-host.ts';

/** A queue that is always empty, and a worker that says when it waits for a job. */
const files = {
  'config/queue.php': `<?php return ['default' => 'null', 'connections' => ['null' => ['driver' => 'null']], 'failed' => ['driver' => 'null']];`,
  'routes/console.php': `<?php Illuminate\\Support\\Facades\\Event::listen(
    Illuminate\\Queue\\Events\\Looping::class, function () { touch(storage_path('framework/looping')); });`,
};

test('a real queue worker of Laravel ends after the caches, because queue:restart tells it to', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t);
  site.push(files);
  assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
  const words = ['artisan', 'queue:work', 'null', '--sleep=1'];
  const worker = spawn('php', words, { cwd: site.app, env: site.environment, stdio: 'ignore' });
  t.after(() => worker.kill('SIGKILL'));
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  await until(() => existsSync(join(site.app, 'storage/framework/looping')), 'the worker waits for a job');
  site.pushVersion('two');
  assert.equal((await deploy(quietHost(), site.settings())).state, 'verified', site.log());
  assert.equal(worker.exitCode, null, 'nobody told it');
  site.pushVersion('three');
  assert.equal((await deploy(quietHost(), site.settings({}, { queue: true }))).state, 'verified', site.log());
  assert.match(site.log(), /Broadcasting queue restart signal/);
  assert.equal(await ended, 0);
});
