import { boundedText } from '../../figures/figures.js';
import type { Outage } from '../downtime/downtime.ts';
import { type Finding, findingOf } from '../finding.ts';
import { isDemonstrated } from '../record/demonstrations.ts';
import type { RunStarted, ValidationFact } from '../record/events.ts';
import { type History, wasWatched } from '../record/history.ts';
import { podsBeside } from '../record/of-applications.ts';
import {
  damagedFrom,
  historyOf,
  ofType,
  runStarted,
  type ScenarioRecord,
  scenarioRecords,
  takenNodes,
} from '../record/records.ts';
import { furtherScenarios, scenarios } from '../scenarios/index.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Settings } from '../settings.ts';
import { withSpanOf } from '../window-downtime.ts';
import { acceptance } from './acceptance.ts';
import { clocksSet } from './clocks-set.ts';
import { causedBy, disturbances } from './disturbances.ts';
import { isOutageIn, judgeScenario } from './judge-scenario.ts';
import type { LogView } from './log-view.ts';
import { massEvictions, wholeRunKinds } from './mass-eviction.ts';
import { nodeRequirementFindings } from './node-requirements.ts';
import { replacements } from './replacements.ts';
import { resultTable } from './result-table.ts';
import type { RunResult, ScenarioResult } from './run-result.ts';
import { unexplainedNodes } from './unexplained-nodes.ts';
import { otherTarget, seenBySome } from './vantage-findings.ts';
import { verdictOf } from './verdict.ts';
import { checkFindings, placesIn, withManifests } from './with-manifests.ts';
import { withPrediction } from './with-prediction.ts';

/**
 * Judges a run, or one application of it, by the journal's facts and the downtime log alone, so that `report` gives the
 * same bytes on any machine and a run that was killed is judged too. `whole` are the facts of all applications of the
 * run. Undefined without a `run-started` fact.
 */
export function judgeRun(
  facts: readonly ValidationFact[],
  log: LogView,
  whole: readonly ValidationFact[] = facts,
): RunResult | undefined {
  const started = runStarted(facts);
  if (started === undefined) return undefined;
  const records = scenarioRecords(facts);
  const evidence = runContext(started.settings, facts, log, whole);
  const judge = (scenario: Scenario) => judgeScenario(scenario, recordOf(records, scenario), evidence);
  const rows = rowsOf(started).map((scenario) => withPrediction(judge(scenario), facts));
  const span = runSpan(facts);
  const gone = replacements(evidence.history, causedBy(whole));
  const criteria = acceptance({
    scenarios: rows,
    replacements: gone.filter(({ at }) => Date.parse(at) >= span.from && Date.parse(at) <= span.to),
    massEvictions: massEvictions(
      evidence.history,
      span,
      disturbances(records).filter(({ scenario }) => scenario.mayLoseEndpoints),
      evidence.taken,
    ),
    clusterWatched: watchedWhole(evidence.history, span),
    ended: facts.some(({ type }) => type === 'run-finished'),
    maximumDowntimeSeconds: started.settings.instanceKill.maximumDowntime,
  });
  const outages = log.outages.map((outage) => ({ ...outage, scenario: scenarioOf(outage, records, log) }));
  const outcome = {
    criteria,
    scenarios: rows,
    findings: findingsOf(facts, evidence, outages, whole),
    undo: undoList(facts),
  };
  return withManifests(
    {
      schemaVersion: 1,
      tool: started.tool,
      run: { ...started.run, startedAt: started.at, finishedAt: ofType(facts, 'run-finished').at(-1)?.at ?? null },
      ...watched(log),
      verdict: verdictOf(outcome, facts, started.partial),
      partial: started.partial,
      ...outcome,
      resultTable: resultTable(rows),
      outages,
      episodes: log.episodes.map((one) => ({ ...withSpanOf(one), scenario: scenarioOf(one, records, log) })),
      replacements: gone,
    },
    facts,
  );
}

/** Those of the table, and the further ones that were named. */
const rowsOf = (started: RunStarted): readonly Scenario[] => [
  ...scenarios,
  ...furtherScenarios.filter(({ name }) => started.scenarios.includes(name)),
];

function watched({ probe, vantages, rule }: LogView): Pick<RunResult, 'probe' | 'vantages' | 'rule'> {
  return {
    ...(probe === undefined ? {} : { probe }),
    ...(vantages === undefined || rule === undefined ? {} : { vantages, rule }),
  };
}

/** One scenario of a run that may still go on. Undefined without a `run-started` fact. */
export function judgeOne(
  facts: readonly ValidationFact[],
  log: LogView,
  scenario: Scenario,
  whole: readonly ValidationFact[] = facts,
): ScenarioResult | undefined {
  const started = runStarted(facts);
  if (started === undefined) return undefined;
  const evidence = runContext(started.settings, facts, log, whole);
  return judgeScenario(scenario, recordOf(scenarioRecords(facts), scenario), evidence);
}

