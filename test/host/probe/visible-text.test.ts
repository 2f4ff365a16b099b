import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { visibleText } from '../../../src/host/probe/visible-text.ts';

/** As nginx 1.22 has it. */
const welcomePage = `<!DOCTYPE html>
<html>
<head>
<title>Welcome to nginx!</title>
<style>
html { color-scheme: light dark; }
</style>
</head>
<body>
<h1>Welcome to nginx!</h1>
<p>If you see this page, the nginx web server is successfully installed and
working. Further configuration is required.</p>
</body>
</html>`;

test("the visible text of nginx's page begins with its welcome line", () => {
  assert.ok(visibleText(welcomePage).startsWith('Welcome to nginx! If you see this page'));
});

test('a title, a script, a comment or a style is no visible text', () => {
  const hidden = [
    '<title>Welcome</title>',
    '<script>Welcome</script>',
    '<!-- Welcome -->',
    '<style>Welcome</style>',
    '<HEAD lang=en>Welcome</HEAD>',
  ];
  for (const element of hidden) assert.equal(visibleText(`<html>${element}<body><h1>503</h1></body></html>`), '503');
  assert.equal(visibleText('<script>cut off before its end: Welcome'), '');
});

test('plain text is its own visible text, and entities are characters', () => {
  assert.equal(visibleText('  Welcome\n to 2 < 3'), 'Welcome to 2 < 3');
  assert.equal(
    visibleText('a &amp; b &lt;&#39;&#x41;&gt; &nbsp; &unknown; &#99999999;'),
    "a & b <'A> &unknown; &#99999999;",
  );
});

test('text without tags and entities is only trimmed and its white space collapsed', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', 'Z', ' ', '\n', '\t', '!') }), (text) => {
      assert.equal(visibleText(text), text.split(/\s+/).filter(Boolean).join(' '));
    }),
  );
});

test('any page is read to its end', () => {
  fc.assert(fc.property(fc.string(), (page) => assert.equal(typeof visibleText(page), 'string')));
});
