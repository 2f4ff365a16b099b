import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isServerEnd, isServerStatus } from '../../src/fleet/remote-documents.ts';

const ended = { id: 'x', state: 'verified', newCommit: 'a'.repeat(40), exitCode: 0, steps: [] };

test('what a server says is the document of a run only with a known state, a commit and an exit code', () => {
  assert.ok(isServerEnd(ended));
  for (const wrong of [
    { state: '\u001b[2J' },
    { newCommit: 'a\u001b[31m' },
    { newCommit: {} },
    { exitCode: 'no' },
    { exitCode: 1e9 },
    { steps: [null] },
  ])
    assert.ok(!isServerEnd({ ...ended, ...wrong }), JSON.stringify(wrong));
  assert.ok(isServerStatus({ lastRun: null }));
  for (const wrong of [{ lastRun: 1 }, { lastRun: null, problems: 'x' }, { lastRun: null, commit: 7 }])
    assert.ok(!isServerStatus(wrong));
  fc.assert(fc.property(fc.jsonValue(), (value) => !isServerEnd(value) && !isServerStatus(value)));
});
