import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { deploy } from '../../src/deployment/deploy.ts';
import { readableDuration } from '../../src/figures/figures.js';
import { quietHost } from './support/quiet-host.ts';
import { buildSite } from './support/site.ts';

async function serving(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Long enough that visitors meet the moment between the reset and the caches. */
const slowCaches = { clear: [], rebuild: [{ command: ['sh', '-c', 'sleep 0.6; cp page storage/cached'] }] };

test('what visitors got is in the log, the message and the document: requests, failed, slow, torn and the longest gap', async (t) => {
  const site = await buildSite(t);
  let told = '';
  const slackWebhookUrl = await serving(t, (request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => {
      told += text;
    });
    request.on('end', () => response.end());
  });
  let late = 0;
  const url = await serving(t, (_, response) => {
    const [page, cached] = [site.read('page'), site.read('storage/cached') ?? 'one'];
    const good = !(page === 'two' && cached === 'one' && late++ < 3);
    setTimeout(() => response.writeHead(good ? 200 : 503).end(`code=${page} cache=${cached}`), late === 5 ? 300 : 0);
  });
  site.write('storage/cached', 'one');
  site.push({ page: 'two' });
  const monitor = { rate: 20, url, slow: '200ms', torn: '(?:code|cache)=(\\w+)' };
  const { probe } = await deploy(quietHost(), site.settings({}, { monitor, slackWebhookUrl, caches: slowCaches }));
  assert.ok(probe !== null, site.log());
  assert.ok(probe.requests > 10 && probe.torn > 3, JSON.stringify(probe));
  assert.equal(probe.failed, 3);
  assert.ok(probe.slow >= 1 && probe.longestGapSeconds >= 0.1, JSON.stringify(probe));
  const gap = `longest gap ${readableDuration(probe.longestGapSeconds)}`;
  const words = `${probe.requests} requests, 3 failed, ${probe.slow} slow, ${probe.torn} torn, ${gap}`;
  assert.ok(site.log().includes(`[INFO] Visitors during the deploy: ${words}\n`), site.log());
  assert.ok(JSON.parse(told).text.endsWith(`; ${words})`), told);
});

test('visitors ask for the health address where no other is named, and without a rate there are none', async (t) => {
  const site = await buildSite(t);
  site.push({ page: 'two' });
  const { probe } = await deploy(quietHost(), site.settings({ probeRate: '50' }, { caches: slowCaches }));
  assert.ok(probe !== null && probe.requests > 20 && probe.failed === 0, JSON.stringify(probe));
  // The baseline, and the health check.
  assert.equal(site.requests(), probe.requests + 2);
  assert.equal((await deploy(quietHost(), site.settings())).probe, null);
});

test('an invalid rate is a mistake', async (t) => {
  const site = await buildSite(t);
  for (const probeRate of ['0', '-1', '1001', 'fast', ''])
    assert.throws(() => site.settings({ probeRate }), /deployment\.monitor\.rate/);
  assert.throws(() => site.settings({}, { monitor: { torn: '(' } }), /deployment\.monitor\.torn is not a regular/);
});
