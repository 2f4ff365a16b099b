import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runSentence } from '../../src/report/cells.ts';
import type { RunResult } from '../../src/validation/judge/run-result.ts';

test('a run without an end in its journal is not said to be killed: it may still run', () => {
  const startedAt = '2026-11-20T10:00:00.000Z';
  const run = { id: 'run', kind: 'cluster', cluster: 'web', startedAt };
  const sentence = (finishedAt: string | null) =>
    runSentence({ run: { ...run, finishedAt }, tool: { name: 'holdfast', version: '1' } } as RunResult);
  assert.match(
    sentence(null),
    /^run on web, 2026-11-20 10:00:00Z and without an end yet: it still runs, or was killed,/,
  );
  assert.match(sentence(startedAt), /to 2026-11-20 10:00:00Z/);
});
