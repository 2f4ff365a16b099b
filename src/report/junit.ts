import { downtimeText } from '../figures/figures.js';
import { applicationName } from '../validation/applications.ts';
import type { Finding } from '../validation/finding.ts';
import type { Criterion, RunResult, ScenarioResult, Verdict } from '../validation/judge/run-result.ts';
import { whoseFinding } from './applications.ts';
import { type Markup, markup, sourceOf } from './markup.ts';
import { notRehearsedRows } from './not-rehearsed.ts';
import { verdictReasons, verdictWords } from './verdict.ts';

/**
 * `junit.xml`, as CI systems read it: what is not met or fails is a failure, inconclusive an error, not tested skipped.
 * The suite `run` holds the verdict, so that only a run that passes has no failures and errors.
 */
export function reportJunit(result: RunResult): string {
  const suites: readonly Suite[] = [
    { name: 'run', cases: runCases(result) },
    { name: 'criteria', cases: result.criteria.map(criterionCase) },
    { name: 'scenarios', cases: result.scenarios.map(scenarioCase) },
    ...doorSuites(result),
    ...notRehearsedSuite(result),
    ...applicationSuites(result),
  ];
  const xml = markup`<testsuites name="holdfast" ${counts(suites.flatMap(({ cases }) => cases))}>
${suites.map((suite, index) => suiteXml(suite, index, result))}</testsuites>
`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${sourceOf(xml)}`;
}

/** Front doors that visitors do not come through are compared: their failures are none of the run. */
function doorSuites({ frontDoors = [], scenarios: rows }: RunResult): readonly Suite[] {
  return frontDoors.map(({ name, scenarios, verdict }) => ({
    name: `behind ${name}`,
    cases: [
      { name: 'verdict', end: 'skipped' as const, type: verdict, message: verdict },
      ...scenarios.map(({ name: scenario, outcome, downtime }) => ({
        name: rows.find((row) => row.name === scenario)?.title ?? scenario,
        end: 'skipped' as const,
        type: outcome,
        message: downtime === null ? outcome : `${outcome}: ${downtimeText(downtime)}`,
      })),
    ],
  }));
}

/** What of the manifests was left out is skipped, as what was not tested is. */
function notRehearsedSuite(result: RunResult): readonly Suite[] {
  const cases = notRehearsedRows(result).map(([at, what, concerns]) => ({
    name: `${at} ${what}`,
    end: 'skipped' as const,
    type: 'not-rehearsed',
    message: `concerns ${concerns}`,
  }));
  return cases.length === 0 ? [] : [{ name: 'not rehearsed', cases }];
}

/** Where there are several applications, what was judged of each. */
function applicationSuites({ applications = [], criteria: all, scenarios: rows }: RunResult): readonly Suite[] {
  if (applications.length < 2) return [];
  return applications.map((one) => {
    const { criteria = [], scenarios = [], verdict } = one;
    const textOf = (number: number) => all.find((criterion) => criterion.number === number)?.text ?? '';
    const titleOf = (name: string) => rows.find((row) => row.name === name)?.title ?? name;
    return {
      name: applicationName(one, applications),
      cases: [
        { name: 'verdict', end: ends[verdict], type: verdict, message: verdict },
        ...criteria.map((criterion) => criterionCase({ ...criterion, text: textOf(criterion.number) })),
        ...scenarios.map(({ name, verdict: its, downtime }) => ({
          name: titleOf(name),
          end: ends[its],
          type: its,
          message: downtime === null ? its : `${its}: ${downtimeText(downtime)}`,
        })),
      ],
    };
  });
}

interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
}

interface Case {
  readonly name: string;
  readonly seconds?: number;
  readonly end: End;
  /** The outcome, as in `report.json`. */
  readonly type: string;
  readonly message: string;
  readonly details?: readonly string[];
}

type End = 'passed' | 'failure' | 'error' | 'skipped';

const ends = {
  met: 'passed',
  pass: 'passed',
  'not-met': 'failure',
  fail: 'failure',
  inconclusive: 'error',
  error: 'error',
  'not-tested': 'skipped',
} as const satisfies Record<string, End>;

function runCases(result: RunResult): readonly Case[] {
  const { verdict, findings } = result;
  const message = `${verdictWords(result)}: ${verdictReasons(result).join('; ')}`;
  const kinds = Object.values(Object.groupBy(findings, ({ subject, expected }) => `${subject}: ${expected}`));
  return [
    { name: 'verdict', end: ends[verdict], type: verdict, message },
    undoCase(result),
    ...kinds.map((same = []) => findingCase(same, verdict)),
  ];
}

function undoCase({ undo }: RunResult): Case {
  const failed = undo.filter(({ state }) => state === 'failed').map(({ action, target }) => `${action} of ${target}`);
  return {
    name: 'every action is undone',
    end: failed.length === 0 ? 'passed' : 'error',
    type: 'not-undone',
    message: failed.join('; '),
    details: undo.map(({ action, target, state, because }) => `${action} of ${target}: ${state}, ${because}`),
  };
}

/** Findings with the same subject and expectation are one case, which passes if the run does. */
function findingCase(same: readonly Finding[], verdict: Verdict): Case {
  const [worst] = [...same].sort((a, b) => severities.indexOf(b.severity) - severities.indexOf(a.severity));
  const end = ({ info: 'passed', warning: 'error', error: 'failure' } as const)[worst?.severity ?? 'info'];
  return {
    name: `${worst?.subject}: ${worst?.expected}`,
    end: verdict === 'pass' ? 'passed' : end,
    type: worst?.id ?? '',
    message: worst?.observed ?? '',
    details: same.map(inLine),
  };
}

const severities: readonly Finding['severity'][] = ['info', 'warning', 'error'];

function criterionCase({ number, text, outcome, because }: Criterion): Case {
  return { name: `${number} ${text}`, end: ends[outcome], type: outcome, message: because };
}

function scenarioCase(scenario: ScenarioResult): Case {
  const { title, expected, verdict, window, findings, notApplicable } = scenario;
  const open = findings.filter(({ severity }) => severity !== 'info');
  const whose = (finding: Finding) => {
    const name = whoseFinding(finding);
    return name === '' ? '' : `${name}: `;
  };
  const message = open.map((one) => `${whose(one)}${one.expected}: ${one.observed}`).join('; ');
  return {
    name: title,
    end: ends[verdict],
    type: verdict,
    message: message === '' ? (notApplicable ?? expected) : message,
    details: findings.map((one) => `${whose(one)}${inLine(one)}`),
    ...(window === null ? {} : { seconds: (Date.parse(window.to) - Date.parse(window.from)) / 1000 }),
  };
}

const inLine = ({ severity, expected, observed, advice }: Finding): string =>
  `${severity}: expected ${expected}; observed ${observed}${advice === '' ? '' : `. ${advice}`}`;

/** The timestamp has no zone, because the format's schema allows none. */
function suiteXml({ name, cases }: Suite, id: number, { run }: RunResult): Markup {
  return markup`<testsuite id="${id}" name="${name}" timestamp="${run.startedAt.slice(0, 19)}" hostname="${run.cluster}" ${counts(cases)}>
<properties><property name="run" value="${run.id}"/></properties>
${cases.map((one) => caseXml(name, one))}</testsuite>
`;
}

function caseXml(suite: string, one: Case): Markup {
  const { name, seconds = 0, details = [] } = one;
  const output =
    details.length === 0 ? undefined : markup`<system-out>${details.map((line) => markup`${line}\n`)}</system-out>\n`;
  return markup`<testcase classname="holdfast.${suite}" name="${name}" time="${seconds.toFixed(3)}">
${endXml(one)}${output}</testcase>
`;
}

function endXml({ end, type, message }: Case): Markup | undefined {
  switch (end) {
    case 'passed':
      return undefined;
    case 'skipped':
      return markup`<skipped message="${message}"/>\n`;
    case 'failure':
      return markup`<failure message="${message}" type="${type}"/>\n`;
    case 'error':
      return markup`<error message="${message}" type="${type}"/>\n`;
  }
}

function counts(cases: readonly Case[]): Markup {
  const count = (end: End) => cases.filter((one) => one.end === end).length;
  const seconds = cases.reduce((sum, one) => sum + (one.seconds ?? 0), 0).toFixed(3);
  return markup`tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" time="${seconds}"`;
}
