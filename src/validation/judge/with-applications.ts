import { applicationName } from '../applications.ts';
import type { Finding } from '../finding.ts';
import type { ApplicationRehearsed, RehearsedApplication } from '../record/application-rehearsed.ts';
import { resultTable } from './result-table.ts';
import type { ApplicationResult, Criterion, RunResult, ScenarioResult, Verdict } from './run-result.ts';

/**
 * The result of the first application with those of the others: the verdict, each criterion and each scenario are the worst of all, a
 * scenario's downtime is that of the application that it hit most. An application whose rehearsal did not come is inconclusive.
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
    findings: [
      ...first.findings,
      ...others.flatMap((one) => ofOther(one.application, applications, one.findings, first.findings)),
    ],
  };
}

const missing = 'inconclusive';

/** What is known of another application than the first. */
export type JudgedApplication = Pick<ApplicationRehearsed, 'application' | 'verdict' | 'findings'> &
  Pick<ApplicationRehearsed, 'criteria'> & { readonly scenarios: readonly JudgedScenario[] };
type JudgedScenario = ApplicationRehearsed['scenarios'][number];

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
      downtime: downtime && {
        seconds: downtime.seconds,
        lowerSeconds: downtime.lowerSeconds,
        upperSeconds: downtime.upperSeconds,
      },
    })),
  };
}

interface Rehearsal {
  readonly application: RehearsedApplication;
  readonly of: Pick<JudgedApplication, 'scenarios' | 'criteria'> | undefined;
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
  const [, ...others] = rehearsals;
  const applications = rehearsals.map(({ application }) => application);
  const all = rehearsals.map(({ application, of }) => ({
    application,
    result: of?.scenarios.find(({ name }) => name === scenario.name),
  }));
  const downtimes = all.flatMap(({ result }) => (result?.downtime == null ? [] : [result.downtime]));
  const findings = others.flatMap(({ application, of }) => {
    const found = of?.scenarios.find(({ name }) => name === scenario.name)?.findings ?? [];
    return ofOther(application, applications, found, scenario.findings);
  });
  const { notApplicable, ...row } = scenario;
  const applicable = all.filter(({ result }) => result?.notApplicable === undefined);
  const judged = applicable.length > 0 ? applicable : all;
  return {
    ...row,
    ...(notApplicable === undefined || applicable.length > 0 ? {} : { notApplicable }),
    verdict: worstOf(judged.map(({ result }) => result?.verdict ?? 'not-tested')) ?? scenario.verdict,
    downtime: downtimes.toSorted((a, b) => b.upperSeconds - a.upperSeconds)[0] ?? null,
    targets: all.map(({ application, result }) => ({
      application: applicationName(application, applications),
      downtime: result?.downtime ?? null,
    })),
    findings: [...scenario.findings, ...findings],
  };
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

/** What the first application was told too is not told again; what only the other one was names it. */
function ofOther(
  application: RehearsedApplication,
  among: readonly RehearsedApplication[],
  found: readonly Finding[],
  told: readonly Finding[],
) {
  const named = applicationName(application, among);
  const { name, namespace } = application;
  const words = named === applicationName(application, []) ? [name] : [name, namespace];
  const isTold = ({ id, subject, observed }: Finding) =>
    told.some((one) => one.id === id && one.subject === subject && one.observed === observed);
  return found
    .filter((finding) => !isTold(finding))
    .map((finding) => ({
      ...finding,
      subject: words.every((word) => finding.subject.includes(word)) ? finding.subject : `${named}: ${finding.subject}`,
    }));
}

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
