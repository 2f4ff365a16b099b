import { partialText, shareText } from '../validation/downtime/downtime.ts';
import { wasTested } from '../validation/judge/result-table.ts';
import type { Criterion, ResultRow, RunResult, ScenarioResult } from '../validation/judge/run-result.ts';
import { type Bounded, boundedSeconds } from '../validation/measure/witnesses.ts';

/** The specification's columns (4.1, 5). */
export const resultColumns = ['Scenario', 'Downtime', 'Node Replacement Time', 'Pod Ready Time'] as const;

/** The result table for people: `not tested`, `not measured`, or `n/a` where a value does not apply. */
export const resultRows = ({ resultTable, scenarios }: RunResult): readonly (readonly string[])[] =>
  resultTable.map((row) => (wasTested(row, scenarios) ? resultCells(row) : [row.scenario, 'not tested', '', '']));

function resultCells({ scenario, downtime, nodeReplacement, podReady }: ResultRow) {
  return [
    scenario,
    downtime === null ? notMeasured : downtimeCell(downtime),
    orNone(nodeReplacement),
    orNone(podReady),
  ];
}

/** A slow answer is not a failed one, so its part is told. */
export function downtimeCell(downtime: Bounded & { readonly slowSeconds: number }): string {
  const { slowSeconds } = downtime;
  return `${boundedSeconds(downtime)}${slowSeconds === 0 ? '' : ` (slow ${seconds(slowSeconds)})`}`;
}

export const scenarioColumns = ['Scenario', 'Verdict', 'Downtime', 'Bounds', 'Samples'] as const;

export function scenarioCells({ title, verdict, window, downtime }: ScenarioResult): readonly string[] {
  if (downtime === null) return [title, inWords(verdict), window === null ? '' : notMeasured, '', ''];
  const samples = `${downtime.samples}, ${downtime.bad} bad, ${downtime.unknown} unknown`;
  const range = downtime.upperSeconds === 0 ? '' : `${bounds(downtime)}${partialText(downtime)}`;
  return [title, inWords(verdict), seconds(downtime.seconds), range, samples];
}

/** The outcome for people: `not met` for `not-met`. */
export const inWords = (outcome: Criterion['outcome'] | ScenarioResult['verdict']): string => outcome.replace('-', ' ');

export const episodeColumns = ['From', 'Downtime', 'Bounds', 'Requests', 'Kinds', 'Scenario'] as const;

/** In which scenario an outage was, and of which application where there are several. */
export function hitText(
  { scenario, application }: Pick<RunResult['episodes'][number], 'scenario' | 'application'>,
  title: string | null = scenario,
): string {
  const where = title ?? 'outside every scenario';
  return application === undefined ? where : `${application}: ${where}`;
}

/** An outage of a part of the requests is one: its span, the share of the requests, and what the bad ones come to. */
export function episodeCells({
  from,
  spanSeconds,
  slowSeconds,
  share,
  shareLower = 0,
  shareUpper = 1,
  badSeconds,
  ...rest
}: RunResult['episodes'][number]): readonly string[] {
  const part =
    share === undefined ? 'all' : `${shareText({ share, shareLower, shareUpper })}, ${seconds(badSeconds)} in all`;
  const slow = slowSeconds === 0 ? '' : `, slow ${seconds(slowSeconds)}`;
  return [from, seconds(spanSeconds), bounds(rest), `${part}${slow}`, rest.kinds.join(', ')];
}

/** Shown for the downtime of a window without a sample, which is not the same as 0 s. */
export const notMeasured = 'not measured';

/** One decimal, because one probe a second is no more precise. */
export const seconds = (value: number): string => `${value.toFixed(1)} s`;

export const bounds = (downtime: { readonly lowerSeconds: number; readonly upperSeconds: number }): string =>
  `${seconds(downtime.lowerSeconds)} to ${seconds(downtime.upperSeconds)}`;

/** How precise the figures are (docs/facts/measuring.md, "What an interval cannot see" and "The columns of the result table"). */
export const accuracy =
  'Times that are not known to a tenth have their bounds. An outage shorter than the probe’s interval can be missed: one half as long is missed half of the time.';

/** `2026-11-20 10:00:00Z`: UTC, for people. */
export const utc = (instant: string): string => `${instant.slice(0, 19).replace('T', ' ')}Z`;

export function runSentence({ run, tool }: RunResult): string {
  const end =
    run.finishedAt === null ? 'and without an end yet: it still runs, or was killed' : `to ${utc(run.finishedAt)}`;
  return `${run.id} on ${run.cluster}, ${utc(run.startedAt)} ${end}, ${tool.name} ${tool.version}`;
}

const orNone = (value: Bounded | null): string => (value === null ? 'n/a' : boundedSeconds(value));
