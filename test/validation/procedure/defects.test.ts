import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { rehearsalSite } from '../../../src/cli/cluster/rehearsal-site.ts';
import { defects } from '../../../src/rehearsal/defects.ts';
import { rehearsalHost } from '../../../src/rehearsal/host.ts';
import { readRun } from '../../../src/validation/judge/read-run.ts';
import { recoverRun } from '../../../src/validation/procedure/recover.ts';
import { openIntents } from '../../../src/validation/record/open-intents.ts';
import { assertShown, healthyName, shownBy } from '../../support/defect-expectations.ts';
import { quietHost } from '../../support/quiet-host.ts';
import { type Rehearsed, rehearse } from '../../support/rehearse.ts';
import { sharedRun } from '../../support/shared-run.ts';

const seeds = [1];
/** Every outcome of each criterion in the runs of this file. */
const seen = new Map<number, Set<string>>();

/** The two that other tests read too are shared. */
function runOf(t: TestContext, name: string, seed: number): Promise<Rehearsed> {
  if (name === healthyName) return sharedRun(seed);
  if (name === 'api-lost-during-undo') return sharedRun(seed, name);
  return rehearse(t, { seed, world: { defects: [name] } });
}

async function shown(t: TestContext, name: string, seed: number): Promise<Rehearsed> {
  const run = await runOf(t, name, seed);
  for (const { number, outcome } of run.result.criteria) seen.set(number, (seen.get(number) ?? new Set()).add(outcome));
  try {
    assertShown(name, run);
  } catch (error) {
    throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
  return run;
}

test('without a defect all six criteria are met and every scenario is as expected: exit 0', async (t) => {
  for (const seed of seeds) await shown(t, healthyName, seed);
});

test('every defect of the embedded cluster has its expected result', () => {
  assert.deepEqual(Object.keys(shownBy).toSorted(), Object.keys(defects).toSorted());
});

for (const name of Object.keys(shownBy)) {
  test(`the defect ${name} fails what it breaks, and nothing else`, async (t) => {
    for (const seed of seeds) await shown(t, name, seed);
  });
}

test('actions left while the API server could not be reached are undone by `recover` later', async (t) => {
  const { rehearsal, folder, facts } = await shown(t, 'api-lost-during-undo', 1);
  const left = openIntents(facts).length;
  assert.ok(left > 0);
  const saved = JSON.parse(JSON.stringify(rehearsal.world.save()));
  const later = rehearsalHost({ seed: '1', real: quietHost(), saved });
  const site = rehearsalSite(later);
  const about = { site, namespace: 'default', folder, facts, run: 'test', cleanup: false };
  const recovered = await later.run(() => recoverRun(about));
  assert.ok('ends' in recovered);
  assert.deepEqual(
    recovered.ends.map(({ undo }) => undo.state).filter((state) => state !== 'undone' && state !== 'kept'),
    [],
  );
  const run = await readRun(quietHost().files, folder);
  assert.deepEqual(openIntents(run?.facts ?? []), []);
});

test('each of the six criteria was met in one of these runs, not met in another, and inconclusive in a third', () => {
  for (const number of [1, 2, 3, 4, 5, 6]) {
    const outcomes = seen.get(number) ?? new Set();
    for (const outcome of ['met', 'not-met', 'inconclusive'])
      assert.ok(outcomes.has(outcome), `criterion ${number} was never ${outcome}`);
  }
});
