import type { RunResult } from '../validation/run-result.ts';
import { resultCells, resultColumns, scenarioCells, scenarioColumns, verdictSentence } from './cells.ts';

/** `report.md`: one page for a ticket. */
export function reportMarkdown(result: RunResult): string {
  const { run, tool } = result;
  const findings = [...result.scenarios.flatMap((scenario) => scenario.findings), ...result.findings];
  return `${[
    `# Zero-downtime validation: ${verdictSentence(result)}`,
    `Run \`${run.id}\` on ${run.cluster}, ${run.startedAt} to ${run.finishedAt ?? 'no end: it was killed'}, ${tool.name} ${tool.version}.`,
    markdownTable(resultColumns, result.resultTable.map(resultCells)),
    'Times made of the API’s timestamps are ± 1 s. A probe a second sees every outage of 1 s or more, and a shorter one with a chance of its length.',
    '## Acceptance criteria',
    markdownTable(
      ['', 'Criterion', 'Outcome', 'Because'],
      result.criteria.map(({ number, text, outcome, because }) => [String(number), text, outcome, because]),
    ),
    '## Scenarios',
    markdownTable(scenarioColumns, result.scenarios.map(scenarioCells)),
    '## Outages',
    result.outages.length === 0
      ? 'None.'
      : markdownTable(
          ['From', 'To', 'Seconds', 'Lower', 'Upper', 'Kinds', 'Scenario'],
          result.outages.map(({ from, to, seconds, lowerSeconds, upperSeconds, kinds, scenario }) =>
            [from, to ?? '', seconds, lowerSeconds, upperSeconds, kinds.join(', '), scenario ?? ''].map(String),
          ),
        ),
    '## Findings',
    markdownTable(
      ['Severity', 'Subject', 'Expected', 'Observed', 'Advice'],
      findings.map(({ severity, subject, expected, observed, advice }) => [
        severity,
        subject,
        expected,
        observed,
        advice,
      ]),
    ),
    '## What was done, and put back',
    markdownTable(
      ['Action', 'Target', 'State'],
      result.undo.map(({ action, target, state }) => [action, target, state]),
    ),
  ].join('\n\n')}\n`;
}

function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(columns), `|${columns.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}
