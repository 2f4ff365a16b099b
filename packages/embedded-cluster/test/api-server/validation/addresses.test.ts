import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contains, isRange, reachableCauses } from '../../../src/api-server/validation/addresses.ts';

test('a range has an address and a length', () => {
  for (const text of ['10.0.0.0/8', '0.0.0.0/0', '2001:db8::/64']) assert.ok(isRange(text), text);
  for (const text of ['10.0.0.0', '10.0.0.0/33', '10.0.0/8', 'x/8', '::/129']) assert.ok(!isRange(text), text);
});

test('a range contains a smaller one of its addresses', () => {
  assert.ok(contains('10.0.0.0/8', '10.1.0.0/16'));
  assert.ok(!contains('10.0.0.0/8', '10.0.0.0/8'));
  assert.ok(!contains('10.0.0.0/8', '11.0.0.0/16'));
  assert.ok(!contains('10.0.0.0/8', '2001:db8::/64'));
});

test('an address that other nodes cannot reach is refused', () => {
  for (const text of ['127.0.0.1', '169.254.169.254', '0.0.0.0', '224.0.0.1', '::1', 'fe80::1'])
    assert.equal(reachableCauses('ip', text).length, 1, text);
  assert.deepEqual(reachableCauses('ip', '10.1.2.3'), []);
});
