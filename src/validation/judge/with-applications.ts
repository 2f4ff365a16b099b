import { applicationName, findingOfSome } from '../applications.ts';
import type { Finding } from '../finding.ts';
import type { ApplicationRehearsed, RehearsedApplication } from '../record/application-rehearsed.ts';
import { shownPart } from '../window-downtime.ts';
import { resultTable } from './result-table.ts';
import type { ApplicationResult, Criterion, RunResult, ScenarioResult, Verdict } from './run-result.ts';

/**
 * Combines the results of all applications. The verdict, each criterion and each scenario are the worst of all; a
 * scenario's downtime is that of the application with the most. An application without a rehearsal is inconclusive.
 */
export function withApplications(
  first: RunResult,
  applications: readonly RehearsedApplication[],
  others: readonly JudgedApplication[],
): RunResult {
  const rehearsals = applications.map((application, index) => ({
    application,
    of: index === 0 ? first : others.find((one) => isSame(one.application, application)),
  }));
  const verdicts = rehearsals.map(({ application, of }) => ({
    ...application,
    verdict: of?.verdict ?? missing,
    ...(applications.length < 2 || of === undefined ? {} : alone(of)),
  }));
  const scenarios = first.scenarios.map((scenario) => together(scenario, rehearsals));
  return {
    ...first,
    verdict: worstOf(verdicts.map(({ verdict }) => verdict)) ?? first.verdict,
    applications: verdicts,
    criteria: first.criteria.map((criterion) => worstCriterion(criterion, rehearsals)),
    scenarios,
    resultTable: resultTable(scenarios),
    findings: findingsOfAll(first.findings, rehearsals, ({ findings }) => findings),
  };
}

const missing = 'inconclusive';

/** What is known of another application than the first. */
export type JudgedApplication = Pick<ApplicationRehearsed, 'application' | 'verdict' | 'findings'> &
  Pick<ApplicationRehearsed, 'criteria'> & { readonly scenarios: readonly JudgedScenario[] };
/** Applications of one run have windows of one clock. */
type JudgedScenario = ApplicationRehearsed['scenarios'][number] & Partial<Pick<ScenarioResult, 'window'>>;

/** What was judged of one application. */
function alone({
  criteria,
  scenarios,
}: Pick<JudgedApplication, 'criteria' | 'scenarios'>): Pick<ApplicationResult, 'criteria' | 'scenarios'> {
  return {
    criteria: criteria.map(({ number, outcome, because }) => ({ number, outcome, because })),
    scenarios: scenarios.map(({ name, verdict, downtime }) => ({
      name,
      verdict,
      downtime: downtime && shownPart(downtime),
    })),
  };
}

interface Rehearsal<Of = Pick<JudgedApplication, 'scenarios' | 'criteria'>> {
  readonly application: RehearsedApplication;
  readonly of: Of | undefined;
}

const isSame = (one: RehearsedApplication, other: RehearsedApplication): boolean =>
  one.kind === other.kind && one.namespace === other.namespace && one.name === other.name;

/** One scenario of several applications, before the run has ended. Undefined without one. */
export function combinedScenario(
  rows: readonly { readonly application: RehearsedApplication; readonly row: ScenarioResult }[],
): ScenarioResult | undefined {
  const [first] = rows;
  const of = rows.map(({ application, row }) => ({ application, of: { scenarios: [row], criteria: [] } }));
  return first && together(first.row, of);
}

