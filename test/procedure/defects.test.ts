import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defects } from '../../src/rehearsal/defects.ts';
import { exitCodeOf } from '../../src/validation/exit-code.ts';
import { assertShown, shownBy } from '../support/defect-expectations.ts';
import { rehearse } from '../support/rehearse.ts';

const seeds = [1, 2, 3];

test('without a defect the six criteria are met and every scenario is as expected: exit 0', async (t) => {
  for (const seed of seeds) {
    const { facts, result } = await rehearse(t, { seed });
    const troubles = result.scenarios.filter(({ verdict }) => verdict !== 'pass');
    assert.deepEqual(
      troubles.map(({ name, verdict, findings }) => ({ seed, name, verdict, findings })),
      [],
    );
    assert.deepEqual(
      result.criteria.map(({ outcome }) => outcome),
      Array(6).fill('met'),
    );
    assert.equal(exitCodeOf(facts, result), 0);
  }
});

test('every defect of the embedded cluster has what it must show', () => {
  assert.deepEqual(Object.keys(shownBy).toSorted(), Object.keys(defects).toSorted());
});

for (const name of Object.keys(shownBy)) {
  test(`the defect ${name} fails what it breaks`, async (t) => {
    for (const seed of seeds) {
      const run = await rehearse(t, { seed, world: { defects: [name] } });
      try {
        assertShown(name, run);
      } catch (error) {
        throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
      }
    }
  });
}
