import type { Finding } from '../validation/finding.ts';
import type { Criterion, RunResult, ScenarioResult } from '../validation/run-result.ts';
import { type Markup, markup, sourceOf } from './markup.ts';
import { verdictReason, verdictWords } from './verdict.ts';

/**
 * `junit.xml`, as CI systems read it: not as expected is a failure, inconclusive an error, not tested skipped. The suite
 * `run` holds the verdict, so that only a pass leaves the file without failures and errors.
 */
export function reportJunit(result: RunResult): string {
  const suites: readonly Suite[] = [
    { name: 'run', cases: runCases(result) },
    { name: 'criteria', cases: result.criteria.map(criterionCase) },
    { name: 'scenarios', cases: result.scenarios.map(scenarioCase) },
  ];
  const xml = markup`<testsuites name="holdfast" ${counts(suites.flatMap(({ cases }) => cases))}>
${suites.map((suite, index) => suiteXml(suite, index, result))}</testsuites>
`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${sourceOf(xml)}`;
}

interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
}

interface Case {
  readonly name: string;
  readonly seconds?: number;
  readonly end: 'passed' | 'failure' | 'error' | 'skipped';
  readonly message: string;
  readonly details?: readonly string[];
}

const ends = {
  met: 'passed',
  pass: 'passed',
  'not-met': 'failure',
  fail: 'failure',
  inconclusive: 'error',
  error: 'error',
  'not-tested': 'skipped',
} as const satisfies Record<string, Case['end']>;

function runCases(result: RunResult): readonly Case[] {
  const { verdict, findings, undo } = result;
  return [
    { name: 'verdict', end: ends[verdict], message: `${verdictWords(result)}: ${verdictReason(result)}` },
    ...findings.map(findingCase),
    ...undo.map(
      ({ action, target, state }): Case => ({
        name: `undo: ${action} of ${target}`,
        end: state === 'failed' ? 'error' : 'passed',
        message: state,
      }),
    ),
  ];
}

function findingCase(finding: Finding): Case {
  const end = ({ info: 'passed', warning: 'error', error: 'failure' } as const)[finding.severity];
  return {
    name: `${finding.subject}: ${finding.expected}`,
    end,
    message: finding.observed,
    details: [inLine(finding)],
  };
}

function criterionCase({ number, text, outcome, because }: Criterion): Case {
  return { name: `${number} ${text}`, end: ends[outcome], message: because };
}

function scenarioCase({ title, expected, verdict, window, findings }: ScenarioResult): Case {
  const open = findings.filter(({ severity }) => severity !== 'info');
  const message = open.map(({ expected: wanted, observed }) => `${wanted}: ${observed}`).join('; ');
  return {
    name: title,
    end: ends[verdict],
    message: message === '' ? expected : message,
    details: findings.map(inLine),
    ...(window === null ? {} : { seconds: (Date.parse(window.to) - Date.parse(window.from)) / 1000 }),
  };
}

const inLine = ({ severity, expected, observed, advice }: Finding): string =>
  `${severity}: expected ${expected}; observed ${observed}${advice === '' ? '' : `. ${advice}`}`;

/** The time without its zone: that is all that the format's own schema allows. */
function suiteXml({ name, cases }: Suite, id: number, { run }: RunResult): Markup {
  return markup`<testsuite id="${id}" name="${name}" timestamp="${run.startedAt.slice(0, 19)}" hostname="${run.cluster}" ${counts(cases)}>
<properties><property name="run" value="${run.id}"/></properties>
${cases.map((one) => caseXml(name, one))}</testsuite>
`;
}

function caseXml(suite: string, { name, seconds = 0, end, message, details = [] }: Case): Markup {
  const output =
    details.length === 0 ? undefined : markup`<system-out>${details.map((line) => [line, lineEnd])}</system-out>\n`;
  return markup`<testcase classname="holdfast.${suite}" name="${name}" time="${seconds.toFixed(3)}">
${endXml(end, message)}${output}</testcase>
`;
}

const lineEnd = markup`\n`;

function endXml(end: Case['end'], message: string): Markup | undefined {
  switch (end) {
    case 'passed':
      return undefined;
    case 'skipped':
      return markup`<skipped message="${message}"/>\n`;
    case 'failure':
      return markup`<failure message="${message}" type="not-as-expected"/>\n`;
    case 'error':
      return markup`<error message="${message}" type="inconclusive"/>\n`;
  }
}

function counts(cases: readonly Case[]): Markup {
  const count = (end: Case['end']) => cases.filter((one) => one.end === end).length;
  const seconds = cases.reduce((sum, one) => sum + (one.seconds ?? 0), 0).toFixed(3);
  return markup`tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" time="${seconds}"`;
}
