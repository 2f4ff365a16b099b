import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { assertConforms } from '../../support/schema.ts';

const program = join(import.meta.dirname, '../../../bin/holdfast.js');

async function answering(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function run(...words: readonly string[]) {
  const child = spawn(process.execPath, [program, 'load', ...words]);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, stdout, stderr };
}

test('load says what came back, and exits 1 where an answer was not as expected', async (t) => {
  let seen = 0;
  const agents = new Set<unknown>();
  const url = await answering(t, ({ headers }, response) => {
    seen += 1;
    agents.add(headers['x-from']);
    response.writeHead(seen === 30 ? 503 : 200).end('ok');
  });
  const words = [url, '--requests', '20', '--concurrency', '4', '-H', 'X-From: load'];
  const good = await run(...words);
  assert.equal(good.code, 0, good.stderr);
  assert.match(
    good.stdout,
    /^20 requests in \d+\.\d{3} s, [\d.]+\/s\n {2}200 +20\nlatency from when each was sent {2}p50 [\s\S]*\nEvery answer was 200\.\n$/,
  );
  assert.deepEqual([...agents], ['load']);
  const bad = await run(...words, '--rate', '200/s', '--json');
  assert.equal(bad.code, 1);
  const document = JSON.parse(bad.stdout);
  assertConforms('load', document);
  assert.deepEqual([document.statuses, document.unsent, document.from], [{ 200: 19, 503: 1 }, 0, 'due']);
});

test('load ends after its duration, and what is wrong on its command line is said at once', async (t) => {
  const url = await answering(t, (_request, response) => response.end('ok'));
  const { code, stdout } = await run(url, '--duration', '300ms', '--concurrency', '2', '--json');
  const { requests, statuses, unsent } = JSON.parse(stdout);
  assert.deepEqual([code, unsent], [0, 0]);
  assert.equal(statuses[200], requests);
  const wrong = await run('ftp://a/', '--rate', 'fast', '--requests', '0', '--request', 'HEAD');
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /no rate such as 300\/s/);
  assert.match(wrong.stderr, /'0', which is not a whole number/);
});
