import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { answerOf, generatedSets } from '../support/generated-manifests.ts';

/**
 * The heap that Node may use by default on a machine of 4 GB; the sets come one after another, so that what one leaves
 * behind shows.
 */
const mostBytes = 1.5 * 1024 ** 3;

test('each of 500 generated sets of manifests is refused in sentences, or rehearsed to a verdict', async (t) => {
  const answers: string[] = [];
  await fc.assert(
    fc.asyncProperty(generatedSets, async (text) => {
      answers.push(await answerOf(text, true));
    }),
    { numRuns: 500 },
  );
  const residentBytes = process.memoryUsage.rss();
  t.diagnostic(
    `${answers.filter((one) => one === 'refused').length} refused, ${answers.filter((one) => one === 'rehearsed').length} rehearsed, ${(residentBytes / 1024 ** 2).toFixed(0)} MiB`,
  );
  assert.equal(answers.length, 500);
  assert.ok(residentBytes < mostBytes, `${residentBytes} bytes`);
});
