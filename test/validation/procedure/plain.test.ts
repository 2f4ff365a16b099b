import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scaleDown } from '../../../src/validation/scenarios/scale-down.ts';
import { scaleUp } from '../../../src/validation/scenarios/scale-up.ts';
import { rehearse } from '../../support/rehearse.ts';

/** 2.3 to the letter: no readiness probe, no preStop. About three seeds in ten miss criterion 1, by one sample each. */
const seeds = Array.from({ length: 40 }, (_, index) => index + 1);
const plain = { scenarios: [scaleUp, scaleDown], settings: { manifests: 'plain' } } as const;

test('the application to the letter misses criterion 1 on some seeds, and the report names the probe and the hook', async (t) => {
  for (const seed of seeds) {
    const { result } = await rehearse(t, { seed, ...plain });
    if (result.criteria[0]?.outcome === 'met') continue;
    assert.equal(result.criteria[0]?.outcome, 'not-met', `seed ${seed}`);
    const failed = result.scenarios.filter(({ verdict }) => verdict === 'fail');
    assert.ok(failed.length > 0);
    for (const { findings } of failed) {
      const { advice = '' } = findings.find(({ id }) => id === 'no-downtime') ?? {};
      assert.match(advice, /give the container a readiness probe/);
      assert.match(advice, /give the container a preStop sleep/);
    }
    return;
  }
  assert.fail('no seed misses it');
});

test('where it does not, the report says what is missing all the same', async (t) => {
  const { result } = await rehearse(t, { seed: 1, ...plain });
  const warned = result.findings.filter(({ severity }) => severity === 'warning').map(({ id }) => id);
  assert.deepEqual(
    ['readiness-probe', 'graceful-termination'].filter((id) => !warned.includes(id)),
    [],
  );
});
