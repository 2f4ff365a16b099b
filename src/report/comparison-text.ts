import type { Finding } from '../validation/finding.ts';
import type { Change } from '../validation/judge/run-result.ts';
import type { Comparison } from './comparison.ts';
import {
  comparedRunSentence,
  comparisonColumns,
  comparisonRows,
  comparisonSentence,
  criterionSentences,
  oneRunEach,
} from './comparison-rows.ts';
import { printable } from './printable.ts';
import { plainScreen, type Screen } from './screen.ts';
import { rule, table } from './table.ts';
import { wrap, wrapAll } from './wrap.ts';

/**
 * Two validations side by side, for a terminal: what the whole comes to, then scenario by scenario, then what is new
 * and what is gone.
 */
export function comparisonText(compared: Comparison, given: Partial<Screen> = {}): string {
  const screen = { ...plainScreen, ...given };
  const { paint } = screen;
  const text = (words: string): string =>
    (screen.isBroken ? wrapAll : wrap)(printable(words), screen.columns).join('\n');
  const paints: Readonly<Record<Change, (words: string) => string>> = {
    better: paint.good,
    worse: paint.bad,
    same: paint.faint,
  };
  const rows = comparisonRows(compared).map(({ cells, change }) => [
    ...cells.map(printable),
    { words: change, paint: paints[change] },
  ]);
  const parts = [
    paint.strong(text(`${compared.change.toUpperCase()}: ${comparisonSentence(compared)}.`)),
    [
      text(`Before: ${comparedRunSentence(compared.before)}`),
      text(`After: ${comparedRunSentence(compared.after)}`),
    ].join('\n'),
    table([comparisonColumns.map((words) => ({ words, paint: paint.strong })), rule, ...rows], screen),
    ...criterionSentences(compared).map((one) => text(`${one}.`)),
    ...findingsText('New', compared.findings.new, text),
    ...findingsText('Gone', compared.findings.gone, text),
    ...(compared.differences.length === 0 ? [] : [text(`Not the same: ${compared.differences.join('; ')}.`)]),
    paint.faint(text(oneRunEach)),
  ];
  return `${parts.join('\n\n')}\n`;
}

function findingsText(word: string, findings: readonly Finding[], text: (words: string) => string): readonly string[] {
  if (findings.length === 0) return [];
  const shown = findings
    .slice(0, mostFindings)
    .map(({ subject, observed }) => text(`${word}: ${subject}: ${observed}`));
  const more = findings.length - mostFindings;
  return [[...shown, ...(more > 0 ? [`And ${more} more.`] : [])].join('\n')];
}

/** More do not fit on a screen; `--json` has all. */
const mostFindings = 10;
