import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { indented, plain } from '../../../src/deployment/log/plain.ts';

test('no output of a command can begin a line of the log with anything but two spaces', () => {
  const text = fc.array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\r', '\n', '\u2028', '\u001b[1A', '[SUCCESS] ok', '\u0085'),
    ),
  );
  fc.assert(
    fc.property(text, (parts) => {
      for (const line of indented(plain(parts.join(''))).split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)) {
        assert.ok(line === '' || line.startsWith('  '), JSON.stringify(line));
      }
    }),
  );
});

test('a carriage return cannot write over the indentation', () => {
  assert.equal(indented(plain('progress\r[SUCCESS] forged\n')), '  progress\n  [SUCCESS] forged\n');
});

test('escape sequences are removed with their parameters', () => {
  assert.equal(plain('\u001b[31mred\u001b[0m \u001b]0;title\u0007text\u001b]8;;http://x\u001b\\link'), 'red textlink');
});

test('a tab stays, and so does every letter', () => {
  assert.equal(plain('a\tbé漢🙂'), 'a\tbé漢🙂');
});

test('characters that reverse the direction of text are removed', () => {
  assert.equal(plain('abc\u202Edef\u2066'), 'abcdef');
});
