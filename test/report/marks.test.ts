import assert from 'node:assert/strict';
import { test } from 'node:test';
import { marksIn } from '../../src/report/marks.ts';
import { at } from '../support/changes.ts';
import { richFacts } from '../support/rich-run.ts';

test('a window’s marks are its actions, the settling and the undos, in order', () => {
  const marks = marksIn(richFacts, { from: at(500), to: at(640) });
  assert.deepEqual(
    marks.map((mark) => [(mark.at - at(0)) / 1000, mark.kind, mark.words]),
    [
      [516, 'action', 'drain-node of Node ip-10-0-1-12'],
      [536, 'action', 'drain-node of Node ip-10-0-1-12: done'],
      [570, 'settled', 'the cluster settled'],
      [572, 'undo', 'drain-node of Node ip-10-0-1-12: undone'],
    ],
  );
});

test('an action that ended at once has one mark', () => {
  const marks = marksIn(richFacts, { from: at(120), to: at(190) });
  assert.deepEqual(
    marks.map(({ words }) => words),
    ['scale of Deployment default/nginx-test'],
  );
});
