import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { dotenvMistake } from '../../../src/deployment/settings/dotenv.ts';
import { needs } from '../../support/needs.ts';

const good = [
  '',
  '# a comment\n\n  # another\n',
  'APP_KEY=base64:abc=\nAPP_DEBUG=false\r\nexport APP_URL=http://localhost',
  'A="two words" # why\nB=\'single "inside"\'\nC="a \\"quoted\\" word"\nD=$A\nE=',
  'A="first\nsecond # no comment\nthird"\nB=1',
  'A',
  '"A"=1\na.b=2\nA=(1)',
  'A=a#comment here',
  '\uFEFFA=1',
];
const bad: readonly (readonly [string, number, string, RegExp])[] = [
  ['A=1\nAPP_NAME=two words', 2, 'APP_NAME', /^text after a space/],
  ['A="closed"too', 1, 'A', /^text after a space or a quote$/],
  ["A=1\n\nB='open", 3, 'B', /^the closing quote is missing$/],
  ['A="C:\\path"', 1, 'A', /^an unknown escape sequence$/],
  ['=1', 1, '', /^nothing stands before the equals sign$/],
  ['A=1\n<<<<<<< HEAD', 2, '', /^it has no valid name of a variable$/],
  ['APP-NAME=1', 1, '', /^it has no valid name of a variable$/],
  ['A="first\nsecond" third', 1, 'A', /^text after a space or a quote$/],
];

test('an environment file that dotenv reads has no mistake', () => {
  for (const text of good) assert.equal(dotenvMistake(text), undefined, text);
});

test('the first line that dotenv refuses is named, without its value', () => {
  for (const [text, line, name, because] of bad) {
    const found = dotenvMistake(text);
    assert.deepEqual([found?.line, found?.name], [line, name], text);
    assert.match(found?.because ?? '', because, text);
  }
});

test("what has a mistake is what PHP's own dotenv refuses", (t) => {
  if (!needs(t, 'php') || !needs(t, '../share/php/Dotenv/autoload.php')) return;
  const piece = fc.constantFrom(
    ...['A', 'B_1', '=', '"', "'", '#', ' ', '\t', '\\', '$', 'n', 'x', '(', 'export ', '{'],
  );
  const entry = fc.array(fc.oneof(piece, fc.constant('é')), { maxLength: 8 }).map((pieces) => `A=${pieces.join('')}`);
  const line = fc.oneof(
    entry,
    fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
  );
  // A value that goes on in the next line is read in three ways by three versions of dotenv: see the examples for that.
  const random = fc.sample(line, { numRuns: 4000, seed: 1 }).filter((text) => !text.includes('="'));
  const quoted = fc.sample(entry, { numRuns: 4000, seed: 2 }).map((text) => text.replace('A=', 'A= "'));
  const texts = [...good.slice(0, -1), ...bad.map(([text]) => text), ...random, ...quoted];
  const program = `require '/usr/share/php/Dotenv/autoload.php';
foreach (json_decode(stream_get_contents(STDIN)) as $text) {
    try { (new Dotenv\\Parser\\Parser())->parse($text); $refused[] = false; }
    catch (Dotenv\\Exception\\InvalidFileException $e) { $refused[] = true; }
}
echo json_encode($refused);`;
  const refused = JSON.parse(execFileSync('php', ['-r', program], { input: JSON.stringify(texts), encoding: 'utf8' }));
  const differing = texts.filter((text, index) => (dotenvMistake(text) !== undefined) !== refused[index]);
  assert.deepEqual(differing, []);
  assert.ok(refused.filter(Boolean).length > 500 && refused.filter((each: boolean) => !each).length > 500);
});
