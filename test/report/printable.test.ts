import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { printable } from '../../src/report/printable.ts';
import { hostileText } from '../support/any-result.ts';

test('no control character, direction override or lone surrogate is left', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const shown = printable(text);
      assert.doesNotMatch(shown, /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/u);
      assert.ok(shown.isWellFormed());
    }),
  );
});

test('terminal control characters become U+FFFD, and lines are joined', () => {
  assert.equal(printable('\u001b[2Jgone\u009b1m'), '\uFFFD[2Jgone\uFFFD1m');
  assert.equal(printable('one\r\n\ttwo\u2028three'), 'one two three');
  assert.equal(printable('exe\u202Egpj'), 'exe\uFFFDgpj');
  assert.equal(printable('half \uD800 letter'), 'half \uFFFD letter');
});

test('letters of every script are unchanged', () => {
  const letters = 'Prüfung — проверка ✓ 検査 שלום 👩‍🚀 é';
  assert.equal(printable(letters), letters);
});
