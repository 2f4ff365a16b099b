import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { capturedText, wholeText } from '../../src/host/captured-text.ts';

const pieces = fc.array(fc.string({ maxLength: 30 }), { maxLength: 30 });

test('a short text is kept whole, whatever pieces it comes in', () => {
  fc.assert(
    fc.property(pieces, (texts) => {
      const captured = capturedText();
      for (const text of texts) captured.push(Buffer.from(text));
      assert.equal(captured.text(), Buffer.from(texts.join('')).toString());
    }),
  );
});

test('of a long text the beginning and the end are kept, with a line between them that says how much is missing', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 20, maxLength: 60 }), (lengths) => {
      const bytes = Buffer.from(lengths.flatMap((length, i) => Array(length).fill(97 + (i % 26))));
      const captured = capturedText(100);
      let start = 0;
      for (const length of lengths) {
        captured.push(bytes.subarray(start, start + length));
        start += length;
      }
      const [head = '', cut, tail = ''] = captured.text().split(/\n\[(\d+) bytes are left out here\]\n/);
      if (cut === undefined) return assert.equal(captured.text(), bytes.toString());
      assert.equal(head, bytes.toString('latin1', 0, 50));
      assert.ok(tail.length >= 50 && tail.length < 50 + 40);
      assert.ok(bytes.toString('latin1').endsWith(tail));
      assert.equal(head.length + Number(cut) + tail.length, bytes.length);
    }),
  );
});

test('a whole text is the text, whatever pieces it comes in, or nothing at all', () => {
  fc.assert(
    fc.property(pieces, fc.nat({ max: 200 }), (texts, mostBytes) => {
      let exceeded = 0;
      const captured = wholeText(() => exceeded++, mostBytes);
      const whole = Buffer.from(texts.join(''));
      for (const text of texts) captured.push(Buffer.from(text));
      const fits = whole.length <= mostBytes;
      assert.deepEqual([exceeded, fits && captured.text()], [fits ? 0 : 1, fits && whole.toString()]);
    }),
  );
});
