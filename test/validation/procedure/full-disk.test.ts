import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consolidation } from '../../../src/validation/scenarios/consolidation.ts';
import { appendsOf, type FullDisk, fullDiskRun } from '../../support/full-disk.ts';

const options = { scenarios: [consolidation] };

for (const file of ['journal.jsonl', 'downtime.log'] as const) {
  test(`with a full disk under ${file} no action is performed without a durable intent, everything is undone, and the run is no pass`, async (t) => {
    const { appends, expected } = await appendsOf(t, options);
    for (const part of [0, 0.02, 0.6, 0.85, 1]) {
      const n = Math.max(1, Math.ceil(part * appends[file]));
      const disk: FullDisk = { file, n, times: Number.POSITIVE_INFINITY };
      const { troubles, said } = await fullDiskRun(t, disk, expected, options);
      assert.deepEqual(troubles, [], `from append ${n} on`);
      assert.match(said, /no space left on the device/, `from append ${n} on`);
    }
  });

  test(`one failed append to ${file} is reported even if there is space again`, async (t) => {
    const { appends, expected } = await appendsOf(t, options);
    for (const part of [0.8]) {
      const n = Math.ceil(part * appends[file]);
      const { troubles, said } = await fullDiskRun(t, { file, n, times: 1 }, expected, options);
      assert.deepEqual(troubles, [], `append ${n}`);
      assert.match(said, /no space left on the device/, `append ${n}`);
    }
  });
}
