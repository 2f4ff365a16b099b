import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meets } from '../../src/scheduling/requirements.ts';

test('Gt and Lt compare integers; NotIn is met by an absent label, In is not', () => {
  assert.ok(meets('8', { key: 'g', operator: 'Gt', values: ['6'] }));
  assert.ok(!meets('6', { key: 'g', operator: 'Gt', values: ['6'] }));
  assert.ok(meets('10', { key: 'g', operator: 'Gt', values: ['9'] }));
  assert.ok(!meets(undefined, { key: 'g', operator: 'Gt', values: ['6'] }));
  assert.ok(meets(undefined, { key: 'g', operator: 'NotIn', values: ['a'] }));
  assert.ok(!meets(undefined, { key: 'g', operator: 'In', values: ['a'] }));
});
