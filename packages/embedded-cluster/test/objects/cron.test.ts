import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Cron, nextHit, parseCron } from '../../src/objects/cron.ts';

/** The first times after `from`, which is given in UTC. */
function hits(schedule: string, from: string, count: number, timeZone?: string): readonly string[] {
  const cron = parseCron(schedule) as Cron;
  const found: string[] = [];
  let at = Date.parse(from);
  for (let taken = 0; taken < count; taken += 1) {
    at = nextHit(cron, at, timeZone) ?? Number.NaN;
    found.push(new Date(at).toISOString().slice(0, 16));
  }
  return found;
}

/** Kubernetes' documentation, "CronJob", "Schedule syntax". */
const documented = [
  ['0 3 * * 1', ['2026-01-05T03:00', '2026-01-12T03:00']],
  ['@yearly', ['2027-01-01T00:00', '2028-01-01T00:00']],
  ['@annually', ['2027-01-01T00:00', '2028-01-01T00:00']],
  ['@monthly', ['2026-02-01T00:00', '2026-03-01T00:00']],
  ['@weekly', ['2026-01-04T00:00', '2026-01-11T00:00']],
  ['@daily', ['2026-01-02T00:00', '2026-01-03T00:00']],
  ['@midnight', ['2026-01-02T00:00', '2026-01-03T00:00']],
  ['@hourly', ['2026-01-01T01:00', '2026-01-01T02:00']],
  ['* * * * *', ['2026-01-01T00:01', '2026-01-01T00:02']],
  ['*/20 8-9 * * *', ['2026-01-01T08:00', '2026-01-01T08:20']],
  ['0 0 13 * fri', ['2026-01-02T00:00', '2026-01-09T00:00']],
] as const;

for (const [schedule, times] of documented)
  test(`${schedule} is hit at ${times.join(' and ')}`, () =>
    assert.deepEqual(hits(schedule, '2026-01-01T00:00:00Z', 2), times));

test('a time of another zone follows its clocks: one that is left out in spring does not come, one that comes twice is hit twice', () => {
  const berlin = (schedule: string, from: string, count: number) => hits(schedule, from, count, 'Europe/Berlin');
  assert.deepEqual(berlin('30 6 * * *', '2026-03-28T00:00:00Z', 2), ['2026-03-28T05:30', '2026-03-29T04:30']);
  assert.deepEqual(berlin('30 2 * * *', '2026-03-28T00:00:00Z', 2), ['2026-03-28T01:30', '2026-03-30T00:30']);
  assert.deepEqual(berlin('30 2 * * *', '2026-10-25T00:00:00Z', 2), ['2026-10-25T00:30', '2026-10-25T01:30']);
  assert.deepEqual(hits('0 9 * * *', '2026-01-01T00:00:00Z', 1, 'Asia/Kathmandu'), ['2026-01-01T03:15']);
});

test('30 February never comes; 29 February does', () => {
  assert.equal(nextHit(parseCron('0 0 30 2 *') as Cron, Date.parse('2026-01-01T00:00:00Z')), undefined);
  assert.deepEqual(hits('0 0 29 2 *', '2026-01-01T00:00:00Z', 1), ['2028-02-29T00:00']);
});

test('what is no cron expression is not taken for one', () => {
  for (const text of ['', '* * * *', '60 * * * *', '* * * * * *', '@every 5m', 'a * * * *'])
    assert.equal(parseCron(text), undefined, text);
});
