import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { metricsFlag, sendMetrics } from '../../../src/cli/runs/send-metrics.ts';
import { nodeHost } from '../../../src/host/node.ts';
import { reportMetrics } from '../../../src/report/metrics.ts';
import { richRun } from '../../support/rich-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const run = richRun();

/** A Pushgateway that answers so, and what it was sent. */
async function gateway(t: TestContext, status: number) {
  const got: { method?: string | undefined; path?: string | undefined; user?: string | undefined; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const body = (await Array.fromAsync(request)).join('');
    got.push({ method: request.method, path: request.url, user: request.headers.authorization, body });
    response.writeHead(status).end('no such luck');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { got, port: (server.address() as AddressInfo).port };
}

function speaking() {
  const said: string[] = [];
  const host = nodeHost(() => {});
  return {
    said,
    host: { ...host, talk: { write: (text: string) => void said.push(text), isTTY: false, columns: 80, rows: 24 } },
  };
}

test('the outcome replaces that of the last validation of this application at a Pushgateway', async (t) => {
  const { got, port } = await gateway(t, 200);
  const { said, host } = speaking();
  await sendMetrics(host, `http://127.0.0.1:${port}/push/`, run);
  const [sent] = got;
  assert.equal(sent?.method, 'PUT');
  assert.equal(sent?.path, '/push/metrics/job/holdfast/namespace/default/application/nginx-test');
  assert.equal(sent?.body, reportMetrics(run));
  assert.deepEqual(said, []);
});

test('user and password in the address of a Pushgateway are sent as the header that they stand for', async (t) => {
  const { got, port } = await gateway(t, 200);
  const { said, host } = speaking();
  await sendMetrics(host, `http://me:p%40ss@127.0.0.1:${port}`, run);
  assert.equal(got[0]?.user, `Basic ${Buffer.from('me:p@ss').toString('base64')}`);
  assert.deepEqual(said, []);
});

test('a Pushgateway that refuses or is not there is reported, without its password', async (t) => {
  const { port } = await gateway(t, 400);
  const { said, host } = speaking();
  await sendMetrics(host, `http://user:hunter2@127.0.0.1:${port}`, run);
  assert.match(said.join(''), /Sending the outcome to http:\/\/127\.0\.0\.1:\d+\/metrics\/\S+: 400 no such luck/);
  await sendMetrics(host, 'http://127.0.0.1:1', run);
  assert.match(said.join(''), /ECONNREFUSED/);
  assert.doesNotMatch(said.join(''), /hunter2/);
});

test('a file is written whole for the textfile collector, which reads only names that end with .prom', async (t) => {
  const path = join(temporaryFolder(t), 'holdfast.prom');
  const { host } = speaking();
  await sendMetrics(host, path, run);
  assert.equal(readFileSync(path, 'utf8'), reportMetrics(run));
  assert.ok(metricsFlag.safeParse('http://pushgateway:9091').success);
  assert.ok(metricsFlag.safeParse('/var/lib/x.prom').success);
  for (const wrong of ['/var/lib/x.txt', ':9091', 'http://', ''])
    assert.ok(!metricsFlag.safeParse(wrong).success, wrong);
});
