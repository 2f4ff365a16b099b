import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { afterResume, type LogPlace, placeIn, timedLine } from '../../src/cluster/log-lines.ts';

test('a line has its time to the nanosecond, whatever the zone of the node', () => {
  const second = Date.parse('2026-01-01T10:00:00Z') / 1000;
  assert.deepEqual(timedLine('2026-01-01T10:00:00.000000001Z 200 0.010'), { second, nanosecond: 1, text: '200 0.010' });
  assert.deepEqual(timedLine('2026-01-01T11:00:00.5+01:00 text'), { second, nanosecond: 500_000_000, text: 'text' });
  assert.deepEqual(timedLine('2026-01-01T10:00:00Z '), { second, nanosecond: 0, text: '' });
  assert.equal(timedLine('failed to try resolving symlinks in path "/var/log/pods"'), undefined);
});

// Lines at instants that never go back, several of them equal; connections that end after so many lines each.
const instants = fc.array(fc.record({ later: fc.nat(3), second: fc.boolean() }), { maxLength: 40 }).map((steps) => {
  let [second, nanosecond] = [1000, 0];
  return steps.map(({ later, second: turns }, index) => {
    if (turns) [second, nanosecond] = [second + 1, 0];
    nanosecond += later === 3 ? 1 : 0;
    return { second, nanosecond, text: `line ${index}` };
  });
});

test('a log that is read over connections that are lost anywhere has each line once, in its order', () => {
  fc.assert(
    fc.property(instants, fc.array(fc.nat(12), { maxLength: 30 }), (lines, cuts) => {
      const read: string[] = [];
      let place: LogPlace | undefined;
      for (const cut of [...cuts, lines.length]) {
        const since = place?.second ?? 0;
        const isNew = afterResume(place);
        for (const line of lines.filter(({ second }) => second >= since).slice(0, cut)) {
          if (!isNew(line)) continue;
          place = placeIn(place, line);
          read.push(line.text);
        }
      }
      assert.deepEqual(
        read,
        lines.map(({ text }) => text),
      );
    }),
    { numRuns: 500 },
  );
});
