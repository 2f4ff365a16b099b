import type { ResultRow } from '../validation/result-table.ts';
import type { Criterion, RunResult, ScenarioResult } from '../validation/run-result.ts';

/** The specification's columns (4.1, 5). */
export const resultColumns = ['Scenario', 'Downtime', 'Node Replacement Time', 'Pod Ready Time'] as const;

/** One row of the result table in words: what was not tested says so, what does not apply is `n/a`. */
export function resultCells(row: ResultRow): readonly string[] {
  if (row.downtimeSeconds === null) return [row.scenario, 'not tested', '', ''];
  return [row.scenario, seconds(row.downtimeSeconds), orNone(row.nodeReplacementSeconds), orNone(row.podReadySeconds)];
}

export const criterionCells = ({ number, outcome, text }: Criterion): readonly string[] => [
  String(number),
  outcome.replace('-', ' '),
  text,
];

export const scenarioColumns = ['Scenario', 'Verdict', 'Downtime', 'Bounds', 'Samples'] as const;

export function scenarioCells({ title, verdict, downtime }: ScenarioResult): readonly string[] {
  if (downtime === null) return [title, verdict.replace('-', ' '), '', '', ''];
  const bounds = `${seconds(downtime.lowerSeconds)} to ${seconds(downtime.upperSeconds)}`;
  const samples = `${downtime.samples}, ${downtime.bad} bad, ${downtime.unknown} unknown`;
  return [title, verdict, seconds(downtime.seconds), downtime.bad === 0 ? '' : bounds, samples];
}

/** Why the verdict is what it is, one sentence. */
export function verdictSentence({ verdict, partial, scenarios, criteria }: RunResult): string {
  const untested = scenarios.filter((scenario) => scenario.verdict === 'not-tested').map(({ name }) => name);
  const notMet = criteria.filter(({ outcome }) => outcome === 'not-met').map(({ number }) => number);
  const failed = scenarios.filter((scenario) => scenario.verdict === 'fail').map(({ name }) => name);
  const reasons = [
    ...(notMet.length > 0 ? [`criterion ${notMet.join(', ')} not met`] : []),
    ...(failed.length > 0 ? [`not as expected: ${failed.join(', ')}`] : []),
    ...(untested.length > 0 && !partial ? [`not tested: ${untested.join(', ')}`] : []),
  ];
  const word = partial ? `${verdict} (partial)` : verdict;
  return reasons.length === 0 ? word : `${word}: ${reasons.join('; ')}`;
}

/** One decimal is what a probe a second can tell. */
export const seconds = (value: number): string => `${value.toFixed(1)} s`;
const orNone = (value: number | null): string => (value === null ? 'n/a' : seconds(value));
