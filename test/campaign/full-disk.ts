import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scenarios } from '../../src/validation/scenarios/index.ts';
import type { Scenario } from '../../src/validation/scenarios/scenario.ts';
import { appendsOf, fullDiskRun } from '../support/full-disk.ts';

/** `HOLDFAST_CAMPAIGN_SHARE=10` takes only every tenth append. */
const share = Number(process.env.HOLDFAST_CAMPAIGN_SHARE ?? 1);
/** A scenario in which every action has its own object, so that an action and an undo can be distinguished. */
const chosen = ['node-drain', 'instance-kill', 'disruption-budget', 'consolidation', 'dns-failure'];

for (const scenario of (scenarios as readonly Scenario[]).filter(({ name }) => chosen.includes(name))) {
  for (const file of ['journal.jsonl', 'downtime.log'] as const) {
    test(`a disk that is full under ${file} at every append of ${scenario.name}`, async (t) => {
      const options = { scenarios: [scenario] };
      const { appends, expected } = await appendsOf(t, options);
      let [runs, wrong] = [0, 0];
      for (let n = 1; n <= appends[file]; n += share) {
        const times = runs % 2 === 0 ? Number.POSITIVE_INFINITY : 1;
        const { troubles, said } = await fullDiskRun(t, { file, n, times }, expected, options);
        runs += 1;
        const all = [...troubles, ...(said.includes('no space left on the device') ? [] : ['nobody says why'])];
        if (all.length === 0) continue;
        wrong += 1;
        console.log(`${scenario.name}, ${file}, append ${n}, ${times} times: ${all.join('; ')}`);
      }
      console.log(`${scenario.name}, ${file}: ${runs} of ${appends[file]} appends, ${wrong} wrong`);
      assert.equal(wrong, 0);
    });
  }
}
