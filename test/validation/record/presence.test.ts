import assert from 'node:assert/strict';
import { test } from 'node:test';
import { presence } from '../../../src/validation/record/presence.ts';

test('an answer shows a name as present or absent, and a server failure shows neither', () => {
  const codes = ['NOERROR', 'NXDOMAIN', 'NODATA', 'SERVFAIL', 'TIMEOUT'] as const;
  assert.deepEqual(codes.map(presence), ['present', 'absent', 'absent', 'unknown', 'unknown']);
});
