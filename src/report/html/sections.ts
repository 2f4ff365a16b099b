import type { Finding } from '../../validation/finding.ts';
import { againstColumns, againstSentence, againstTables } from '../against.ts';
import { applicationColumns, applicationRows } from '../applications.ts';
import { assumptionRows, placeText } from '../assumptions.ts';
import {
  accuracy,
  episodeCells,
  episodeColumns,
  hitText,
  resultColumns,
  resultRows,
  runSentence,
  utc,
} from '../cells.ts';
import { adviceColumns, frontDoorAdvice, frontDoorTable } from '../front-doors.ts';
import { type Markup, markup } from '../markup.ts';
import { notRehearsedColumns, notRehearsedRows } from '../not-rehearsed.ts';
import type { ReportedRun } from '../reported-run.ts';
import { notUndone, troubles, verdictReasons, verdictWords } from '../verdict.ts';
import { badge, htmlTable, shortened, sign } from './words.ts';

type Result = ReportedRun['result'];

export function verdictSection(result: Result): Markup {
  return markup`<header class="${result.verdict}">
<h1>Zero-downtime validation</h1>
<p class="verdict ${result.verdict}">${sign(result.verdict)} ${verdictWords(result)}</p>
<ul class="reasons">${verdictReasons(result).map((reason) => markup`<li>${reason}</li>`)}</ul>
<p class="quiet">${runSentence(result)}</p>
</header>
`;
}

/** Comes first, because these actions still affect the cluster. */
export function notUndoneSection({ result }: ReportedRun): Markup | undefined {
  const left = notUndone(result);
  if (left.length === 0) return undefined;
  return markup`<section class="note error"><h2>Not undone</h2>
<ul>${left.map(({ action, target, because }) => markup`<li><b>${action} of ${target}</b><br/>${because}</li>\n`)}</ul>
<p><code>holdfast recover</code> undoes it; until then the cluster is not as it was before the run.</p></section>
`;
}

export function troubleSection({ result }: ReportedRun): Markup | undefined {
  const { rows, more } = shortened(troubles(result), 50);
  if (rows.length === 0) return undefined;
  return markup`<section><h2>Errors and warnings</h2>
${rows.map(note)}${more}</section>
`;
}

function note(finding: Finding): Markup {
  const { severity, subject, expected, observed, advice } = finding;
  const written = placeText(finding);
  const place = written === undefined ? undefined : markup`<dt>At</dt><dd><code>${written}</code></dd>`;
  const action = advice === '' ? undefined : markup`<dt>Advice</dt><dd>${advice}</dd>`;
  return markup`<div class="note ${severity}"><h3>${subject}: ${expected}</h3><dl class="rows"><dt>Observed</dt><dd>${observed}</dd>${action}${place}</dl></div>
`;
}

export function applicationSection(result: Result): Markup | undefined {
  const rows = applicationRows(result);
  if (rows.length === 0) return undefined;
  return markup`<section><h2>Applications</h2>
<p>Each was measured by itself. Results and scenarios below show the one that was hit most.</p>
${htmlTable('Applications', applicationColumns, rows)}</section>
`;
}

export function frontDoorSection(result: Result): Markup | undefined {
  const doors = frontDoorTable(result);
  if (doors === undefined) return undefined;
  const advice = frontDoorAdvice(result);
  return markup`<section><h2>Behind each front door</h2>
<p>The same application and the same seed: what visitors notice, and what to set.</p>
${htmlTable('Behind each front door', doors.columns, doors.rows)}${advice.length === 0 ? undefined : htmlTable('What to set', adviceColumns, advice)}</section>
`;
}

export function notRehearsedSection(result: Result): Markup | undefined {
  const rows = notRehearsedRows(result);
  if (rows.length === 0) return undefined;
  return markup`<section><h2>What is not rehearsed</h2>
${htmlTable('What is not rehearsed', notRehearsedColumns, rows)}</section>
`;
}

export function assumptionSection(result: Result): Markup | undefined {
  const rows = assumptionRows(result);
  if (rows.length === 0) return undefined;
  return markup`<section><h2>What the manifests do not say</h2>
${htmlTable('Assumptions', ['Assumed', 'Value', 'The verdict'], rows)}</section>
`;
}

export function againstSection(result: Result): Markup | undefined {
  const sentence = againstSentence(result);
  if (sentence === undefined) return undefined;
  const title = 'What this change does';
  const tables = againstTables(result).map(({ application, rows }) =>
    application === undefined
      ? htmlTable(title, againstColumns, rows)
      : markup`<h3>${application}</h3>${htmlTable(application, againstColumns, rows)}`,
  );
  return markup`<section><h2>${title}</h2><p>${sentence}.</p>
${tables}</section>
`;
}

export function resultSection(result: Result): Markup {
  return markup`<section><h2>Results</h2>
${htmlTable(
  'Results',
  resultColumns,
  resultRows(result).map(({ cells }) => cells),
)}<p class="quiet">${accuracy(result)}</p></section>
`;
}

export function criteriaSection({ criteria }: Result): Markup {
  return markup`<section><h2>Acceptance criteria</h2><ol class="criteria">
${criteria.map(
  ({ number, text, outcome, because }) =>
    markup`<li><span class="quiet">${number}</span><span>${badge(outcome)}</span><span class="because">${text}<br/><span class="quiet">${because}</span></span></li>
`,
)}</ol></section>
`;
}

export function outageSection({ episodes, scenarios }: Result): Markup {
  if (episodes.length === 0) return markup`<section><h2>Outages</h2><p>None.</p></section>\n`;
  const { rows, more } = shortened(episodes, 200);
  const titles = new Map(scenarios.map(({ name, title }) => [name, title]));
  const cells = rows.map((outage) => [
    ...episodeCells({ ...outage, from: utc(outage.from) }),
    hitText(outage, titles.get(outage.scenario ?? '') ?? outage.scenario),
  ]);
  return markup`<section><h2>Outages</h2>
${htmlTable('Outages', episodeColumns, cells)}${more}</section>
`;
}

export function replacementSection({ replacements }: Result): Markup | undefined {
  if (replacements.length === 0) return undefined;
  const { rows, more } = shortened(replacements, 100);
  const cells = rows.map(({ nodeClaim, node, cause, ours, at }) => [
    nodeClaim,
    node ?? '',
    cause,
    ours ? 'this run' : badge('error', 'surprise'),
    utc(at),
  ]);
  return markup`<section><h2>Removed nodes</h2>
${htmlTable('Removed nodes', ['NodeClaim', 'Node', 'Cause', 'Caused by', 'At'], cells)}${more}</section>
`;
}

export function undoSection({ undo }: Result): Markup | undefined {
  if (undo.length === 0) return undefined;
  const { rows, more } = shortened(undo, 100);
  const cells = rows.map(({ action, target, state }) => [
    action,
    target,
    state === 'failed' ? badge('error', 'failed') : state.replace('-', ' '),
  ]);
  return markup`<section><h2>Actions and their undo</h2>
${htmlTable('Actions and their undo', ['Action', 'Target', 'State'], cells)}${more}</section>
`;
}

export function findingSection({ findings }: Result): Markup | undefined {
  if (findings.length === 0) return undefined;
  const { rows, more } = shortened(findings, 100);
  const cells = rows.map(({ severity, subject, expected, observed }) => [
    subject,
    expected,
    observed,
    severity === 'info' ? badge('met') : badge(severity),
  ]);
  return markup`<section><h2>Pre-check and application</h2>
${htmlTable('Pre-check and application', ['Subject', 'Expected', 'Observed', ''], cells)}${more}</section>
`;
}
