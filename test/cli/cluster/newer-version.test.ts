import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNewer, refuseNewer } from '../../../src/cli/cluster/newer-version.ts';

test('a run folder of a newer version is refused, and one of an older or the same is not', () => {
  assert.throws(
    () => refuseNewer('runs/x', '0.2.0', '0.1.0'),
    /runs\/x was written by holdfast 0\.2\.0, and this is 0\.1\.0/,
  );
  for (const [written, own] of [
    ['0.1.0', '0.1.0'],
    ['0.1.9', '0.2.0'],
    ['0.9.0', '1.0.0'],
    ['strange', '0.1.0'],
    ['9.9.9', 'strange'],
  ] as const)
    assert.equal(isNewer(written, own), false, `${written} ${own}`);
  assert.ok(isNewer('0.10.0', '0.9.0'));
});
