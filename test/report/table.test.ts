import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { table } from '../../src/report/table.ts';
import { textWidth } from '../../src/report/text-width.ts';
import { wrap, wrapAll } from '../../src/report/wrap.ts';

const word = fc.string({ unit: fc.constantFrom('a', 'é', 'ß', '検', 'e\u0301'), minLength: 1, maxLength: 9 });
const sentence = fc.array(word, { maxLength: 9 }).map((words) => words.join(' '));
const width = fc.integer({ min: 1, max: 60 });

test('a wrapped line is never longer than asked, except for one long word', () => {
  fc.assert(
    fc.property(sentence, width, (text, columns) => {
      const lines = wrap(text, columns);
      assert.equal(lines.join(' '), text.normalize());
      for (const line of lines) assert.ok(textWidth(line) <= columns || !line.includes(' '), line);
    }),
  );
});

test('on a terminal no line is longer than asked, and no word is broken that fits in a line', () => {
  fc.assert(
    fc.property(sentence, fc.integer({ min: 2, max: 60 }), (text, columns) => {
      const lines = wrapAll(text, columns);
      for (const line of lines) assert.ok(textWidth(line) <= columns, line);
      const words = text.normalize().split(' ');
      const whole = lines.flatMap((line) => line.split(' '));
      assert.equal(whole.join(''), words.join(''));
      for (const one of words.filter((word) => textWidth(word) <= columns)) assert.ok(whole.includes(one), one);
    }),
  );
});

test('on a terminal a word that fits in no line is broken after a punctuation mark', () => {
  const address = 'at k8s-ingress-d96bd5c7d.elb.us-east-1.amazonaws.com/path';
  assert.deepEqual(wrapAll(address, 30), ['at', 'k8s-ingress-d96bd5c7d.elb.us-', 'east-1.amazonaws.com/path']);
});

test('a table is never wider than asked, except for the longest words of its columns', () => {
  const rows = fc
    .integer({ min: 1, max: 4 })
    .chain((count) =>
      fc.array(fc.array(sentence, { minLength: count, maxLength: count }), { minLength: 1, maxLength: 4 }),
    );
  fc.assert(
    fc.property(rows, width, (cells, columns) => {
      const longest = (cells[0] ?? []).map((_, index) =>
        Math.max(...cells.flatMap((row) => row[index]?.split(' ') ?? []).map(textWidth)),
      );
      const least = longest.reduce((sum, one) => sum + one, 2 * (longest.length - 1));
      for (const line of table(cells, { columns }).split('\n'))
        assert.ok(textWidth(line) <= Math.max(columns, least), `${textWidth(line)} > ${columns}, ${least}: ${line}`);
    }),
  );
});

test('columns are aligned, with two spaces between and none at the end', () => {
  const lines = table([
    ['Scenario', 'Downtime', ''],
    ['Scale up', '0.0 s', 'n/a'],
    ['検査', '12.0 s', 'x'],
  ]).split('\n');
  assert.deepEqual(lines, ['Scenario  Downtime', 'Scale up  0.0 s     n/a', '検査      12.0 s    x']);
});

test('the widest column is narrowed', () => {
  const rows = [['1', 'not met', 'a long reason that has to be wrapped']];
  assert.equal(
    table(rows, { columns: 30 }),
    ['1  not met  a long reason that', '            has to be wrapped'].join('\n'),
  );
});

test('paint applies to the words only, after the columns have their widths', () => {
  const paint = (text: string) => `<${text}>`;
  assert.equal(
    table([
      [{ words: 'ok', paint }, 'x'],
      ['longer', 'y'],
    ]),
    '<ok>      x\nlonger  y',
  );
});
