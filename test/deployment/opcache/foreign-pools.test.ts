import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deployAmongForeignPools } from '../support/foreign-pools.ts';
import { needsPhpServer } from '../support/php-server.ts';

for (const web of ['nginx', 'unknown'] as const) {
  test(`pools of other sites that are busy or stopped cost a deploy neither its success nor a second, web server: ${web}`, async (t) => {
    if (!needsPhpServer(t)) return;
    const { during, states } = await deployAmongForeignPools(t, { web, pools: 4, busy: 1, stopped: 1, deploys: 3 });
    assert.deepEqual(new Set(states), new Set(['verified']));
    t.diagnostic(during.map((seconds) => seconds.toFixed(2)).join(' '));
    const [, median = 0] = during.toSorted((a, b) => a - b);
    assert.ok(median < 2, `${during}`);
  });
}