/** Changes that the other applications of the run made to the pool count too. */
function runContext(
  settings: Settings,
  facts: readonly ValidationFact[],
  log: LogView,
  whole: readonly ValidationFact[],
) {
  const history = historyOf(facts);
  const beside = whole === facts ? {} : { beside: podsBeside(facts, whole) };
  return { log, history: { ...history, ...beside }, taken: takenNodes(whole), settings, placeOf: placesIn(facts) };
}

const recordOf = (records: readonly ScenarioRecord[], { name }: Scenario): ScenarioRecord | undefined =>
  records.find((record) => record.name === name && record.passedOver !== true);

/**
 * Begins when the application was verified, because nothing was disturbed before. Ends where the journal is damaged,
 * because it is unknown what the run did afterwards.
 */
function runSpan(facts: readonly ValidationFact[]): { readonly from: number; readonly to: number } {
  const [verified] = ofType(facts, 'application-verified');
  const to = damagedFrom(facts) ?? Date.parse(facts.at(-1)?.at ?? '1970-01-01T00:00:00Z');
  return { from: verified === undefined ? to : Date.parse(verified.at), to };
}

function watchedWhole(history: History, span: { readonly from: number; readonly to: number }): boolean {
  return wholeRunKinds.every((kind) => wasWatched(history, kind, span));
}

function scenarioOf(outage: Pick<Outage, 'from'>, records: readonly ScenarioRecord[], log: LogView): string | null {
  return records.find(({ disturbed }) => disturbed && isOutageIn(outage, disturbed, log))?.name ?? null;
}

function findingsOf(
  facts: readonly ValidationFact[],
  { history, settings, log }: { readonly history: History; readonly settings: Settings; readonly log: LogView },
  outages: RunResult['outages'],
  whole: readonly ValidationFact[],
): readonly Finding[] {
  const records = scenarioRecords(whole);
  return [
    ...checkFindings(facts),
    ...runFindings(facts),
    ...nodeRequirementFindings(history, settings),
    ...backgroundOutages(
      outages.filter(({ from }) => !isDemonstrated(Date.parse(from), whole, settings, scenarios)),
      runSpan(facts).from,
      (outage) => scenarioOf(outage, records, log),
    ),
    ...seenBySome(log, runSpan(facts).from),
    ...clocksSet(facts),
    // Of several applications each is found by its own address.
    ...(whole === facts ? otherTarget(log, settings.url) : []),
    ...unexplainedNodes(facts, history, whole),
  ];
}

/**
 * Outages outside all scenarios make the run inconclusive, not failed (docs/facts/measuring.md, "Quiet before and after
 * a scenario"); so do those in a scenario of another application alone.
 */
function backgroundOutages(
  outages: RunResult['outages'],
  from: number,
  scenarioOfAll: (outage: Pick<Outage, 'from'>) => string | null,
): readonly Finding[] {
  return outages
    .filter((outage) => outage.scenario === null && Date.parse(outage.from) >= from)
    .map((outage) => {
      const beside = scenarioOfAll(outage);
      return {
        id: 'background-outage',
        severity: 'warning' as const,
        subject: 'downtime log',
        expected: 'no outage while nothing was disturbed',
        observed: `${boundedText(outage)} from ${outage.from} (${outage.kinds.join(', ')})${beside === null ? '' : `, in ${beside} of another application`}`,
        advice: 'find its cause and run again: it may have hidden or caused an outage in a scenario',
      };
    });
}

function runFindings(facts: readonly ValidationFact[]): readonly Finding[] {
  const run = (id: string, observed: string): Finding => ({
    id,
    severity: 'error',
    subject: 'run',
    expected: 'the run goes on to its end',
    observed,
    advice: 'run again',
  });
  return [
    ...ofType(facts, 'application-verified').flatMap(({ expectations }) =>
      expectations.map((expectation) => findingOf('phase 3', expectation)),
    ),
    ...damageFindings(facts),
    ...ofType(facts, 'run-interrupted').map(({ signal }) => run('interrupted', `it was stopped by ${signal}`)),
    ...ofType(facts, 'run-aborted').map(({ because }) => run('aborted', because)),
    ...ofType(facts, 'run-failed').map(({ because }) => run('failed', because)),
    ...(facts.some(({ type }) => type === 'run-finished')
      ? []
      : [run('unfinished', 'its journal has no end: it was killed')]),
  ];
}

function damageFindings(facts: readonly ValidationFact[]): readonly Finding[] {
  const damaged = ofType(facts, 'line-damaged');
  const [first] = damaged;
  if (first === undefined) return [];
  return [
    {
      id: 'damaged-journal',
      severity: 'warning',
      subject: 'journal',
      expected: 'every line of it can be read',
      observed: `${damaged.length} cannot, the first of them after ${first.at}`,
      advice: 'an action that was not undone may be missing from the journal: look at the cluster, and run again',
    },
  ];
}

export function undoList(facts: readonly ValidationFact[]): RunResult['undo'] {
  const ends = new Map(ofType(facts, 'action-undone').map((fact) => [fact.id, fact]));
  return ofType(facts, 'action-intended').map(({ id, action, subject: target }) => {
    const { state, because } = ends.get(id) ?? { state: 'failed', because: 'the run ended before it was undone' };
    return { action, target, state, because };
  });
}
