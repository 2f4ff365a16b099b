import { wasTested } from '../validation/judge/result-table.ts';
import type { Criterion, ResultRow, RunResult, ScenarioResult } from '../validation/judge/run-result.ts';

/** The specification's columns (4.1, 5). */
export const resultColumns = ['Scenario', 'Downtime', 'Node Replacement Time', 'Pod Ready Time'] as const;

/** The result table in words: what was not tested says so, and what nobody saw; what does not apply is `n/a`. */
export const resultRows = ({ resultTable, scenarios }: RunResult): readonly (readonly string[])[] =>
  resultTable.map((row) => (wasTested(row, scenarios) ? resultCells(row) : [row.scenario, 'not tested', '', '']));

function resultCells({ scenario, downtimeSeconds, nodeReplacementSeconds, podReadySeconds }: ResultRow) {
  const downtime = downtimeSeconds === null ? notMeasured : seconds(downtimeSeconds);
  return [scenario, downtime, orNone(nodeReplacementSeconds), orNone(podReadySeconds)];
}

export const scenarioColumns = ['Scenario', 'Verdict', 'Downtime', 'Bounds', 'Samples'] as const;

export function scenarioCells({ title, verdict, window, downtime }: ScenarioResult): readonly string[] {
  if (downtime === null) return [title, inWords(verdict), window === null ? '' : notMeasured, '', ''];
  const samples = `${downtime.samples}, ${downtime.bad} bad, ${downtime.unknown} unknown`;
  return [title, inWords(verdict), seconds(downtime.seconds), downtime.bad === 0 ? '' : bounds(downtime), samples];
}

/** `not-met` is a word of the file, `not met` one for people. */
export const inWords = (outcome: Criterion['outcome'] | ScenarioResult['verdict']): string => outcome.replace('-', ' ');

/** Without a sample there is no figure, and a zero would be one. */
export const notMeasured = 'not measured';

/** One decimal is what a probe a second can tell. */
export const seconds = (value: number): string => `${value.toFixed(1)} s`;

export const bounds = (downtime: { readonly lowerSeconds: number; readonly upperSeconds: number }): string =>
  `${seconds(downtime.lowerSeconds)} to ${seconds(downtime.upperSeconds)}`;

/** What the figures are worth (docs/facts/measuring.md, "Outages and their bounds" and "The columns of the result table"). */
export const accuracy =
  'Times made of the API’s timestamps are ± 1 s. An outage shorter than the probe’s interval can be missed: one of half its length is, half the time.';

/** `2026-11-20 10:00:00Z`: UTC, for people. */
export const utc = (instant: string): string => `${instant.slice(0, 19).replace('T', ' ')}Z`;

export function runSentence({ run, tool }: RunResult): string {
  const end = run.finishedAt === null ? 'with no end: it was killed' : `to ${utc(run.finishedAt)}`;
  return `${run.id} on ${run.cluster}, ${utc(run.startedAt)} ${end}, ${tool.name} ${tool.version}`;
}

const orNone = (value: number | null): string => (value === null ? 'n/a' : seconds(value));
