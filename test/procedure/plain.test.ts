import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scaleDown } from '../../src/validation/scenarios/scale-down.ts';
import { scaleUp } from '../../src/validation/scenarios/scale-up.ts';
import { rehearse } from '../support/rehearse.ts';

/** 2.3 to the letter: no readiness probe, no preStop. Of the seeds 1 to 40 twelve miss criterion 1, by one sample each. */
const missing: readonly { readonly seed: number; readonly scenario: string }[] = [
  { seed: 9, scenario: 'scale-up' },
  { seed: 6, scenario: 'scale-down' },
];

test('the application to the letter misses criterion 1 on some seeds, and the report names the probe and the hook', async (t) => {
  for (const { seed, scenario } of missing) {
    const options = { seed, scenarios: [scaleUp, scaleDown], settings: { manifests: 'plain' } } as const;
    const { result } = await rehearse(t, options);
    assert.equal(result.criteria[0]?.outcome, 'not-met', `seed ${seed}`);
    const row = result.scenarios.find(({ name }) => name === scenario);
    assert.equal(row?.verdict, 'fail', `seed ${seed}`);
    const { advice = '' } = row?.findings.find(({ id }) => id === 'no-downtime') ?? {};
    assert.match(advice, /give the container a readiness probe/);
    assert.match(advice, /give the container a preStop sleep/);
  }
});

test('where it does not, the report says what is missing all the same', async (t) => {
  const options = { seed: 1, scenarios: [scaleUp, scaleDown], settings: { manifests: 'plain' } } as const;
  const { result } = await rehearse(t, options);
  assert.equal(result.criteria[0]?.outcome, 'met');
  const warned = result.findings.filter(({ severity }) => severity === 'warning').map(({ id }) => id);
  assert.deepEqual(
    ['readiness-probe', 'graceful-termination'].filter((id) => !warned.includes(id)),
    [],
  );
});
