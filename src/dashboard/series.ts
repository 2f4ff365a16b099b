import type { Bounded } from '../figures/figures.js';
import { resultColumns, resultRows } from '../report/cells.ts';
import { type Lifeline, lifelines } from '../report/lifelines.ts';
import type { Span, Strip } from '../report/strip.ts';
import { trafficIn } from '../report/traffic.ts';
import { verdictReasons, verdictWords } from '../report/verdict.ts';
import type { Episode } from '../validation/downtime/downtime.ts';
import type { DowntimeLog } from '../validation/downtime/read-downtime-log.ts';
import { viewOf } from '../validation/judge/read-run.ts';
import type { RunResult } from '../validation/judge/run-result.ts';
import { ofType, runStarted } from '../validation/record/records.ts';
import { withSpanOf } from '../validation/window-downtime.ts';
import { type ActionLine, actionLines } from './action-lines.ts';
import type { Evidence } from './evidence.ts';
import { type JudgedMoment, type Judgement, judgedMoment } from './judgements.ts';
import { type Phase, phases } from './phases.ts';
import { type DowntimeMoment, runningDowntime } from './running-downtime.ts';
import { type ScenarioLine, scenarioLines } from './scenario-lines.ts';
import { thinned } from './thinned.ts';

/**
 * A run as a page can replay it: everything has its time, so that the page only looks up the state at an instant and
 * judges nothing. Instants are epoch milliseconds; what is not known yet is null.
 */
export interface Series extends Span {
  readonly run: {
    readonly id: string;
    readonly kind: 'rehearsal' | 'cluster';
    readonly cluster: string;
    readonly tool: string;
  };
  /**
   * Those that are validated; the next three are theirs, in the same order, each sent again only when it has changed.
   */
  readonly applications: readonly SeenApplication[];
  /** The traffic. Null, not undefined, because it is sent as JSON. */
  readonly strips: readonly (Strip | null)[];
  /** As people see them; if there are more than a screen can show, the longest of each part of the time. */
  readonly outages: readonly (readonly (Episode & { readonly span: Bounded })[])[];
  readonly downtimes: readonly (readonly DowntimeMoment[])[];
  readonly intervalSeconds: number | null;
  readonly phases: readonly Phase[];
  readonly actions: readonly ActionLine[];
  readonly lives: readonly Lifeline[];
  readonly scenarios: readonly ScenarioLine[];
  readonly judged: readonly JudgedMoment[];
  /** Empty while the run goes on. A `recover` after the end adds another one. */
  readonly endings: readonly Ending[];
}

export interface SeenApplication {
  /** Null for the only one. */
  readonly name: string | null;
  readonly outageCount: number;
  /** Before it the application is being deployed, and nothing counts as downtime. */
  readonly verifiedAt: number | null;
}

/** The end of the run, as the report words it. */
export interface Ending {
  readonly at: number;
  readonly verdict: RunResult['verdict'];
  readonly words: string;
  readonly reasons: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * The series of a run whose files are written so far. Undefined before the run has started.
 */
export function seriesOf(evidence: Evidence, judged: readonly Judgement[]): Series | undefined {
  const { facts, logs, rule, applications } = evidence;
  const started = runStarted(facts);
  const last = facts.at(-1);
  if (started === undefined || last === undefined) return undefined;
  const log = logs[0]?.log;
  const from = Date.parse(started.at);
  // Without the time of a later `recover`, which would make the cells of the strip longer.
  const watchedTo = Math.max(from + 1000, lastSeenAt(log));
  const to = Math.max(watchedTo, Date.parse(last.at));
  const span = { from, to: watchedTo };
  const [first = { name: null, facts, logs }, ...further] = applications;
  const seen = [first, ...further].map((one) => seenBy(one, { rule, span, to }));
  return {
    from,
    to,
    run: {
      id: started.run.id,
      kind: started.run.kind,
      cluster: started.run.cluster,
      tool: `${started.tool.name} ${started.tool.version}`,
    },
    applications: seen.map(({ application }) => application),
    strips: seen.map(({ strip }) => strip),
    outages: seen.map(({ outages }) => outages),
    downtimes: seen.map(({ downtime }) => downtime),
    intervalSeconds: log?.settings?.intervalSeconds ?? null,
    phases: phases(facts),
    actions: actionLines(facts),
    lives: lifelines(facts, to),
    scenarios: scenarioLines(facts, judged.at(-1)?.result),
    judged: judged.map(judgedMoment),
    endings: judged.flatMap(endingOf),
  };
}

type Watched = Pick<Evidence, 'facts' | 'logs'> & Pick<SeenApplication, 'name'>;

/** What visitors of one application saw; the traffic is that of the first vantage point. */
function seenBy(
  { name, facts, logs }: Watched,
  { rule, span, to }: Pick<Evidence, 'rule'> & { readonly span: Span; readonly to: number },
) {
  const traffic = trafficIn(logs[0]?.log, new Map([['run', span]]), mostCells);
  const { episodes, downtimeIn } = viewOf(logs, rule);
  const [verified] = ofType(facts, 'application-verified');
  const verifiedAt = verified === undefined ? null : Date.parse(verified.at);
  const downtime = downtimeIn(verifiedAt ?? to, Number.POSITIVE_INFINITY);
  return {
    application: { name, outageCount: episodes.length, verifiedAt },
    strip: traffic.strips.get('run') ?? null,
    outages: thinned(episodes, mostOutages, startOf, isLonger).map(withSpanOf),
    downtime: runningDowntime({ episodes, downtime }, verifiedAt ?? to),
  };
}

/** Four hours of one second each: more than a screen can show. */
const mostCells = 14_400;

function lastSeenAt(log: DowntimeLog | undefined): number {
  const last = log?.ticks.at(-1);
  return last === undefined ? 0 : last.at + (log?.settings?.intervalSeconds ?? 1) * 1000 * (last.unknownTicks ?? 1);
}

/** More cannot be distinguished on a screen, and all are sent again each second while one is open. */
const mostOutages = 500;
const startOf = ({ from }: Episode): number => Date.parse(from);
const isLonger = (one: Episode, other: Episode): boolean => one.upperSeconds > other.upperSeconds;

function endingOf({ at, result }: Judgement): readonly Ending[] {
  if (result.run.finishedAt === null) return [];
  const { verdict } = result;
  const [words, reasons] = [verdictWords(result), verdictReasons(result)];
  return [{ at, verdict, words, reasons, columns: resultColumns, rows: resultRows(result).map(({ cells }) => cells) }];
}
