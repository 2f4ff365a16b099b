import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commitTrouble } from '../../../src/deployment/record/commit-trouble.ts';
import type { RunRecord } from '../../../src/deployment/record/history.ts';
import type { Trust } from '../../../src/deployment/record/trust.ts';

const left = { reset: { from: 'a', to: 'b' } } as RunRecord;
const { reset: _, ...untouched } = left;
const trust = (more: Partial<Trust> = {}): Trust => ({
  base: 'a',
  unproved: new Set(['b']),
  quarantined: new Map([['c', 'status 500']]),
  killed: [],
  failed: [],
  ...more,
});

test('no trouble is reported of the commit to go back to, nor of an unknown one', () => {
  assert.equal(commitTrouble(trust(), 'by hand'), undefined);
  assert.equal(commitTrouble(trust({ base: 'b' }), 'b'), undefined);
  assert.equal(commitTrouble(trust({ base: 'c' }), 'c'), undefined);
});

test('a commit that was never verified and one that was found bad are named, with the way back', () => {
  assert.equal(
    commitTrouble(trust(), 'b'),
    'The live commit b was never verified; holdfast rollback a goes back to a.',
  );
  assert.equal(
    commitTrouble(trust(), 'c'),
    'The live commit c was found bad: status 500; holdfast rollback a goes back to a.',
  );
});

test('a repair returns to the last verified commit after a killed run or a failed rollback that intended a reset, and not otherwise', () => {
  for (const runs of [{ killed: [left] }, { failed: [left] }])
    assert.match(commitTrouble(trust(runs), 'b') ?? '', /; holdfast doctor --repair goes back to a\.$/);
  assert.match(
    commitTrouble(trust({ killed: [untouched as RunRecord] }), 'b') ?? '',
    /; holdfast rollback a goes back to a\.$/,
  );
});

test('where there is no commit to go back to, a healthy one ends the doubt', () => {
  const { base: __, ...first } = trust();
  assert.match(commitTrouble(first, 'b') ?? '', /; no commit ever passed: deploy one that is healthy\.$/);
});
