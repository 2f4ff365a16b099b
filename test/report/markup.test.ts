import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { markup, sourceOf } from '../../src/report/markup.ts';
import { printable } from '../../src/report/printable.ts';
import { hostileText } from '../support/any-result.ts';
import { parseXml } from '../support/xml.ts';

test('any text is read back from an element and from an attribute unchanged', () => {
  fc.assert(
    fc.property(hostileText, hostileText, (text, value) => {
      const { attributes, children } = parseXml(sourceOf(markup`<a b="${value}">${text}</a>`));
      assert.equal(attributes.b, printable(value));
      assert.equal(children.join(''), printable(text));
    }),
  );
});

test('markup in markup is kept, lists are joined, undefined is left out', () => {
  const items = ['<', 1].map((item) => markup`<li>${item}</li>`);
  assert.equal(sourceOf(markup`<ul>${items}${undefined}</ul>\n`), '<ul><li>&#60;</li><li>1</li></ul>\n');
});

test('an object that only looks like markup is escaped', () => {
  const forged = JSON.parse('{"source":"<script>"}');
  assert.throws(() => sourceOf(forged));
});
