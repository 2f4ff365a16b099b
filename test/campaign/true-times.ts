import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scenarios } from '../../src/validation/scenarios/index.ts';
import { type AllCompared, type Compared, truthAndBounds } from '../support/true-seconds.ts';

/** How many seeds, and the first: `SEEDS=50 SEED=51` is a part. Each takes some seconds. */
const seeds = Number(process.env.SEEDS ?? 200);
const first = Number(process.env.SEED ?? 1);

test(`of ${seeds} seeds from ${first} on the true node-ready, pod-ready and downtime seconds of every scenario are between their bounds, pod-ready narrower than 1 s in 9 of 10 cases`, async (t) => {
  const all: AllCompared[] = [];
  for (let seed = first; seed < first + seeds; seed += 1) all.push(await truthAndBounds(t, seed, scenarios));
  const wrong: Compared[] = [];
  for (const name of ['podReady', 'nodeReady', 'downtime'] as const) {
    const compared = all.flatMap((one) => one[name]);
    const narrow = compared.filter(({ bounds }) => bounds.upperSeconds - bounds.lowerSeconds < 1).length;
    wrong.push(...compared.filter(({ holds }) => !holds));
    const held = compared.filter(({ holds }) => holds).length;
    t.diagnostic(`${name}: ${held} of ${compared.length} in their bounds, ${narrow} of these narrower than 1 s`);
    if (name === 'podReady') assert.ok(narrow >= 0.9 * compared.length);
  }
  for (const { what, trueSeconds, bounds } of wrong)
    t.diagnostic(`${what}: true ${trueSeconds} s, ${bounds.lowerSeconds} to ${bounds.upperSeconds} s`);
  assert.deepEqual(wrong, []);
});
