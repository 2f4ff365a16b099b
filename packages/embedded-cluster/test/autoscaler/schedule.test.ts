import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isActive } from '../../src/autoscaler/budgets.ts';

const at = (text: string) => Date.parse(`${text}Z`);
const hours = (count: number) => 3600 * count;

test('a budget with a schedule is active for its duration after each hit, in UTC', () => {
  const nine = (text: string) => isActive('0 9 * * mon-fri', hours(8), at(text));
  assert.deepEqual(
    ['2026-11-20T08:59:59', '2026-11-20T09:00:00', '2026-11-20T16:59:59', '2026-11-20T17:00:00'].map(nine),
    [false, true, true, false],
    'a Friday',
  );
  assert.ok(!nine('2026-11-21T12:00:00'), 'a Saturday');
  assert.ok(isActive('@daily', hours(24), at('2026-11-21T12:00:00')), 'always');
  assert.ok(isActive('@hourly', 600, at('2026-11-21T12:09:59')));
  assert.ok(!isActive('@hourly', 600, at('2026-11-21T12:10:00')));
});

test('a schedule has lists, ranges, steps and names; with both days restricted one of them is enough', () => {
  const hit = (schedule: string, text: string) => isActive(schedule, 60, at(text));
  assert.ok(hit('*/15 * * * *', '2026-11-21T12:45:30'));
  assert.ok(!hit('*/15 * * * *', '2026-11-21T12:46:30'));
  assert.ok(hit('5/20 * * * *', '2026-11-21T12:45:00'));
  assert.ok(hit('0 8-10,12 * nov *', '2026-11-21T12:00:00'));
  assert.ok(!hit('0 8-10,13 * * *', '2026-11-21T12:00:00'));
  assert.ok(hit('0 12 21 * mon', '2026-11-21T12:00:00'), 'the 21st, a Saturday');
  assert.ok(hit('0 12 1 * sat', '2026-11-21T12:00:00'));
  assert.ok(!hit('0 12 * * mon', '2026-11-21T12:00:00'));
});

test('an invalid schedule is never active', () => {
  for (const schedule of [
    '',
    '* * * *',
    '60 * * * *',
    'a b c d e',
    '0 0 0 * *',
    '* * * * 7',
    '*/0 * * * *',
    '5-1 * * * *',
    'valueOf',
  ])
    assert.ok(!isActive(schedule, hours(24), at('2026-11-21T12:00:00')), schedule);
  fc.assert(
    fc.property(fc.string({ maxLength: 20 }), (schedule) => {
      assert.equal(typeof isActive(schedule, 600, at('2026-11-21T12:00:00')), 'boolean');
    }),
  );
});
