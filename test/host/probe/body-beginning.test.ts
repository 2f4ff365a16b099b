import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyBeginning } from '../../../src/host/probe/exchange.ts';

test('only the beginning of a long body is kept', () => {
  const beginning = bodyBeginning(64 * 1024);
  for (let taken = 0; taken < 100_000_000; taken += 1_000_000) beginning.take(Buffer.alloc(1_000_000, 'x'));
  assert.equal(beginning.bytes().toString(), 'x'.repeat(65_536));
});

test('a short body is kept whole, in the letters that its pieces make together', () => {
  const beginning = bodyBeginning(64 * 1024);
  for (const byte of Buffer.from('Grüße')) beginning.take(Buffer.of(byte));
  assert.equal(beginning.bytes().toString(), 'Grüße');
});
