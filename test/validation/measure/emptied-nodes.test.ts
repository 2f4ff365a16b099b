import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptiedNodes } from '../../../src/validation/measure/steps.ts';
import { dated } from '../../../src/validation/record/history.ts';
import { at, change, history, pod } from '../../support/changes.ts';

const round = { openedAt: at(0), restAt: at(100) };
const leavesOne = [
  change(-50, 'Pod', 'leaves', pod('leaves', { node: 'one' })),
  change(10, 'Pod', 'leaves', pod('leaves', { node: 'one' }), 'deleted'),
];

test('a node that the application’s pods have left is emptied', () => {
  assert.deepEqual(emptiedNodes({ history: history(leavesOne), notes: [] }, round), ['one']);
});

test('a node on which another application of the run still has a pod is not emptied; one that both have left is', () => {
  const other = dated(change(-40, 'Pod', 'other', pod('other', { node: 'one' })));
  const stays = { ...history(leavesOne), beside: [other] };
  assert.deepEqual(emptiedNodes({ history: stays, notes: [] }, round), []);
  const goes = {
    ...stays,
    beside: [other, dated(change(20, 'Pod', 'other', pod('other', { node: 'one' }), 'deleted'))],
  };
  assert.deepEqual(emptiedNodes({ history: goes, notes: [] }, round), ['one']);
});
