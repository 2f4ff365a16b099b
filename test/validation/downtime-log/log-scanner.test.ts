import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { logScanner } from '../../../src/validation/downtime-log/log-scanner.ts';

type Line = readonly [at: number, status: number, millis: number, words: string] | readonly [other: string];

function scanned(bytes: Buffer, cuts: readonly number[] = []): readonly Line[] {
  const lines: Line[] = [];
  const scanner = logScanner({
    sample: ({ at, status, millis }, words) => {
      lines.push([at, status, millis, words]);
    },
    other: (line) => lines.push([line]),
  });
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  // One buffer for all chunks, as when a file is read: the scanner has to copy what it keeps.
  const piece = Buffer.alloc(bytes.length);
  for (const [i, end] of places.slice(1).entries()) {
    const length = bytes.copy(piece, 0, places[i], end);
    scanner.push(piece.subarray(0, length));
    piece.fill(0);
  }
  return lines;
}

/** The same lines by a regular expression. */
function expected(text: string): readonly Line[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((ended): Line => {
      const line = ended.replace(/\r$/, '');
      const [, time = '', status, whole, part, words = ''] =
        /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\d{3}) (\d{1,7})\.(\d{3})( .*)?$/s.exec(line) ?? [];
      const at = Date.parse(time);
      return Number.isNaN(at) ? [line] : [at, Number(status), Number(whole) * 1000 + Number(part), words];
    });
}

const instant = fc
  .integer({ min: Date.parse('1999-01-01'), max: Date.parse('2099-12-31') })
  .map((at) => new Date(at).toISOString());
const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));
const plain = fc
  .tuple(instant, digits(3), digits(1), digits(3))
  .map(([at, status, whole, part]) => `${at} ${status} ${whole}.${part}`);
const long = fc
  .tuple(plain, fc.constantFrom('', ' connection=reused', ' error=timeout', ' body=no x=y'))
  .map(([line, words]) => line.replace(' 0.', ' 10.') + words);
const other = fc.constantFrom(
  '# a remark',
  '',
  'x',
  '2026-13-45T10:00:00.203Z 200 0.012',
  '2026-11-20T10:00:00Z 200 0.012',
  '2026-11-20T10:00:00.203Z 200 0.01',
  '2026-11-20T10:00:00.203Z 20 0.012',
  '2026-11-20T10:00:00.203Z 200 .012',
  '2026-11-20T10:00:00.203Z 200 0.0123',
);
const logs = fc
  .tuple(
    fc.array(fc.tuple(fc.oneof(plain, long, other), fc.constantFrom('\n', '\r\n', '\r\r\n'))),
    fc.constantFrom('', '2026-11-20T10:00:00.203Z 200 0.0', '2026-11-20T10:00:00.203Z 200 0.012\r'),
  )
  .map(([lines, torn]) => lines.map(([line, end]) => `${line}${end}`).join('') + torn);

test('lines are the same however the file is cut into chunks, and a torn last line is not passed on', () => {
  fc.assert(
    fc.property(logs, fc.array(fc.nat(), { maxLength: 6 }), (text, cuts) => {
      assert.deepEqual(scanned(Buffer.from(text), cuts), expected(text));
    }),
    { numRuns: 500 },
  );
});

test('a log with CRLF line ends has the same lines', () => {
  const same = (text: string) => assert.deepEqual(scanned(Buffer.from(text.replaceAll('\n', '\r\n'))), expected(text));
  fc.assert(fc.property(fc.array(fc.oneof(plain, long, other)), (lines) => same(`${lines.join('\n')}\n`)));
});

test('any bytes are read without an exception, each line once', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), fc.array(fc.nat(), { maxLength: 4 }), (bytes, cuts) => {
      const lines = bytes.filter((byte) => byte === 10).length;
      assert.equal(scanned(Buffer.from(bytes), cuts).length, lines);
    }),
  );
});

test('a line without an end does not fill the memory', () => {
  const scanner = logScanner({ sample: () => assert.fail(), other: (line) => lines.push(line) });
  const lines: string[] = [];
  const piece = Buffer.alloc(100_000, 'x');
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 1000; i++) scanner.push(piece);
  scanner.push(Buffer.from('\n# next\n'));
  assert.deepEqual(lines, ['# next']);
  assert.ok(process.memoryUsage().arrayBuffers - before < 20_000_000);
});
