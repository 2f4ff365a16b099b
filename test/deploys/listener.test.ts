import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { until } from './support/holdfast.ts';

const listener = fileURLToPath(new URL('../../packaging/webhook-listener.js', import.meta.url));
const secret = 'a secret of enough length';
const sign = (body: string, key = secret) => `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;

async function start(
  t: TestContext,
): Promise<{ post: (body: string, signature: string) => Promise<number>; runs: () => number; child: ChildProcess }> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-listener-'));
  const command = `echo "$HOLDFAST_WEBHOOK_SECRET." >> ${folder}/runs; sleep 0.5`;
  const child = spawn(process.execPath, [listener, 'sh', '-c', command], {
    env: { PATH: process.env.PATH ?? '', HOLDFAST_WEBHOOK_SECRET: secret, HOLDFAST_WEBHOOK_PORT: '0', BRANCH: 'main' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  t.after(() => {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await until(() => said.includes('listening'), 'the listener listens');
  const url = `http://127.0.0.1:${/:(\d+)/.exec(said)?.[1]}/`;
  return {
    child,
    post: async (body, signature) =>
      (await fetch(url, { method: 'POST', body, headers: { 'x-hub-signature-256': signature } })).status,
    runs: () =>
      existsSync(join(folder, 'runs')) ? readFileSync(join(folder, 'runs'), 'utf8').split('\n').length - 1 : 0,
  };
}

const push = JSON.stringify({ ref: 'refs/heads/main' });

test('a signed push runs the command, without the secret; an unsigned or wrongly signed one does not', async (t) => {
  const { post, runs } = await start(t);
  for (const wrong of ['', 'sha256=', 'sha256=00', sign(push, 'another secret, long too')])
    assert.equal(await post(push, wrong), 403);
  assert.equal(await post(push, sign(`${push} `)), 403);
  assert.equal(runs(), 0);
  assert.equal(await post(push, sign(push)), 202);
  await until(() => runs() === 1, 'the command has run');
});

test('a push to another branch runs nothing', async (t) => {
  const { post, runs } = await start(t);
  const other = JSON.stringify({ ref: 'refs/heads/other' });
  assert.equal(await post(other, sign(other)), 200);
  assert.equal(await post('nonsense', sign('nonsense')), 200);
  assert.equal(runs(), 0);
});

test('however many pushes come while it runs, it runs once more', async (t) => {
  const { post, runs } = await start(t);
  await post(push, sign(push));
  await until(() => runs() === 1, 'the command runs');
  for (let count = 0; count < 10; count++) await post(push, sign(push));
  await until(() => runs() === 2, 'it runs once more');
  await new Promise((resolve) => setTimeout(resolve, 900));
  assert.equal(runs(), 2);
});
