import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCheckout } from '../../../src/deployment/checkout/open-checkout.ts';
import { deploy } from '../../../src/deployment/deploy.ts';
import { examine } from '../../../src/deployment/doctor.ts';
import { buildCheckout } from '../support/checkout.ts';
import { buildPhpSite, deployAmongForeignPools, saturate } from '../support/foreign-pools.ts';
import { needsPhpServer, startFpm, startNginx } from '../support/php-server.ts';
import { quietHost } from '../support/quiet-host.ts';
import { settingsOf } from '../support/site.ts';

for (const web of ['nginx', 'unknown'] as const) {
  test(`pools of other sites that are busy or stopped cost a deploy neither its success nor a second, web server: ${web}`, async (t) => {
    if (!needsPhpServer(t)) return;
    const { before, during, states } = await deployAmongForeignPools(t, {
      web,
      pools: 4,
      busy: 1,
      stopped: 1,
      deploys: 3,
    });
    assert.deepEqual(new Set(states), new Set(['verified']));
    t.diagnostic([...before, ...during].map((seconds) => seconds.toFixed(2)).join(' '));
    // Both are measured in this run, because a busy machine slows both.
    assert.ok(medianOf(during) < medianOf(before) + 1, `${before}; ${during}`);
  });
}

const medianOf = (seconds: readonly number[]): number =>
  seconds.toSorted((a, b) => a - b)[Math.floor(seconds.length / 2)] ?? 0;

test('a pool of the same php-fpm that is busy is not waited for: the pools share one opcache', async (t) => {
  if (!needsPhpServer(t)) return;
  const site = await buildPhpSite(t, { web: 'unknown', beside: ['busy', 'idle'] });
  const [busy = ''] = site.others;
  const release = await saturate(site.folder, join(site.app, 'public/index.php'), busy, 1);
  const { state, steps } = await site.deployVersion('two');
  assert.equal(state, 'verified', site.log());
  assert.equal(await site.page(), 'two');
  assert.doesNotMatch(site.log(), /Waiting .*because|is busy/);
  assert.ok((steps.find(({ name }) => name === 'opcache')?.seconds ?? 9) < 2);
  await release();
});

test('a pool that nginx gives the requests of another site is neither asked nor told to forget: a warning names opcache.fastcgi', async (t) => {
  if (!needsPhpServer(t)) return;
  const { app, folder, logFile, push, log } = buildCheckout(t, { page: 'one' });
  const requests = join(folder, 'requests');
  const { listen } = await startFpm(t, join(folder, 'other'), [{ name: 'other', lines: [`access.log = ${requests}`] }]);
  await startNginx(t, folder, [{ served: join(folder, 'other'), fastcgi: listen[0] ?? '' }]);
  const server = createServer((_, response) => response.end('ok'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const healthUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const settings = settingsOf(
    { appDir: app, branch: 'main', logFile, healthUrl },
    { PATH: process.env.PATH ?? '', HOME: folder },
    { caches: { clear: [], rebuild: [] } },
  );
  const warning = /nothing says that php-fpm at \S.* serves this checkout, .*name its socket in opcache\.fastcgi/;
  const host = quietHost();
  const checks = await examine(host, settings, await openCheckout(host, settings));
  const said = checks.filter(({ name }) => name === 'opcache').map((check) => check.said);
  assert.match(said.join('\n'), warning);
  assert.doesNotMatch(said.join('\n'), /reset by FastCGI|no php-fpm runs here/);
  push({ page: 'two' });
  assert.equal((await deploy(host, settings)).state, 'verified', log());
  assert.match(log(), warning);
  assert.equal(existsSync(requests) ? readFileSync(requests, 'utf8') : '', '', 'the pool was asked');
});
