import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deployAmongForeignPools } from '../deployment/support/foreign-pools.ts';
import { needsPhpServer } from '../deployment/support/php-server.ts';

// The pools of 20 sites, two of them busy to saturation and one stopped; the share in `npm test` has four.
const deploys = Number(process.env.DEPLOYS ?? 50);

for (const web of ['nginx', 'unknown'] as const) {
  test(`20 sites, two pools busy and one stopped: ${deploys} deploys of another, web server: ${web}`, async (t) => {
    if (!needsPhpServer(t)) return;
    const ordeal = { web, pools: 20, busy: 2, stopped: 1, deploys };
    const { before, during, states } = await deployAmongForeignPools(t, ordeal);
    const rolledBack = states.filter((state) => state !== 'verified').length;
    const [calm, troubled] = [median(before), median(during)];
    const told = (seconds: readonly number[]) =>
      `${median(seconds).toFixed(2)} s, at most ${Math.max(...seconds).toFixed(2)} s`;
    t.diagnostic(
      `${states.length} deploys, ${rolledBack} not verified; before: ${told(before)}; during: ${told(during)}`,
    );
    assert.equal(rolledBack, 0);
    assert.ok(troubled - calm <= 0.5, `${calm} s before, ${troubled} s during`);
  });
}

function median(seconds: readonly number[]): number {
  return seconds.toSorted((a, b) => a - b)[Math.floor(seconds.length / 2)] ?? 0;
}
