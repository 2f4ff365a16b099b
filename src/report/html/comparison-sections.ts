import { type Bounded, secondsText } from '../../figures/figures.js';
import type { Finding } from '../../validation/finding.ts';
import type { Change } from '../../validation/judge/run-result.ts';
import type { ComparedScenario, Comparison } from '../comparison.ts';
import {
  comparedRunSentence,
  comparisonColumns,
  comparisonRows,
  comparisonSentence,
  criterionSentences,
  oneRunEach,
} from '../comparison-rows.ts';
import { type Markup, markup } from '../markup.ts';
import { badge, htmlTable } from './words.ts';

/** Two validations side by side, as the body of a page. */
export function comparisonSections(compared: Comparison): Markup {
  const { change, before, after, differences } = compared;
  const rows = comparisonRows(compared).map((row) => [...row.cells, changeBadge(row.change)]);
  return markup`<header class="${looks[change]}">
<h1>Two validations side by side</h1>
<p class="verdict ${looks[change]}">${words[change]}</p>
<p>${comparisonSentence(compared)}.</p>
<dl class="rows"><dt>Before</dt><dd>${comparedRunSentence(before)}</dd><dt>After</dt><dd>${comparedRunSentence(after)}</dd></dl>
</header>
${differences.length === 0 ? undefined : markup`<div class="note warning"><h2>The two runs were not asked the same</h2><ul>${differences.map((one) => markup`<li>${one}</li>`)}</ul></div>`}
<section><h2>Scenarios</h2>
${htmlTable('Scenarios of both runs', comparisonColumns, rows)}</section>
${downtimeSection(compared)}${listSection('Criteria', criterionSentences(compared))}${findingsSection('New errors and warnings', compared.findings.new)}${findingsSection('Errors and warnings that are gone', compared.findings.gone)}<footer class="quiet"><p>${oneRunEach}</p></footer>
`;
}

const words: Readonly<Record<Change, string>> = { better: '✓ BETTER', worse: '✗ WORSE', same: '= SAME' };
const looks: Readonly<Record<Change, string>> = { better: 'pass', worse: 'fail', same: '' };
const changeBadge = (change: Change): Markup =>
  change === 'same' ? markup`= same` : badge(change === 'better' ? 'pass' : 'fail', change);

/** The bounds of each downtime of both runs on one scale. */
function downtimeSection({ scenarios }: Comparison): Markup | undefined {
  const rows = scenarios.flatMap((scenario) => downtimesOf(scenario));
  const most = Math.max(0, ...rows.flatMap(({ before, after }) => [before.upperSeconds, after.upperSeconds]));
  if (most === 0) return undefined;
  const height = rows.length * rowHeight;
  return markup`<section><h2>Downtime and its bounds</h2>
<figure><svg class="picture" role="img" aria-label="The downtime of each scenario in both runs; the table has its numbers" width="100%" height="${height + 20}">
${rows.map(({ title, before, after }, index) => {
  const y = index * rowHeight;
  return markup`<text x="0" y="${y + 14}">${title}</text>${bar('before', before, most, y + 24)}${bar('after', after, most, y + 34)}`;
})}<text x="0" y="${height + 14}">0 s</text><text class="end" x="100%" y="${height + 14}">${secondsText(most)}</text></svg>
<figcaption>For each scenario, before above and after below. The thick line is what surely was downtime, the thin one what may have been.</figcaption></figure></section>
`;
}

const rowHeight = 44;

function downtimesOf({ title, figures }: ComparedScenario) {
  return figures.flatMap(({ name, before, after }) =>
    name === 'downtime' && before?.span && after?.span && before.span.upperSeconds + after.span.upperSeconds > 0
      ? [{ title, before: before.span, after: after.span }]
      : [],
  );
}

function bar(side: string, { lowerSeconds, upperSeconds }: Bounded, most: number, y: number): Markup {
  const across = (seconds: number): string => `${Number(((seconds / most) * 100).toFixed(2))}%`;
  return markup`<g class="bounds ${side}"><line class="upper" x1="0" x2="${across(upperSeconds)}" y1="${y}" y2="${y}"/><line class="lower" x1="0" x2="${across(lowerSeconds)}" y1="${y}" y2="${y}"/></g>`;
}

function listSection(title: string, sentences: readonly string[]): Markup | undefined {
  if (sentences.length === 0) return undefined;
  return markup`<section><h2>${title}</h2><ul>${sentences.map((one) => markup`<li>${one}.</li>`)}</ul></section>
`;
}

const findingsSection = (title: string, findings: readonly Finding[]): Markup | undefined =>
  listSection(
    title,
    findings.map(({ subject, observed }) => `${subject}: ${observed}`),
  );
