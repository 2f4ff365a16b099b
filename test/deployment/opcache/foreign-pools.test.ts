import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildPhpSite, deployAmongForeignPools, saturate } from '../support/foreign-pools.ts';
import { needsPhpServer } from '../support/php-server.ts';

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
