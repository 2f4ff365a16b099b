import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type DeployEvent, isEnd, next, type State, transitions } from '../../../src/deployment/record/states.ts';

const commit = 'a'.repeat(40);
const checked = (status: number): DeployEvent => ({ type: 'health-checked', status, commit });

/** Section 3.3 of the specification, row by row: state, trigger, next state, tag of the line, notification. */
const table: readonly (readonly [State, readonly DeployEvent[], State, string, boolean])[] = [
  ['started', [{ type: 'directory-change-failed', because: '' }], 'aborted', 'ERROR', false],
  ['started', [{ type: 'fetch-failed' }], 'aborted', 'ERROR', true],
  ['fetched', [{ type: 'reset-failed' }], 'aborted', 'ERROR', true],
  ['reset', [checked(200)], 'verified', 'SUCCESS', true],
  ['reset', [checked(500), { type: 'rolled-back', commit }], 'rolled-back', 'ROLLBACK', true],
];

for (const [from, events, to, tag, notify] of table) {
  test(`3.3: from ${from}, ${events.map(({ type }) => type).join(' and ')} leads to ${to}`, () => {
    let state = from;
    let last = next(state, events[0] as DeployEvent);
    for (const event of events) {
      last = next(state, event);
      assert.ok(last, `${event.type} in ${state}`);
      state = last.to;
    }
    assert.equal(state, to);
    assert.equal(last?.log, tag);
    assert.equal(last?.notify === true, notify);
  });
}

test('exactly 200 is healthy, and no other status is', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999 }), (status) => {
      assert.equal(next('reset', checked(status))?.to, status === 200 ? 'verified' : 'rolling-back');
    }),
  );
});

test('an end stays an end', () => {
  for (const { from, to } of transitions) {
    if (isEnd(from)) assert.ok(isEnd(to), `${from} to ${to}`);
  }
});

test('every event leads from each state to one state only', () => {
  const keys = transitions.map(({ from, on, when }) => `${from} ${on} ${when?.name ?? ''}`);
  assert.equal(new Set(keys).size, keys.length);
});
