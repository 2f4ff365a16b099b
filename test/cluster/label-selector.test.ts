import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { objectSelector } from '../../packages/embedded-cluster/src/objects/selectors.ts';
import { selects } from '../../src/cluster/label-selector.ts';
import type { LabelSelector } from '../../src/cluster/metadata.ts';

const word = fc.constantFrom('app', 'tier', 'shop', 'web');
const labels = fc.dictionary(word, word, { maxKeys: 3 });
const expression = fc.record({
  key: word,
  operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist'),
  values: fc.array(word, { minLength: 1, maxLength: 2 }),
});

test('a missing or empty selector matches nothing', () => {
  for (const selector of [undefined, {}, { matchLabels: {} }, { matchLabels: {}, matchExpressions: [] }])
    assert.equal(selects(selector, { app: 'shop' }), false);
});

test('every label and every expression must hold', () => {
  const inShop = { key: 'app', operator: 'In', values: ['shop', 'cart'] } as const;
  assert.ok(selects({ matchExpressions: [inShop] }, { app: 'cart' }));
  assert.ok(!selects({ matchExpressions: [inShop] }, {}));
  assert.ok(!selects({ matchLabels: { tier: 'web' }, matchExpressions: [inShop] }, { app: 'shop' }));
  assert.ok(selects({ matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['web'] }] }, undefined));
  assert.ok(!selects({ matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] }, { tier: '' }));
  assert.ok(selects({ matchExpressions: [{ key: 'tier', operator: 'Exists' }] }, { tier: '' }));
});

test('a selector matches what the API server selects by it', () => {
  const wanted: fc.Arbitrary<LabelSelector> = fc.record({
    matchLabels: labels,
    matchExpressions: fc.array(expression, { minLength: 1, maxLength: 3 }),
  });
  fc.assert(
    fc.property(wanted, labels, (selector, given) => {
      assert.equal(selects(selector, given), objectSelector(selector)(given));
    }),
  );
});
