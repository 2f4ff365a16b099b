import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachView, isBeingDisrupted, viewAt, wasWatched } from '../../../src/validation/record/history.ts';
import { at, change, claim, history, node, pod, stamp } from '../../support/changes.ts';

const three = history([
  change(10, 'Pod', 'a', pod('a'), 'added'),
  change(20, 'Pod', 'b', pod('b'), 'added'),
  change(30, 'Pod', 'a', pod('a'), 'deleted'),
]);
const podsAt = (seconds: number) => [...viewAt(three, at(seconds)).Pod.keys()];

test('a view at an instant holds the changes up to it, included', () => {
  assert.deepEqual([podsAt(9), podsAt(10), podsAt(20), podsAt(30)], [[], ['a'], ['a', 'b'], ['b']]);
});

test('the views of a window are that at its start and one after each change up to its end', () => {
  const seen = (from: number, to: number) => {
    const views: [number, number][] = [];
    eachView(three, at(from), at(to), (view, when) => views.push([(when - at(0)) / 1000, view.Pod.size]));
    return views;
  };
  assert.deepEqual(seen(15, 25), [
    [15, 1],
    [20, 2],
  ]);
  assert.deepEqual(seen(10, 30), [
    [10, 1],
    [20, 2],
    [30, 1],
  ]);
  assert.deepEqual(seen(40, 50), [[40, 1]]);
});

test('a node is being disrupted while it is tainted or its claim is deleted, until its instance ends', () => {
  assert.equal(isBeingDisrupted(claim('a'), node('a')), false);
  assert.equal(isBeingDisrupted(claim('a'), undefined), false);
  assert.equal(isBeingDisrupted(claim('a'), node('a', { disrupted: true })), true);
  const leaving = { deletingAt: stamp(1) };
  assert.equal(isBeingDisrupted(claim('a', leaving), node('a')), true);
  assert.equal(isBeingDisrupted(claim('a', { ...leaving, instanceTerminating: true }), node('a')), false);
});

test('a kind was watched in a window if none of its own gaps touches the window', () => {
  const gaps = [{ kind: 'Pod', from: at(10), to: at(20) }] as const;
  const watched = (from: number, to: number, kind: 'Pod' | 'Node' = 'Pod') =>
    wasWatched({ ...three, gaps }, kind, { from: at(from), to: at(to) });
  assert.deepEqual(
    [watched(0, 9), watched(0, 10), watched(12, 15), watched(20, 30), watched(21, 30)],
    [...[true, false, false, false, true]],
  );
  assert.equal(watched(0, 30, 'Node'), true);
  assert.equal(wasWatched(history([], []), 'Pod', { from: 0, to: 1 }), false);
});
