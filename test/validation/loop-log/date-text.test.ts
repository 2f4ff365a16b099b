import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { dateText } from '../../../src/validation/loop-log/date-text.ts';

const AT = Date.parse('2026-11-21T01:25:47.000Z');
const read = (line: string) => {
  const { at, rest } = dateText(line) ?? {};
  return at === undefined ? undefined : [new Date(at).toISOString(), rest?.trim()];
};

test('the time is read in every form that date prints, and the rest of the line is returned', () => {
  const forms: Record<string, string> = {
    'Sat Nov 21 01:25:47 UTC 2026 200 0.012': '200 0.012',
    'Sat Nov 21 01:25:47 AM UTC 2026': '',
    'Sat 21 Nov 2026 01:25:47 AM UTC 503': '503',
    'Sat Nov 21 02:25:47 CET 2026 200': '200',
    'Fri Nov 20 20:25:47 EST 2026 200': '200',
    'Fri Nov 20 17:25:47 PST 2026 200': '200',
    'Fri Nov 20 19:25:47 CST 2026 200': '200',
    'Sat Nov 21 11:25:47 AEST 2026 200': '200',
    'Sat Nov 21 10:55:47 AM ACST 2026': '',
    'Sat Nov 21 04:25:47 +03 2026 200': '200',
    'Sat Nov 21 07:10:47 +0545 2026 200': '200',
    '2026-11-21 02:25:47 CET 200': '200',
    '2026-11-21T04:25:47+03 200': '200',
    '2026-11-21 01:25:47 GET 200 0.012': 'GET 200 0.012',
    '2026-11-21 01:25:47 HTTP 200 0.012': 'HTTP 200 0.012',
    'Sat, 21 Nov 2026 01:25:47 +0000 HTTP: 200': 'HTTP: 200',
    'Fri, 20 Nov 2026 20:25:47 -0500': '',
    '2026-11-21T01:25:47Z 200': '200',
    '2026-11-21T01:25:47+00:00 200': '200',
    '2026-11-21T06:55:47+05:30 200': '200',
    '2026-11-21 01:25:47 200 0.012': '200 0.012',
    '2026-11-21 01:25:47 UTC 200': '200',
    '[2026-11-21T01:25:47Z] 200': '] 200',
    '1795224347 200 0.012': '200 0.012',
  };
  for (const [line, rest] of Object.entries(forms))
    assert.deepEqual(read(line), [new Date(AT).toISOString(), rest], line);
});

test('an ambiguous or unknown time zone is reported, not guessed', () => {
  const zoneIn = (line: string) => dateText(line)?.unknownZone;
  for (const zone of ['IST', 'BRST', 'XXT'])
    for (const line of [
      `Sat Nov 21 01:25:47 ${zone} 2026 200 0.012`,
      `Sat Nov 21 01:25:47 AM ${zone} 2026`,
      `Sat 21 Nov 2026 01:25:47 AM ${zone} 200`,
      `2026-11-21 01:25:47 ${zone} 200`,
    ])
      assert.equal(zoneIn(line), zone, line);
  for (const line of ['Sat Nov 21 01:25:47 BST 2026', '2026-11-21 01:25:47 200', '1795224347'])
    assert.equal(zoneIn(line), undefined, line);
});

test('12 AM is midnight and 12 PM is noon', () => {
  assert.equal(read('Sat Nov 21 12:00:00 AM UTC 2026')?.[0], '2026-11-21T00:00:00.000Z');
  assert.equal(read('Sat Nov 21 12:00:00 PM UTC 2026')?.[0], '2026-11-21T12:00:00.000Z');
  assert.equal(read('Sat Nov 21 01:25:47 PM UTC 2026')?.[0], '2026-11-21T13:25:47.000Z');
});

test('a fraction of a second is kept in milliseconds, and the time is marked as fine', () => {
  assert.deepEqual(dateText('2026-11-21T01:25:47,123456789+00:00'), { at: AT + 123, fine: true, rest: '' });
  assert.deepEqual(dateText('1795224347.5 200'), { at: AT + 500, fine: true, rest: ' 200' });
  assert.equal(dateText('Sat Nov 21 01:25:47 UTC 2026')?.fine, false);
});

test('other text is no date', () => {
  for (const line of [
    '',
    '200 0.012',
    'HTTP: 200',
    'Sat Nov 21',
    'Nov Nov Nov',
    '20261121 200',
    '2026-11-21',
    '2026-99-99T99:99:99Z',
    'curl: (7) Failed',
  ])
    assert.equal(dateText(line), undefined, line);
  fc.assert(fc.property(fc.string(), (text) => assert.ok(!Number.isNaN(dateText(text)?.at))));
});

test("the output of this machine's date program is read in each form, at any time and in any zone", () => {
  const moments = fc.integer({ min: Date.parse('2001-09-09T01:46:40Z') / 1000, max: Date.parse('2099-01-01') / 1000 });
  const forms = fc.constantFrom('', '-Is', '-Ins', '-R', '+%s', '+%FT%TZ', '+%a %b %e %r %Z %Y');
  fc.assert(
    fc.property(
      moments,
      forms,
      fc.constantFrom('UTC', 'CET-1', 'EST5', 'MST7', 'NST3:30', 'WIB-7', '<+03>-3', '<+0545>-5:45'),
      (seconds, form, zone) => {
        const TZ = form === '+%FT%TZ' ? 'UTC' : zone;
        const text = execFileSync('date', ['-d', `@${seconds}`, ...(form === '' ? [] : [form])], {
          env: { LC_ALL: 'C', TZ, PATH: process.env.PATH ?? '' },
          encoding: 'utf8',
        });
        assert.equal(dateText(text)?.at, seconds * 1000, `${zone} ${text}`);
      },
    ),
    { numRuns: 60 },
  );
});

test('a time that differs from the one before in its seconds alone is read as any other', () => {
  const seconds = fc.constantFrom('00', '07', '59', '60', '5', 'x1', '61');
  const prefix = fc.constantFrom('2026-11-28T09:00:', '2026-11-28 09:00:', '2026-11-28T09:01:', '2026-13-28T09:00:');
  const suffix = fc.constantFrom('', 'Z', '+00:00', '+0530', '.123Z', ' UTC', ' PM', ',200', ';', ' IST');
  const line = fc
    .tuple(prefix, seconds, suffix, fc.constantFrom(' 200 0.01', '', ' PM 200', 'Z', '3 200'))
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(line, { minLength: 2, maxLength: 12 }), fc.boolean(), (lines, commaSeparates) => {
      const form = { commaSeparates };
      const inOneLog = lines.map((one) => dateText(one, form));
      const alone = lines.map((one) => dateText(one, { commaSeparates }));
      assert.deepEqual(inOneLog, alone, lines.join('\n'));
    }),
    { numRuns: 300 },
  );
});
