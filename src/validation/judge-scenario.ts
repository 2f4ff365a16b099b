import type { WindowDowntime } from './downtime.ts';
import { type Expectation, type Finding, findingOf, worst } from './finding.ts';
import type { History } from './history.ts';
import { type Measurement, measure } from './measure.ts';
import type { ScenarioRecord } from './records.ts';
import type { ScenarioResult } from './run-result.ts';
import type { Scenario } from './scenario.ts';

type Row = Pick<ScenarioResult, 'name' | 'title' | 'expected'>;

/** Pure. One scenario's record and its seconds of the downtime log, judged by the scenario's own statements. */
export function judgeScenario(
  scenario: Scenario,
  record: ScenarioRecord | undefined,
  downtimeIn: (from: number, to: number) => WindowDowntime,
  history: History,
): ScenarioResult {
  const row = { name: scenario.name, title: scenario.title, expected: scenario.expected };
  if (record === undefined) return notTested(row);
  const open = record.inconclusive.map((observed) => openQuestion(scenario, observed));
  const { window, actedAt, restAt } = record;
  if (window === undefined || actedAt === undefined || restAt === undefined)
    return { ...notTested(row), verdict: 'inconclusive', findings: open };
  const downtime = downtimeIn(window.from, window.to);
  const measured = measure({ window, actedAt, restAt, downtime, history }, scenario.replaces);
  const expectations = [...record.actions.map(({ expectation }) => expectation), ...scenario.judge(measured)];
  const outcome = worst([...expectations.map((one) => one.outcome), ...open.map(() => 'inconclusive' as const)]);
  return {
    ...row,
    verdict: ({ met: 'pass', 'not-met': 'fail', inconclusive: 'inconclusive' } as const)[outcome],
    window: { from: new Date(window.from).toISOString(), to: new Date(window.to).toISOString() },
    downtime,
    ...numbers(measured),
    predicted: null,
    findings: [...open, ...expectations.map((one) => findingOf(scenario.title, one))],
  };
}

/** What is not tested has no numbers. */
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
    nodeReplacementSeconds: measured?.pool?.nodeReplacementSeconds ?? null,
    nodeReadySeconds: measured?.pool?.nodeReadySeconds ?? null,
    podReadySeconds: measured?.application?.podReadySeconds ?? null,
    nodesReplaced: measured?.pool?.nodesReplaced ?? null,
    maxConcurrentDisruptions: measured?.pool?.maxConcurrentDisruptions ?? null,
  };
}

function openQuestion({ title, expected }: Scenario, observed: string): Finding {
  const expectation: Expectation = { id: 'inconclusive', expected, outcome: 'inconclusive', observed };
  return findingOf(title, expectation);
}
