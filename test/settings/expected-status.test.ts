import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isExpected, readExpected, usualOf } from '../../src/settings/expected-status.ts';

test('several statuses and whole classes of them may be good', () => {
  assert.equal(readExpected('200'), 200);
  const several = readExpected('200,204,3xx') ?? 0;
  const good = [199, 200, 203, 204, 299, 300, 301, 399, 400].filter((status) => isExpected(status, several));
  assert.deepEqual(good, [200, 204, 300, 301, 399]);
  assert.ok(!isExpected(0, several), 'no answer is never good');
  for (const text of ['', '20', '2000', '6xx', '200,', '200 204', '2x0', 'xxx', '200;204'])
    assert.equal(readExpected(text), undefined, text);
});

test('the usual one of several is good', () => {
  for (const [text, usual] of [
    ['200', 200],
    ['204,200', 200],
    ['2xx', 200],
    ['401', 401],
    ['301,302', 301],
  ] as const) {
    const expect = readExpected(text) ?? 0;
    assert.equal(usualOf(expect), usual);
    assert.ok(isExpected(usualOf(expect), expect));
  }
});
