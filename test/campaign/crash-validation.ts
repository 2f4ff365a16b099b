import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { randomStreams } from '@holdfast/embedded-cluster';
import { scenarios } from '../../src/validation/scenarios/index.ts';
import type { Scenario } from '../../src/validation/scenarios/scenario.ts';
import { type CutRun, cutPoints } from '../support/cut-points.ts';
import { cutRecovery } from '../support/cut-recovery.ts';
import { type Loss, losses } from '../support/disk.ts';
import { recovered } from '../support/recovered.ts';

/** `HOLDFAST_CAMPAIGN_SHARE=10` takes only every tenth crash. */
const share = Number(process.env.HOLDFAST_CAMPAIGN_SHARE ?? 1);
/** The world of a crash has 200 kB: so many are kept at once, and the run is repeated for the next ones. */
const atOnce = 300;

for (const scenario of scenarios) {
  test(`every call that touches an action of ${scenario.name}`, async (t) => {
    const whole = await cutPoints(t, { scenarios: [scenario] }, () => false);
    const wanted = whole.touching.filter((_, index) => index % share === 0);
    const counted = { crashes: 0, failed: 0 };
    for (let from = 0; from < wanted.length; from += atOnce) {
      const these = new Set(wanted.slice(from, from + atOnce));
      const run = await cutPoints(t, { scenarios: [scenario] }, (n) => these.has(n));
      await recoverEach(t, run, scenario.name, counted);
    }
    console.log(`${scenario.name}: ${wanted.length} calls, ${counted.crashes} crashes, ${counted.failed} not put back`);
    assert.equal(counted.failed, 0);
  });
}

const seeds = [1, 2, 3, 4, 5];

for (const seed of seeds) {
  test(`a hundred random calls of a whole run, seed ${seed}`, async (t) => {
    const random = randomStreams(`crash ${seed}`)('calls');
    const { calls } = await cutPoints(t, { seed }, () => false);
    const these = new Set(Array.from({ length: 100 / share }, () => 1 + Math.floor(random() * calls)));
    const run = await cutPoints(t, { seed }, (n) => these.has(n));
    const counted = { crashes: 0, failed: 0 };
    await recoverEach(t, run, `seed ${seed}`, counted);
    console.log(
      `seed ${seed}: ${these.size} of ${calls} calls, ${counted.crashes} crashes, ${counted.failed} not put back`,
    );
    assert.equal(counted.failed, 0);
  });
}

/** Each call of `recover`, for one crash of each scenario. */
test('recover crashes at every one of its calls', async (t) => {
  let [cuts, failed] = [0, 0];
  for (const scenario of scenarios as readonly Scenario[]) {
    const { touching } = await cutPoints(t, { scenarios: [scenario] }, () => false);
    const middle = touching[Math.floor(touching.length / 2)];
    const run = await cutPoints(t, { scenarios: [scenario] }, (n) => n === middle);
    const [point] = run.points;
    assert.ok(point);
    for (let n = 1; ; n += share) {
      const left = await cutRecovery(t, run, point, n);
      if (left === undefined) break;
      cuts += 1;
      const { troubles } = await recovered(t, run, left, lossOf(n), () => 0.5);
      if (troubles.length > 0) console.log(`${scenario.name}, call ${n} of recover: ${troubles.join('; ')}`);
      failed += Math.sign(troubles.length);
    }
  }
  console.log(`recover cut ${cuts} times, ${failed} not put back`);
  assert.equal(failed, 0);
});

const lossOf = (index: number): Loss => losses[index % losses.length] ?? 'power';

async function recoverEach(
  t: TestContext,
  run: CutRun,
  name: string,
  counted: { crashes: number; failed: number },
): Promise<void> {
  const random = randomStreams(name)('loss');
  for (const [index, point] of run.points.entries()) {
    const loss = lossOf(index);
    const { troubles } = await recovered(t, run, point, loss, random);
    counted.crashes += 1;
    if (troubles.length === 0) continue;
    counted.failed += 1;
    console.log(`${name}, ${loss} ${point.when} call ${point.n} (${point.what}): ${troubles.join('; ')}`);
  }
}
