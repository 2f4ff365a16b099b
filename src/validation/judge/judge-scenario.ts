import { type Outage, wasSampled } from '../downtime/downtime.ts';
import { isSince } from '../downtime/stretches.ts';
import { type Expectation, type Finding, findingOf, type Obstacle, witnessesApart, worst } from '../finding.ts';
import type { ApplicationMeasurement } from '../measure/application.ts';
import { type Measurement, measure } from '../measure/measure.ts';
import { notCompared } from '../record/clock-compared.ts';
import type { History } from '../record/history.ts';
import type { LoadRecorded } from '../record/load-recorded.ts';
import type { ScenarioRecord, TakenNode } from '../record/records.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { hasIngress, hasReplicas, type Settings } from '../settings.ts';
import type { LogView } from './log-view.ts';
import type { ScenarioResult } from './run-result.ts';
import type { PlaceOf } from './with-manifests.ts';

type Row = Pick<ScenarioResult, 'name' | 'title' | 'expected'>;

/** What a scenario is judged by, besides its own record. */
export interface RunContext {
  readonly log: LogView;
  readonly history: History;
  /** Nodes that any scenario of the run removed. */
  readonly taken: readonly TakenNode[];
  readonly settings: Settings;
  /**
   * The fields of the manifests that findings refer to. Only on the embedded cluster with manifests of `-f`: there an
   * object that is not in the manifests exists nowhere, so a scenario without anything to disturb is complete.
   */
  readonly placeOf?: PlaceOf | undefined;
}

/** Judges one scenario's record and its part of the downtime log by the scenario's own expectations. */
export function judgeScenario(scenario: Scenario, record: ScenarioRecord | undefined, by: RunContext): ScenarioResult {
  const row = { name: scenario.name, title: scenario.title, expected: scenario.expected };
  if (record === undefined) return { ...notTested(row), ...notApplicable(scenario, by.settings) };
  if (record.needless !== undefined && (by.placeOf !== undefined || scenario.demonstrates))
    return { ...notTested(row), notApplicable: record.needless };
  const blocked = record.blocked.map((obstacle) => placed(scenario, neverMet(scenario, obstacle), by));
  // What blocks it is why it has no result.
  const open = blocked.length > 0 ? [] : record.inconclusive.map((doubt) => openQuestion(scenario, doubt, by));
  const measured = measureRecord(scenario, record, by);
  const { window } = record;
  if (measured === undefined || window === undefined)
    return { ...notTested(row), verdict: unmeasured(record), findings: [...blocked, ...open] };
  const verified = record.actions.map(({ expectation }) => expectation);
  const judged = scenario.judge(measured, by.settings).map(record.brokenOff ? notDemanded : (one) => one);
  const all = [...record.notes, ...verified, ...judged];
  const expectations = blocked.length === 0 ? all : all.filter(isApart);
  const outcome = worst([
    ...blocked.map(() => 'not-met' as const),
    ...expectations.map((one) => one.outcome),
    ...open.map(() => 'inconclusive' as const),
  ]);
  return {
    ...row,
    verdict: ({ met: 'pass', 'not-met': 'fail', inconclusive: 'inconclusive' } as const)[outcome],
    window: { from: new Date(window.from).toISOString(), to: new Date(window.to).toISOString() },
    downtime: wasSampled(measured.downtime) ? measured.downtime : null,
    ...numbers(measured),
    predicted: null,
    findings: [
      ...blocked,
      ...open,
      ...expectations.map((one) => placed(scenario, one, by)),
      ...witnessFindings(scenario, measured),
    ],
    ...optionalNumbers(measured),
  };
}

const unmeasured = ({ blocked }: ScenarioRecord): 'fail' | 'inconclusive' =>
  blocked.length > 0 ? 'fail' : 'inconclusive';

function notApplicable({ needsIngress, needsReplicas }: Scenario, settings: Settings): Partial<ScenarioResult> {
  if (needsIngress && !hasIngress(settings))
    return { notApplicable: 'visitors come through a load balancer of the application’s own' };
  if (needsReplicas && !hasReplicas(settings))
    return { notApplicable: 'a DaemonSet has a pod on each node, and no replicas to scale' };
  return {};
}

/** A scenario that was interrupted need not meet its expectations. Its downtime still counts in the criteria. */
function notDemanded(expectation: Expectation): Expectation {
  return expectation.outcome === 'not-met' ? { ...expectation, outcome: 'inconclusive' } : expectation;
}

