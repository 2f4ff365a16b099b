import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scaleDown } from '../../../src/validation/scenarios/scale-down.ts';
import { scaleUp } from '../../../src/validation/scenarios/scale-up.ts';
import { rehearse } from '../../support/rehearse.ts';

/**
 * The plain manifests have no readiness probe and no preStop. About three seeds in ten miss criterion 1, by one sample
 * each.
 */
const seeds = Array.from({ length: 40 }, (_, index) => index + 1);
const plain = { scenarios: [scaleUp, scaleDown], settings: { manifests: 'plain' } } as const;

test('with the plain manifests criterion 1 is missed on some seeds, and the report names readiness probe and preStop', async (t) => {
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

test('on the other seeds the report names what the plain manifests lack, too', async (t) => {
  const { result } = await rehearse(t, { seed: 1, ...plain });
  const warned = result.findings.filter(({ severity }) => severity === 'warning').map(({ id }) => id);
  assert.deepEqual(
    ['readiness-probe', 'graceful-termination'].filter((id) => !warned.includes(id)),
    [],
  );
});
