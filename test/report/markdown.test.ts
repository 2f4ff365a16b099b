import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { reportMarkdown } from '../../src/report/markdown.ts';
import { anyResult } from '../support/any-result.ts';
import { assertRecorded } from '../support/recorded.ts';
import { richResult } from '../support/rich-run.ts';

test('the page has the verdict, errors and warnings, results, criteria, scenarios, outages, surprise replacements', () => {
  assertRecorded(new URL('fixtures/report.md', import.meta.url), reportMarkdown(richResult));
});

const cells = (line: string): number => line.replaceAll(/\\./g, '').split('|').length;

test('no text leaves its cell, starts a block or becomes markup', () => {
  fc.assert(
    fc.property(anyResult, (result) => {
      const lines = reportMarkdown(result).split('\n');
      lines.forEach((line, index) => {
        assert.match(line, /^(\||#{1,2} [A-Z]|- |Run |Times |The cluster |And \d|None\.$|$)/);
        if (line.startsWith('|') && lines[index - 1]?.startsWith('|'))
          assert.equal(cells(line), cells(lines[index - 1] ?? ''));
        assert.doesNotMatch(
          line.replaceAll(/\\./g, '').replaceAll(/`(holdfast recover|report\.json)`/g, ''),
          /[<>`[\]*]/,
        );
      });
    }),
    { numRuns: 50 },
  );
});

test('a thousand outages are cut to one page', () => {
  const [outage] = richResult.episodes;
  assert.ok(outage);
  const page = reportMarkdown({ ...richResult, episodes: Array.from({ length: 1000 }, () => outage) });
  assert.match(page, /And 980 more in `report\.json`\./);
  assert.ok(page.split('\n').length < 110);
});
