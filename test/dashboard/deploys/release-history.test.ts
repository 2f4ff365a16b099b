import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { releaseHistory } from '../../../src/dashboard/deploys/release-history.ts';
import type { RunRecord } from '../../../src/deployment/record/history.ts';
import type { EndState } from '../../../src/deployment/record/states.ts';

const iso = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

/** The run that began in that minute and took half of one. */
function run(minute: number, state: EndState | undefined, over: Partial<RunRecord> = {}): RunRecord {
  const document = {
    schemaVersion: 1,
    state,
    newCommit: state === 'aborted' ? null : `commit-${minute}`,
    because: state === 'rolled-back' ? 'Health check failed (500)' : null,
    finishedAt: iso(minute + 0.5),
  } as unknown as NonNullable<RunRecord['document']>;
  return {
    id: `run-${minute}`,
    kind: 'deploy',
    branch: 'main',
    mode: 'in-place',
    startedAt: iso(minute),
    pid: 1,
    bootId: '',
    children: [],
    ...(state === undefined ? {} : { document }),
    ...over,
  };
}

test('a commit was live until the next one was; one that was put back never was', () => {
  const runs = [run(1, 'verified'), run(2, 'rolled-back'), run(3, 'aborted'), run(4, 'unchanged'), run(9, 'verified')];
  const [last, bad, first, ...more] = releaseHistory(runs);
  assert.deepEqual(more, []);
  assert.deepEqual([last?.commit, last?.state, last?.until], ['commit-9', 'live', null]);
  assert.deepEqual([bad?.commit, bad?.state, bad?.because], ['commit-2', 'bad', 'Health check failed (500)']);
  assert.deepEqual([first?.commit, first?.state, first?.until], ['commit-1', 'replaced', Date.parse(iso(9.5))]);
});

test('a run that was killed after its commit was verified has released it', () => {
  const [release] = releaseHistory([run(1, undefined, { verified: 'commit-x' }), run(2, undefined)]);
  assert.deepEqual([release?.commit, release?.state, release?.at], ['commit-x', 'live', Date.parse(iso(1))]);
});

test('whatever ran: at most one release is live, it is the last that stayed, and none is replaced without a time', () => {
  const states = fc.constantFrom<EndState | undefined>(
    'verified',
    'updated',
    'rolled-back',
    'rolled-back-unhealthy',
    'rollback-failed',
    'aborted',
    'unchanged',
    undefined,
  );
  fc.assert(
    fc.property(fc.array(states, { maxLength: 12 }), (ends) => {
      const releases = releaseHistory(ends.map((state, minute) => run(minute, state)));
      const stayed = releases.filter(({ state }) => state !== 'bad');
      assert.deepEqual(
        stayed.map(({ state }) => state),
        stayed.map((_, index) => (index === 0 ? 'live' : 'replaced')),
      );
      for (const { state, until } of releases) assert.equal(until !== null, state === 'replaced');
    }),
  );
});
