import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { viewOf } from '../../../src/validation/downtime-log/line-bytes.ts';
import { logScanner } from '../../../src/validation/downtime-log/log-scanner.ts';
import { quickLineReader } from '../../../src/validation/downtime-log/quick-line.ts';

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

test('a line that is read quickly is the sample that the scanner of all lines reads', () => {
  const quick = quickLineReader(200);
  let quickly = 0;
  fc.assert(
    fc.property(changed, (line) => {
      const { at, millis, next } = quick(line, viewOf(line), 0);
      if (next === 0 || !(at >= 0)) return;
      quickly += 1;
      assert.equal(next, line.length);
      assert.deepEqual(scanned(line), { at, status: 200, millis });
    }),
    { numRuns: 20_000 },
  );
  assert.ok(quickly > 1000, `${quickly}`);
});

test('every good answer of less than ten seconds is read quickly, wherever its line begins', () => {
  const quick = quickLineReader(200);
  const line = lineOf(new Date('2026-11-20T10:00:00.203Z'), '200', '9.876');
  const bytes = Buffer.concat([Buffer.from('xyz'), line, line]);
  const view = viewOf(bytes);
  const first = { ...quick(bytes, view, 3) };
  assert.deepEqual(first, { at: Date.parse('2026-11-20T10:00:00.203Z'), millis: 9876, next: 3 + line.length });
  assert.equal(quick(bytes, view, first.next).next, bytes.length);
  assert.equal(quick(bytes, view, first.next + 1).next, 0, 'not the whole line is there');
  assert.equal(quickLineReader(204)(bytes, view, 3).next, 0);
});
