import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scenarios } from '../../src/validation/scenarios/index.ts';
import type { Scenario } from '../../src/validation/scenarios/scenario.ts';
import type { FaultName } from '../support/api-faults.ts';
import { type Asked, eachSort, faultedRun, faultless, faultsOf } from '../support/faulted-run.ts';

/** `HOLDFAST_CAMPAIGN_SHARE=10` takes only every tenth fault. */
const share = Number(process.env.HOLDFAST_CAMPAIGN_SHARE ?? 1);
/** Each scenario starts at another fault of the same order. */
let turn = 0;

/** The wanted faults at each sort of request. */
function faults(asked: readonly Asked[], names: (one: Asked) => readonly FaultName[]) {
  const all = eachSort(asked).flatMap((one) => names(one).map((name) => ({ ...one, name })));
  return all.filter(() => turn++ % share === 0);
}

interface Counted {
  readonly exits: Map<string, number>;
  wrong: number;
}

function count({ exits }: Counted, exit: string): void {
  exits.set(exit, (exits.get(exit) ?? 0) + 1);
}

function tell(name: string, runs: number, { exits, wrong }: Counted): void {
  const ends = [...exits].map(([exit, times]) => `${times} × ${exit}`).toSorted();
  console.log(`${name}: ${runs} runs, ${ends.join(', ')}; ${wrong} wrong`);
  assert.equal(wrong, 0);
}

for (const scenario of scenarios as readonly Scenario[]) {
  for (const times of [1, Number.POSITIVE_INFINITY]) {
    const often = times === 1 ? 'once' : 'from then on';
    test(`each fault at each sort of request of ${scenario.name}, ${often}`, async (t) => {
      const options = { scenarios: [scenario] };
      const { asked, expected } = await faultless(t, options);
      const chosen = faults(asked, ({ request }) => (times === 1 ? faultsOf(request) : ['503', 'hang', '401']));
      const counted: Counted = { exits: new Map(), wrong: 0 };
      for (const { name, n, request, after } of chosen) {
        const run = await faultedRun(t, { name, n, times }, expected, options);
        const misjudged = times === 1 && [1, 5].includes(run.exitCode) ? [`exit ${run.exitCode}`] : [];
        const troubles = [...run.troubles, ...misjudged];
        count(counted, `exit ${run.exitCode} ${run.result.verdict}`);
        if (troubles.length === 0) continue;
        counted.wrong += 1;
        console.log(
          `${scenario.name}, ${name} ${often}, request ${n} (${request.method} ${request.url}, after ${after}): ${troubles.join('; ')}`,
        );
      }
      tell(`${scenario.name}, ${often}`, chosen.length, counted);
    });
  }
}

/** A cluster with a defect that fails a scenario in every run. */
const defective = {
  'replicas-on-one-node': 'instance-kill',
  'no-disruption-budget': 'node-drain',
  'budget-ignored': 'disruption-budget',
  'eager-consolidation': 'consolidation',
  'server-errors-under-load': 'load',
  'single-ingress-replica': 'ingress-controller-failure',
} as const;

for (const [defect, name] of Object.entries(defective)) {
  test(`a failed request never makes ${defect} pass`, async (t) => {
    const options = { scenarios: scenarios.filter((one) => one.name === name), world: { defects: [defect] } };
    const { asked, expected } = await faultless(t, options);
    const counted: Counted = { exits: new Map(), wrong: 0 };
    const chosen = faults(asked, ({ request }) => faultsOf(request));
    for (const { name: fault, n, request } of chosen) {
      const run = await faultedRun(t, { name: fault, n, times: 1 }, expected, options);
      count(counted, `exit ${run.exitCode} ${run.result.verdict}`);
      if (run.exitCode !== 0) continue;
      counted.wrong += 1;
      console.log(`${defect}, ${fault}, request ${n} (${request.method} ${request.url}): pass`);
    }
    tell(defect, chosen.length, counted);
  });
}