function together(scenario: ScenarioResult, rehearsals: readonly Rehearsal[]): ScenarioResult {
  const applications = rehearsals.map(({ application }) => application);
  const all = rehearsals.map(({ application, of }) => ({
    application,
    result: of?.scenarios.find(({ name }) => name === scenario.name),
  }));
  const downtimes = all.flatMap(({ result }) => (result?.downtime == null ? [] : [result.downtime]));
  const findings = findingsOfAll(
    scenario.findings,
    rehearsals,
    ({ scenarios }) => scenarios.find(({ name }) => name === scenario.name)?.findings ?? [],
  );
  const windows = all.flatMap(({ result }) => result?.window ?? []);
  const { notApplicable, ...row } = scenario;
  const applicable = all.filter(({ result }) => result?.notApplicable === undefined);
  const judged = applicable.length > 0 ? applicable : all;
  return {
    ...row,
    ...(notApplicable === undefined || applicable.length > 0 ? {} : { notApplicable }),
    verdict: worstOf(judged.map(({ result }) => result?.verdict ?? 'not-tested')) ?? scenario.verdict,
    // Where one is disturbed after the other, from the first to the last.
    window: spanOf(windows) ?? scenario.window,
    downtime: downtimes.toSorted((a, b) => b.upperSeconds - a.upperSeconds)[0] ?? null,
    targets: all.map(({ application, result }) => ({
      application: applicationName(application, applications),
      downtime: result?.downtime ?? null,
    })),
    findings,
  };
}

function spanOf(windows: readonly NonNullable<ScenarioResult['window']>[]): ScenarioResult['window'] {
  const from = windows.map((one) => one.from).toSorted()[0];
  const to = windows
    .map((one) => one.to)
    .toSorted()
    .at(-1);
  return from === undefined || to === undefined ? null : { from, to };
}

function worstCriterion(criterion: Criterion, rehearsals: readonly Rehearsal[]): Criterion {
  const each = rehearsals.flatMap(({ application, of }) =>
    (of?.criteria ?? []).flatMap((one) => (one.number === criterion.number ? [{ ...one, application }] : [])),
  );
  const applicable = each.filter(({ notApplicable }) => notApplicable === undefined);
  if (rehearsals.length === 1 || applicable.length === 0) return criterion;
  const outcome = worstOf(applicable.map((one) => one.outcome)) ?? criterion.outcome;
  const deciding = Map.groupBy(
    applicable.filter((one) => one.outcome === outcome),
    ({ because }) => because,
  );
  const applications = rehearsals.map(({ application }) => application);
  const reasons = [...deciding].map(([because, those]) =>
    those.length === rehearsals.length
      ? because
      : `${those.map(({ application }) => applicationName(application, applications)).join(', ')}: ${because}`,
  );
  const { notApplicable: _, ...row } = criterion;
  return { ...row, outcome, because: reasons.join('; ') };
}

/** The findings of several applications, each once. A finding that not all of them have names those that have it. */
function findingsOfAll<Of>(
  ofFirst: readonly Finding[],
  rehearsals: readonly Rehearsal<Of>[],
  findings: (of: Of) => readonly Finding[],
): readonly Finding[] {
  if (rehearsals.length < 2) return ofFirst;
  const told = rehearsals.map(({ application, of }) => {
    const found = of === undefined ? [] : findings(of);
    return { application, found, keys: new Set(found.map(keyOf)) };
  });
  const applications = told.map(({ application }) => application);
  return told.flatMap((one) =>
    one.found.flatMap((finding) => {
      const those = told.filter(({ keys }) => keys.has(keyOf(finding)));
      // The finding of the first of them is kept.
      if (those[0] !== one) return [];
      const whose = those.map(({ application }) => application);
      return [whose.length === applications.length ? finding : findingOfSome(finding, whose, applications)];
    }),
  );
}

const keyOf = ({ id, subject, observed }: Finding): string => JSON.stringify([id, subject, observed]);

const ranks = {
  error: 0,
  fail: 1,
  'not-met': 1,
  inconclusive: 2,
  'not-tested': 3,
  pass: 4,
  met: 4,
} as const satisfies Record<Verdict | Criterion['outcome'] | ScenarioResult['verdict'], number>;

const worstOf = <T extends keyof typeof ranks>(all: readonly T[]): T | undefined =>
  all.toSorted((a, b) => ranks[a] - ranks[b])[0];