/** Undefined if its window had no action or never closed. */
function measureRecord(
  { replaces }: Scenario,
  { window, rounds, notes, observed, load, clock = notCompared }: ScenarioRecord,
  { log, history, taken }: RunContext,
): Measurement | undefined {
  if (window === undefined || rounds.length === 0) return undefined;
  const { from, to } = window;
  const isInside = (time: number): boolean => time >= from && time < to;
  const evidence = {
    window,
    rounds,
    notes,
    observed,
    load,
    history,
    downtime: log.downtimeIn(from, to),
    outages: log.outages.filter((outage) => isOutageIn(outage, window, log)),
    reused: log.reusedIn?.(from, to),
    taken: taken.filter(({ at }) => isInside(at)),
    clock,
  };
  return measure(evidence, replaces);
}

/** Whether an outage began in that time, as far as the log's times tell. */
export function isOutageIn(
  outage: Pick<Outage, 'from'>,
  { from, to }: { readonly from: number; readonly to: number },
  { resolutionSeconds }: Pick<LogView, 'resolutionSeconds'>,
): boolean {
  const at = Date.parse(outage.from);
  return isSince(at, from, resolutionSeconds) && at < to;
}

/** The result of a scenario that was not tested: without numbers. */
export function notTested(row: Row): ScenarioResult {
  return {
    ...row,
    verdict: 'not-tested',
    window: null,
    downtime: null,
    ...numbers(undefined),
    predicted: null,
    findings: [],
  };
}

function numbers(measured: Measurement | undefined) {
  return {
    nodeReplacementSeconds: measured?.pool?.nodeReplacement?.seconds ?? null,
    nodeReadySeconds: measured?.pool?.nodeReady?.seconds ?? null,
    podReadySeconds: measured?.application?.podReady?.seconds ?? null,
    nodeReplacement: measured?.pool?.nodeReplacement ?? null,
    nodeReady: measured?.pool?.nodeReady ?? null,
    podReady: measured?.application?.podReady ?? null,
    nodesReplaced: measured?.pool?.nodesReplaced ?? null,
    maxConcurrentDisruptions: measured?.pool?.maxConcurrentDisruptions ?? null,
  };
}

/** The numbers that only some runs and some scenarios have. */
function optionalNumbers({ application, reused, load, cpu, name, steps }: Measurement): Partial<ScenarioResult> {
  return {
    ...(application === undefined ? {} : applicationNumbers(application)),
    ...(reused === undefined ? {} : { keptConnections: reused }),
    ...(load === undefined ? {} : { load: withoutStart(load) }),
    ...(cpu === undefined ? {} : { cpu }),
    ...(name === undefined ? {} : { dns: name }),
    ...(steps === undefined ? {} : { steps }),
  };
}

function applicationNumbers({ podRestarts, podsLostAtOnce, fewestReadyEndpoints }: ApplicationMeasurement) {
  // Infinity means that there was no EndpointSlice.
  const endpoints = Number.isFinite(fewestReadyEndpoints) ? { fewestReadyEndpoints } : {};
  return { podRestarts, podsLostAtOnce, ...endpoints };
}

const withoutStart = ({ startedAt: _, ...load }: LoadRecorded): Omit<LoadRecorded, 'startedAt'> => load;

/** A clock is wrong, or the watch was away. */
function witnessFindings({ title }: Scenario, { application, pool }: Measurement): readonly Finding[] {
  return [...(pool?.doubts ?? []), ...(application?.doubts ?? [])].map((observed) => ({
    id: witnessesApart,
    severity: 'warning',
    subject: title,
    expected: 'the times of the API and of this machine agree',
    observed,
    advice:
      'synchronise the clocks of this machine, the nodes and the API server by NTP, or see why the watch was late',
  }));
}

function neverMet({ expected }: Scenario, obstacle: Obstacle): Expectation {
  return { id: 'blocked', expected, outcome: 'not-met', ...obstacle };
}

/** Of a scenario that is blocked: whatever else is missing follows from that. */
const isApart = ({ id, outcome }: Expectation): boolean => outcome !== 'inconclusive' && id !== 'pods-ready';

function openQuestion(
  scenario: Scenario,
  { because: observed, rules }: ScenarioRecord['inconclusive'][number],
  by: RunContext,
): Finding {
  const expectation = { id: 'inconclusive', expected: scenario.expected, outcome: 'inconclusive', observed } as const;
  return placed(scenario, rules === undefined ? expectation : { ...expectation, rules }, by);
}

function placed({ name, title }: Scenario, expectation: Expectation, { placeOf }: RunContext): Finding {
  const finding = findingOf(title, expectation);
  return placeOf === undefined ? finding : { ...finding, at: placeOf(expectation, name) };
}
