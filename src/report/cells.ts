import { partialText, shareText } from '../validation/downtime/downtime.ts';
import { wasTested } from '../validation/judge/result-table.ts';
import type { Criterion, ResultRow, RunResult, ScenarioResult } from '../validation/judge/run-result.ts';
import { type Bounded, boundedSeconds } from '../validation/measure/witnesses.ts';
import type { WindowDowntime } from '../validation/window-downtime.ts';
import { seenTexts, vantageSentences } from './vantage-texts.ts';

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
export function downtimeCell(downtime: Bounded & Slow): string {
  return `${boundedSeconds(downtime)}${slowPart(downtime)}`;
}

const slowPart = ({ slowSeconds }: Slow): string => (slowSeconds === 0 ? '' : ` (slow ${seconds(slowSeconds)})`);
type Slow = Pick<WindowDowntime, 'slowSeconds'>;

type Seconds = Slow & Pick<WindowDowntime, 'seconds'>;

/** `3.2 s (slow 1.1 s)`. */
export const withSlow = (downtime: Seconds): string => `${seconds(downtime.seconds)}${slowPart(downtime)}`;

/** `3.2 s of downtime (slow 1.1 s)`. */
export const downtimeText = (downtime: Seconds): string =>
  `${seconds(downtime.seconds)} of downtime${slowPart(downtime)}`;

export const scenarioColumns = ['Scenario', 'Verdict', 'Downtime', 'Bounds', 'Samples'] as const;

export function scenarioCells({ title, verdict, window, downtime }: ScenarioResult): readonly string[] {
  if (downtime === null) return [title, inWords(verdict), window === null ? '' : notMeasured, '', ''];
  const samples = `${downtime.samples}, ${downtime.bad} bad, ${downtime.unknown} unknown`;
  const range = downtime.upperSeconds === 0 ? '' : `${bounds(downtime)}${partialText(downtime)}`;
  return [title, inWords(verdict), withSlow(downtime), range, samples];
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
  // Of several probers the share is not known.
  const part = share === undefined ? 'a part' : shareText({ share, shareLower, shareUpper });
  const requests = [
    ...(rest.outages === 1 ? ['all'] : [part, `${seconds(badSeconds)} in all`]),
    ...(slowSeconds === 0 ? [] : [`slow ${seconds(slowSeconds)}`]),
  ].join(', ');
  return [from, seconds(spanSeconds), bounds(rest), [requests, ...seenTexts(rest)].join('; '), rest.kinds.join(', ')];
}

/** Shown for the downtime of a window without a sample, which is not the same as 0 s. */
export const notMeasured = 'not measured';

/** One decimal, because one probe a second is no more precise; what is not zero is not told as zero. */
export const seconds = (value: number): string => (value > 0 && value < 0.05 ? '< 0.1 s' : `${value.toFixed(1)} s`);

export const bounds = (downtime: { readonly lowerSeconds: number; readonly upperSeconds: number }): string =>
  `${downtime.lowerSeconds.toFixed(1)} s to ${seconds(downtime.upperSeconds)}`;

/** Who measured the figures, and how precise they are (docs/facts/measuring.md, "What an interval cannot see" and "The columns of the result table"). */
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

const orNone = (value: Bounded | null): string => (value === null ? 'n/a' : boundedSeconds(value));
