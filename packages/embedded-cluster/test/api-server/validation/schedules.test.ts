import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scheduleCauses } from '../../../src/api-server/validation/schedules.ts';

const fault = (schedule: string): string | undefined => scheduleCauses({ schedule }, undefined)[0]?.message;
const invalid = (schedule: string, why: string): string => `Invalid value: ${JSON.stringify(schedule)}: ${why}`;

test('a schedule of five fields, with names, ranges, lists and steps, or a descriptor is taken', () => {
  for (const schedule of ['0 3 * * *', '*/5 0-6/2 1,15 JAN-mar sun', '? ? ? ? ?', '@hourly', '@every 1h30m'])
    assert.equal(fault(schedule), undefined, schedule);
});

test('another is refused in the words of the library', () => {
  const faults: Readonly<Record<string, string>> = {
    '* * *': 'expected exactly 5 fields, found 3: [* * *]',
    '60 * * * *': 'end of range (60) above maximum (59): 60',
    '5-1 * * * *': 'beginning of range (5) beyond end of range (1): 5-1',
    '* * 0 * *': 'beginning of range (0) below minimum (1): 0',
    '*/0 * * * *': 'step of range should be a positive number: */0',
    '1/2/3 * * * *': 'too many slashes: 1/2/3',
    'x * * * *': 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax',
    '@sometimes': 'unrecognized descriptor: @sometimes',
  };
  for (const [schedule, why] of Object.entries(faults)) assert.equal(fault(schedule), invalid(schedule, why));
});

test('a time zone in the schedule is kept where it was, beside no other', () => {
  const before = { schedule: 'TZ=UTC 0 3 * * *' };
  assert.deepEqual(scheduleCauses({ schedule: 'CRON_TZ=UTC 0 4 * * *' }, before), []);
  const both = scheduleCauses({ ...before, timeZone: 'UTC' }, before);
  assert.match(both[0]?.message ?? '', /cannot use both timeZone field and TZ or CRON_TZ in schedule$/);
});
