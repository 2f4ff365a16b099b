import type { RunResult } from '../validation/judge/run-result.ts';
import { againstColumns, againstSentence, againstTables } from './against.ts';
import { applicationColumns, applicationRows } from './applications.ts';
import { assumptionRows, placeText } from './assumptions.ts';
import {
  accuracy,
  episodeCells,
  episodeColumns,
  hitText,
  inWords,
  resultColumns,
  resultRows,
  runSentence,
  scenarioCells,
  scenarioColumns,
} from './cells.ts';
import { adviceColumns, frontDoorAdvice, frontDoorTable } from './front-doors.ts';
import { notRehearsedColumns, notRehearsedRows } from './not-rehearsed.ts';
import { printable } from './printable.ts';
import { notUndone, troubles, verdictReasons, verdictWords } from './verdict.ts';

/** `report.md`: one page for a ticket. Long lists are cut; `report.json` has all of them. */
export function reportMarkdown(result: RunResult): string {
  return `${[
    `# Zero-downtime validation: ${escaped(verdictWords(result))}`,
    verdictReasons(result)
      .map((reason) => `- ${escaped(reason)}`)
      .join('\n'),
    `Run ${sentence(runSentence(result))}`,
    ...notUndoneSection(result),
    ...againstSection(result),
    ...troubleSection(result),
    ...frontDoorSection(result),
    ...notRehearsedSection(result),
    ...assumptionSection(result),
    '## Results',
    markdownTable(
      resultColumns,
      resultRows(result).map(({ cells }) => cells),
    ),
    escaped(accuracy(result)),
    ...applicationSection(result),
    '## Acceptance criteria',
    markdownTable(
      ['', 'Criterion', 'Outcome', 'Because'],
      result.criteria.map(({ number, text, outcome, because }) => [String(number), text, inWords(outcome), because]),
    ),
    '## Scenarios',
    markdownTable(scenarioColumns, result.scenarios.map(scenarioCells)),
    ...outageSection(result),
    ...surpriseSection(result),
  ].join('\n\n')}\n`;
}

/** GFM reads these characters as markup anywhere; others only at the start of a line, where no cell is. */
const escaped = (text: string): string => printable(text).replaceAll(/[\\`*_[\]<>|~&]/g, '\\$&');
const sentence = (text: string): string => `${escaped(text)}.`;

/** More rows than this do not fit on one page. */
const mostRows = 20;

function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |`;
  const shown = [line(columns), `|${columns.map(() => '---|').join('')}`, ...rows.slice(0, mostRows).map(line)];
  const more = rows.length > mostRows ? `\n\nAnd ${rows.length - mostRows} more in \`report.json\`.` : '';
  return `${shown.join('\n')}${more}`;
}

function notUndoneSection(result: RunResult): readonly string[] {
  const left = notUndone(result);
  if (left.length === 0) return [];
  return [
    '## Not undone',
    'The cluster is not as it was before the run; `holdfast recover` undoes it.',
    markdownTable(
      ['Action', 'Target', 'Because'],
      left.map(({ action, target, because }) => [action, target, because]),
    ),
  ];
}

function againstSection(result: RunResult): readonly string[] {
  const said = againstSentence(result);
  if (said === undefined) return [];
  const tables = againstTables(result).flatMap(({ application, rows }) => [
    ...(application === undefined ? [] : [`### ${escaped(application)}`]),
    markdownTable(againstColumns, rows),
  ]);
  return ['## What this change does', sentence(said), ...tables];
}

function applicationSection(result: RunResult): readonly string[] {
  const rows = applicationRows(result);
  return rows.length === 0 ? [] : ['## Applications', markdownTable(applicationColumns, rows)];
}

function frontDoorSection(result: RunResult): readonly string[] {
  const doors = frontDoorTable(result);
  if (doors === undefined) return [];
  const advice = frontDoorAdvice(result);
  return [
    '## Behind each front door',
    markdownTable(doors.columns, doors.rows),
    ...(advice.length === 0 ? [] : [markdownTable(adviceColumns, advice)]),
  ];
}

function notRehearsedSection(result: RunResult): readonly string[] {
  const rows = notRehearsedRows(result);
  return rows.length === 0 ? [] : ['## What is not rehearsed', markdownTable(notRehearsedColumns, rows)];
}

function assumptionSection(result: RunResult): readonly string[] {
  const rows = assumptionRows(result);
  if (rows.length === 0) return [];
  return ['## What the manifests do not say', markdownTable(['Assumed', 'Value', 'The verdict'], rows)];
}

function troubleSection(result: RunResult): readonly string[] {
  const found = troubles(result);
  if (found.length === 0) return [];
  const places = result.applications === undefined ? [] : ['At'];
  const rows = found.map((finding) => {
    const { severity, subject, expected, observed, advice } = finding;
    return [severity, subject, expected, observed, advice, ...places.map(() => placeText(finding) ?? '')];
  });
  return ['## Errors and warnings', markdownTable(['', 'Subject', 'Expected', 'Observed', 'Advice', ...places], rows)];
}

function outageSection({ episodes }: RunResult): readonly string[] {
  if (episodes.length === 0) return ['## Outages', 'None.'];
  const rows = episodes.map((one) => [...episodeCells(one), hitText(one)]);
  return ['## Outages', markdownTable(episodeColumns, rows)];
}

function surpriseSection({ replacements }: RunResult): readonly string[] {
  const surprises = replacements.filter(({ ours }) => !ours);
  if (surprises.length === 0) return [];
  return [
    '## Surprise replacements',
    markdownTable(
      ['NodeClaim', 'Node', 'Cause', 'At'],
      surprises.map(({ nodeClaim, node, cause, at }) => [nodeClaim, node ?? '', cause, at]),
    ),
  ];
}
