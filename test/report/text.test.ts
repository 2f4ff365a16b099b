import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { paint } from '../../src/cli/command/text.ts';
import { reportText } from '../../src/report/text.ts';
import { textWidth } from '../../src/report/text-width.ts';
import { anyResult } from '../support/any-result.ts';
import { assertRecorded } from '../support/recorded.ts';
import { richResult } from '../support/rich-run.ts';

test('the text has the specification’s table, the six criteria, errors and warnings with advice, what was not undone, the verdict', () => {
  assertRecorded(new URL('fixtures/report.txt', import.meta.url), reportText(richResult));
});

test('the table has the specification’s columns and rows, in its order', () => {
  const lines = reportText(richResult).split('\n');
  const heading = lines.findIndex((line) => line.startsWith('Scenario'));
  assert.match(lines[heading] ?? '', /^Scenario +Downtime +Node Replacement Time +Pod Ready Time$/);
  assert.deepEqual(
    lines.slice(heading + 2, heading + 8).map((line) => line.split('  ')[0]),
    ['Scale up', 'Scale down', 'Pod kill', 'Node drain', 'Instance kill', 'Drift replace'],
  );
});

test('no line is wider than the screen, unless one word is', () => {
  fc.assert(
    fc.property(anyResult, fc.integer({ min: 75, max: 120 }), (result, columns) => {
      for (const line of reportText(result, { columns }).split('\n')) {
        const longest = Math.max(...line.split(' ').map(textWidth));
        assert.ok(textWidth(line) <= Math.max(columns, longest + 12), line);
      }
    }),
    { numRuns: 50 },
  );
});

test('no text from the cluster controls the terminal', () => {
  fc.assert(
    fc.property(anyResult, (result) => {
      assert.doesNotMatch(reportText(result).replaceAll('\n', ''), /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u);
    }),
    { numRuns: 50 },
  );
});

test('colours change no word and no position', () => {
  const coloured = reportText(richResult, { paint: paint(true) });
  assert.notEqual(coloured, reportText(richResult));
  assert.equal(stripVTControlCharacters(coloured), reportText(richResult));
});

test('only the first twenty errors and warnings are shown', () => {
  const [trouble] = richResult.findings.filter(({ severity }) => severity === 'warning');
  assert.ok(trouble);
  const text = reportText({ ...richResult, findings: Array.from({ length: 500 }, () => trouble) });
  assert.match(text, /And 482 more\./);
  assert.equal(text.match(/expireAfter/g)?.length, 19);
});
