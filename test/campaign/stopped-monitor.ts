import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Analysis } from '../../src/validation/downtime/analyze.ts';
import { answering } from '../support/loopback-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const holdfast = join(import.meta.dirname, '../../bin/holdfast.js');
const seconds = Number(process.env.STOPPED ?? 60);

test(`a monitor that was stopped by SIGSTOP for ${seconds} s says that it knows nothing of that time, and goes on`, async (t) => {
  const log = join(temporaryFolder(t), 'downtime.log');
  const url = await answering(t, (_, response) => response.end('welcome'));
  const child = spawn(process.execPath, [holdfast, 'monitor', url, '--log', log, '--quiet'], { stdio: 'ignore' });
  t.after(() => child.kill('SIGKILL'));
  await sleep(5000);
  child.kill('SIGSTOP');
  await sleep(1000 * seconds);
  child.kill('SIGCONT');
  await sleep(5000);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  assert.equal(await ended, 0, 'no outage');
  const { stdout } = spawnSync(process.execPath, [holdfast, 'analyze', log, '--json'], { encoding: 'utf8' });
  const { log: counted, outages } = JSON.parse(stdout) as Analysis;
  assert.deepEqual(outages, []);
  assert.ok(Math.abs(counted.unknown - seconds) <= 2, `${counted.unknown} unknown`);
  assert.match(readFileSync(log, 'utf8'), /^# missed \d+ from=\S+ reason=event-loop$/m);
});
