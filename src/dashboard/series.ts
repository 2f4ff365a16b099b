import { resultColumns, resultRows } from '../report/cells.ts';
import { type Lifeline, lifelines } from '../report/lifelines.ts';
import type { Span, Strip } from '../report/strip.ts';
import { trafficIn } from '../report/traffic.ts';
import { verdictReasons, verdictWords } from '../report/verdict.ts';
import type { Outage } from '../validation/downtime/downtime.ts';
import { type DowntimeLog, downtimeWithin } from '../validation/downtime/read-downtime-log.ts';
import type { RunResult } from '../validation/judge/run-result.ts';
import { ofType, runStarted } from '../validation/record/records.ts';
import { type Deed, deeds } from './deeds.ts';
import type { Evidence } from './evidence.ts';
import { type JudgedMoment, type Judgement, judgedMoment } from './judgements.ts';
import { type Phase, phases } from './phases.ts';
import { type DowntimeMoment, runningDowntime } from './running-downtime.ts';
import { type ScenarioLine, scenarioLines } from './scenario-lines.ts';
import { thinned } from './thinned.ts';

/**
 * A run as a page can play it: everything with its time, so that the page has only to look up what was so at a moment and judges
 * nothing. Instants are epoch milliseconds; what is not known yet is null.
 */
export interface Series extends Span {
  readonly run: {
    readonly id: string;
    readonly kind: 'rehearsal' | 'cluster';
    readonly cluster: string;
    readonly tool: string;
  };
  /** What users saw; undefined members are null, for JSON. */
  readonly strip: Strip | null;
  readonly intervalSeconds: number | null;
  /** Where there are more than a screen can show, the longest of each time. */
  readonly outages: readonly Outage[];
  readonly outageCount: number;
  /** Before it the application is being made, and nothing counts as downtime. */
  readonly verifiedAt: number | null;
  readonly downtime: readonly DowntimeMoment[];
  readonly phases: readonly Phase[];
  readonly deeds: readonly Deed[];
  readonly lives: readonly Lifeline[];
  readonly scenarios: readonly ScenarioLine[];
  readonly judged: readonly JudgedMoment[];
  /** None while it goes on; another one with what came after the end, as from `recover`. */
  readonly endings: readonly Ending[];
}

/** How the run ended, in the report's words. */
export interface Ending {
  readonly at: number;
  readonly verdict: RunResult['verdict'];
  readonly words: string;
  readonly reasons: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * Pure. Any beginning of the two files makes a series: that of the moment at which they were so long. Undefined before the run began.
 */
export function seriesOf({ facts, log }: Evidence, judged: readonly Judgement[]): Series | undefined {
  const started = runStarted(facts);
  const last = facts.at(-1);
  if (started === undefined || last === undefined) return undefined;
  const from = Date.parse(started.at);
  // A `recover` of the next day makes no cell of the strip longer.
  const watchedTo = Math.max(from + 1000, lastSeenAt(log));
  const to = Math.max(watchedTo, Date.parse(last.at));
  const result = judged.at(-1)?.result;
  const traffic = trafficIn(log, new Map([['run', { from, to: watchedTo }]]), mostCells);
  const outages = log === undefined ? [] : downtimeWithin(log).outages;
  const [verified] = ofType(facts, 'application-verified');
  const verifiedAt = verified === undefined ? null : Date.parse(verified.at);
  return {
    from,
    to,
    run: {
      id: started.run.id,
      kind: started.run.kind,
      cluster: started.run.cluster,
      tool: `${started.tool.name} ${started.tool.version}`,
    },
    strip: traffic.strips.get('run') ?? null,
    intervalSeconds: traffic.intervalSeconds ?? null,
    outages: thinned(outages, mostOutages, startOf, isLonger),
    outageCount: outages.length,
    verifiedAt,
    downtime: runningDowntime(outages, verifiedAt ?? to),
    phases: phases(facts),
    deeds: deeds(facts),
    lives: lifelines(facts, to),
    scenarios: scenarioLines(facts, result),
    judged: judged.map(judgedMoment),
    endings: judged.flatMap(endingOf),
  };
}

/** Four hours of single seconds: finer than any screen for a longer run. */
const mostCells = 14_400;

function lastSeenAt(log: DowntimeLog | undefined): number {
  const last = log?.ticks.at(-1);
  return last === undefined ? 0 : last.at + (log?.settings?.intervalSeconds ?? 1) * 1000 * (last.unknownTicks ?? 1);
}

/** More cannot be told apart on any screen, and each second they are sent anew while another one comes. */
const mostOutages = 500;
const startOf = ({ from }: Outage): number => Date.parse(from);
const isLonger = (one: Outage, other: Outage): boolean => one.upperSeconds > other.upperSeconds;

function endingOf({ at, result }: Judgement): readonly Ending[] {
  if (result.run.finishedAt === null) return [];
  const { verdict } = result;
  const [words, reasons] = [verdictWords(result), verdictReasons(result)];
  return [{ at, verdict, words, reasons, columns: resultColumns, rows: resultRows(result) }];
}
