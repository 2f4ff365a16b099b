import { join } from 'node:path';
import { rehearse } from 'holdfast';
import { expect, test } from 'vitest';

test('visitors do not notice a drain', { timeout: 60_000 }, async () => {
  const run = await rehearse({
    files: [join(import.meta.dirname, '../k8s')],
    scenarios: ['node-drain'],
    assumptions: false,
  });
  expect(run.verdict).toBe('pass');
});
