import assert from 'node:assert/strict';
import { test } from 'node:test';
import { presence } from '../../../src/validation/record/presence.ts';

test('a name is there, or absent, and a server in trouble says neither', () => {
  const codes = ['NOERROR', 'NXDOMAIN', 'NODATA', 'SERVFAIL', 'TIMEOUT'] as const;
  assert.deepEqual(codes.map(presence), ['there', 'absent', 'absent', 'untold', 'untold']);
});
