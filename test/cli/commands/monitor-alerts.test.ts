import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { answering } from '../../support/loopback-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const holdfast = join(import.meta.dirname, '../../../bin/holdfast.js');

test('the notifiers of the settings are told when a target is down and when it is up again', async (t) => {
  const cwd = temporaryFolder(t);
  const messages: { readonly text: string; readonly monitor: readonly { readonly state: string }[] }[] = [];
  const hook = await answering(t, (request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      messages.push(JSON.parse(body));
      response.end();
    });
  });
  let requests = 0;
  const url = await answering(t, (_, response) => {
    requests += 1;
    response.writeHead(requests > 10 && requests <= 20 ? 503 : 200).end();
  });
  writeFileSync(join(cwd, 'holdfast.yaml'), `monitor: { notifiers: { webhookUrl: '${hook}secret-part' } }\n`, {
    mode: 0o600,
  });
  const words = ['monitor', url, '--no-reused', '--interval', '50ms', '--duration', '2s', '--slow', '10s'];
  const child = spawn(process.execPath, [holdfast, ...words, '--alert-after', '3'], { cwd, stdio: 'ignore' });
  await once(child, 'exit');
  const states = messages.flatMap(({ monitor }) => monitor.map(({ state }) => state));
  assert.deepEqual(states, ['down', 'up']);
});

test('a mistake in the key monitor, and --alert-after without a notifier, are said at once', async (t) => {
  const cwd = temporaryFolder(t);
  const run = (...words: readonly string[]) =>
    spawnSync(process.execPath, [holdfast, 'monitor', 'http://127.0.0.1:1/', '--duration', '1s', ...words], {
      cwd,
      encoding: 'utf8',
    });
  const alone = run('--alert-after', '2');
  assert.deepEqual([alone.status, /none is set: set monitor\.notifiers/.test(alone.stderr)], [2, true]);
  writeFileSync(join(cwd, 'holdfast.yaml'), 'monitor: { notifier: {}, alertAfter: 0 }\n');
  const wrong = run();
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /monitor\.notifier is not a known setting; did you mean notifiers\?/);
  writeFileSync(join(cwd, 'holdfast.yaml'), 'deployment: { appDir: 7 }\nunknown: 1\n');
  assert.equal(run().status, 1, 'a settings file without the key does not count');
});
