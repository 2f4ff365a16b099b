import { type Bounded, boundedText, downtimeCell, shareText } from '../figures/figures.js';
import { wasTested } from '../validation/judge/result-table.ts';
import type { Criterion, ResultRow, RunResult, ScenarioResult } from '../validation/judge/run-result.ts';
import { seenTexts, vantageSentences } from './vantage-texts.ts';

/** The specification's columns (4.1, 5). */
export const resultColumns = ['Scenario', 'Downtime', 'Node Replacement Time', 'Pod Ready Time'] as const;

/** The result table for people: `not tested`, `not measured`, or `n/a` where a value does not apply. */
export const resultRows = ({ resultTable, scenarios }: RunResult): readonly ResultCells[] =>
  resultTable.map((row) => {
    const isTested = wasTested(row, scenarios);
    return { cells: isTested ? resultCells(row) : [row.scenario, 'not tested', '', ''], isTested };
  });

export interface ResultCells {
  readonly cells: readonly string[];
  readonly isTested: boolean;
}

function resultCells({ scenario, downtime, nodeReplacement, podReady }: ResultRow) {
  return [
    scenario,
    downtime === null ? notMeasured : downtimeCell(downtime),
    orNone(nodeReplacement),
    orNone(podReady),
  ];
}

export const scenarioColumns = ['Scenario', 'Verdict', 'Downtime', 'Samples'] as const;

export function scenarioCells({ title, verdict, window, downtime }: ScenarioResult): readonly string[] {
  if (downtime === null) return [title, inWords(verdict), window === null ? '' : notMeasured, ''];
  const samples = `${downtime.samples}, ${downtime.bad} bad, ${downtime.unknown} unknown`;
  return [title, inWords(verdict), downtimeCell(downtime), samples];
}

/** The outcome for people: `not met` for `not-met`. */
export const inWords = (outcome: Criterion['outcome'] | ScenarioResult['verdict']): string => outcome.replace('-', ' ');

export const episodeColumns = ['From', 'Downtime', 'Requests', 'Kinds', 'Scenario'] as const;

/** In which scenario an outage was, and of which application where there are several. */
export function hitText(
  { scenario, application }: Pick<RunResult['episodes'][number], 'scenario' | 'application'>,
  title: string | null = scenario,
): string {
  const where = title ?? 'outside every scenario';
  return application === undefined ? where : `${application}: ${where}`;
}

/** An outage of a part of the requests is one, with the share of them that failed. */
export function episodeCells({
  from,
  span,
  outages,
  share,
  shareLower = 0,
  shareUpper = 1,
  kinds,
  ...rest
}: RunResult['episodes'][number]): readonly string[] {
  // With several probers the share is unknown.
  const part = share === undefined ? 'a part' : shareText({ part: share, lower: shareLower, upper: shareUpper });
  const requests = outages === 1 ? 'all' : part;
  return [from, boundedText(span), [requests, ...seenTexts(rest)].join('; '), kinds.join(', ')];
}

/** Shown for the downtime of a window without a sample, which is not the same as 0 s. */
export const notMeasured = 'not measured';

/**
 * Who measured the figures, and how precise they are (docs/facts/measuring.md, "What an interval cannot see" and "The
 * columns of the result table").
 */
export const accuracy = (result: Pick<RunResult, 'vantages' | 'rule'>): string =>
  [...vantageSentences(result), precision].join(' ');

const precision =
  'Times that are not known to a tenth have their bounds. An outage shorter than the probe’s interval can be missed: one half as long is missed half of the time.';

/** `2026-11-20 10:00:00Z`: UTC, for people. */
export const utc = (instant: string): string => `${instant.slice(0, 19).replace('T', ' ')}Z`;

export function runSentence({ run, tool }: RunResult): string {
  const end =
    run.finishedAt === null ? 'and without an end yet: it still runs, or was killed' : `to ${utc(run.finishedAt)}`;
  return `${run.id} on ${run.cluster}, ${utc(run.startedAt)} ${end}, ${tool.name} ${tool.version}`;
}

const orNone = (value: Bounded | null): string => (value === null ? 'n/a' : boundedText(value));
