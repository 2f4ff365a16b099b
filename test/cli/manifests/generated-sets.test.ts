import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { answerOf, generatedSets } from '../../support/generated-manifests.ts';

test('any set of manifests is refused in sentences, or taken', async (t) => {
  const answers: string[] = [];
  await fc.assert(
    fc.asyncProperty(generatedSets, async (text) => {
      answers.push(await answerOf(text, false));
    }),
    { numRuns: 60 },
  );
  t.diagnostic(
    JSON.stringify(
      Object.fromEntries(
        Map.groupBy(answers, (one) => one)
          .entries()
          .map(([one, all]) => [one, all.length]),
      ),
    ),
  );
  assert.deepEqual([...new Set(answers)].toSorted(), ['refused', 'taken']);
});
