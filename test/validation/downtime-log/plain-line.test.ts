import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { minuteAt, minuteReader, viewOf } from '../../../src/validation/downtime-log/line-bytes.ts';
import { logScanner } from '../../../src/validation/downtime-log/log-scanner.ts';
import {
  millisOfMinute,
  plainLineBytes,
  plainMillis,
  statusWord,
} from '../../../src/validation/downtime-log/plain-line.ts';

/** What the scanner of all lines reads of it, if it is a sample without further words. */
function scanned(line: Buffer): { readonly at: number; readonly status: number; readonly millis: number } | undefined {
  let found: ReturnType<typeof scanned>;
  const scanner = logScanner({
    sample: ({ at, status, millis }, words) => {
      if (words === '') found = { at, status, millis };
    },
    other: () => {},
  });
  scanner.push(line);
  return found;
}

const lineOf = (at: Date, status: string, seconds: string): Buffer =>
  Buffer.from(`${at.toISOString()} ${status} ${seconds}\n`);

const lines = fc
  .tuple(
    fc.date({ min: new Date('1970-01-01'), max: new Date('2999-12-31'), noInvalidDate: true }),
    fc.constantFrom('200', '503', '000'),
    fc.integer({ min: 0, max: 12_000 }).map((millis) => (millis / 1000).toFixed(3)),
  )
  .map(([at, status, seconds]) => lineOf(at, status, seconds));

/** Up to three bytes are others: of the line's own, or any. */
const changed = fc
  .tuple(
    lines,
    fc.array(fc.tuple(fc.nat(34), fc.oneof(fc.nat(255), fc.constantFrom(...Buffer.from('0123456789:.ZT -\n')))), {
      maxLength: 3,
    }),
  )
  .map(([line, changes]) => {
    const bytes = Buffer.from(line);
    for (const [place, byte] of changes) if (place < bytes.length - 1) bytes[place] = byte;
    return bytes;
  });

/** The line that begins there, if it is plain and has that status. */
function plain(bytes: Buffer, start: number, expect: number) {
  const view = viewOf(bytes);
  if (start + plainLineBytes > bytes.length) return undefined;
  const [ofMinute, millis] = [millisOfMinute(view, start), plainMillis(view, start, statusWord(expect))];
  const at = minuteAt(minuteReader(), bytes, view, start) + ofMinute;
  return ofMinute < 0 || millis < 0 || !(at >= 0) ? undefined : { at, status: expect, millis };
}

test('a plain line is the sample that the scanner of all lines reads', () => {
  let found = 0;
  fc.assert(
    fc.property(changed, (line) => {
      const read = plain(line, 0, 200);
      if (read === undefined) return;
      found += 1;
      assert.equal(line.length, plainLineBytes);
      assert.deepEqual(scanned(line), read);
    }),
    { numRuns: 20_000 },
  );
  assert.ok(found > 1000, `${found}`);
});

test('the line of every good answer of less than ten seconds is plain, wherever it begins', () => {
  const line = lineOf(new Date('2026-11-20T10:00:00.203Z'), '200', '9.876');
  const bytes = Buffer.concat([Buffer.from('xyz'), line, line]);
  const first = { at: Date.parse('2026-11-20T10:00:00.203Z'), status: 200, millis: 9876 };
  assert.deepEqual(plain(bytes, 3, 200), first);
  assert.deepEqual(plain(bytes, 3 + plainLineBytes, 200), first);
  assert.equal(plain(bytes, 4 + plainLineBytes, 200), undefined, 'not the whole line is there');
  assert.equal(plain(bytes, 3, 204), undefined);
});
