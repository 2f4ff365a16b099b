import assert from 'node:assert/strict';
import { test } from 'node:test';
import { millicores } from '../../../src/validation/observe/cpu.ts';

test('CPU quantities are parsed as people and as metrics-server write them', () => {
  assert.deepEqual(
    ['250m', '1', '0.5', '92500u', '1834567n', '0', 'nonsense'].map(millicores),
    [250, 1000, 500, 92.5, 1.834567, 0, 0],
  );
});
