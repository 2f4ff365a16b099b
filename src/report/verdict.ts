import { applicationName } from '../validation/applications.ts';
import type { Finding } from '../validation/finding.ts';
import type { RunResult, Verdict } from '../validation/judge/run-result.ts';
import { isOpenQuestion } from '../validation/judge/verdict.ts';

/** The verdict for people, with `(partial)` if scenarios were left out. */
export function verdictWords({ verdict, partial }: Pick<RunResult, 'verdict' | 'partial'>): string {
  return partial ? `${words[verdict]} (partial)` : words[verdict];
}

/** The reasons for the verdict; never empty. */
export function verdictReasons(result: RunResult): readonly string[] {
  if (result.verdict === 'pass') return [passReason(result)];
  const { partial, scenarios, criteria, findings } = result;
  const numbers = (outcome: string) => criteria.filter((one) => one.outcome === outcome).map(({ number }) => number);
  const names = (verdict: string) => scenarios.filter((one) => one.verdict === verdict).map(({ name }) => name);
  const reasons = [
    ...listed(
      'could not be undone',
      notUndone(result).map(({ action, target }) => `${action} of ${target}`),
    ),
    ...applicationReasons(result),
    ...findingReasons(findings.filter((one) => one.severity === 'error' || isOpenQuestion(one))),
    ...listed(criteriaNot(numbers('not-met'), 'not met'), numbers('not-met')),
    ...listed('not as expected', names('fail')),
    ...listed(criteriaNot(numbers('inconclusive'), 'inconclusive'), numbers('inconclusive')),
    ...listed('inconclusive', names('inconclusive')),
    ...(partial ? [] : untestedReason(scenarios)),
  ];
  return reasons.length > 0 ? reasons : ['not enough evidence either way'];
}

function applicationReasons({ applications = [], verdict }: RunResult): readonly string[] {
  if (applications.length < 2) return [];
  const bad = applications.filter((one) => one.verdict === verdict).map((one) => applicationName(one, applications));
  return [`${bad.length} of ${applications.length} applications: ${bad.join(', ')}`];
}

function untestedReason(scenarios: RunResult['scenarios']): readonly string[] {
  const wanted = scenarios.filter(
    ({ verdict, notApplicable }) => verdict === 'not-tested' && notApplicable === undefined,
  );
  const untested = wanted.map(({ name }) => name);
  return untested.length === scenarios.length ? ['no scenario was tested'] : listed('not tested', untested);
}

function passReason({ partial, scenarios, criteria, applications = [] }: RunResult): string {
  const passed = scenarios.filter(({ verdict }) => verdict === 'pass').map(({ name }) => name);
  const needless = scenarios.filter(({ notApplicable }) => notApplicable !== undefined).map(({ name }) => name);
  const nothing = needless.length === 0 ? '' : `; nothing to disturb for ${needless.join(', ')}`;
  const whole = partial
    ? `as expected: ${passed.join(', ')}`
    : `${counts[criteria.filter(({ outcome }) => outcome === 'met').length]} criteria met, every scenario as expected${nothing}`;
  return applications.length < 2 ? whole : `${whole}, for all ${applications.length} applications`;
}

/** Those that have nothing to test them are not met. */
const counts = ['no', 'one', 'two', 'three', 'four', 'five', 'six'];

/** All errors, then all warnings. */
export function troubles({ scenarios, findings }: Pick<RunResult, 'scenarios' | 'findings'>): readonly Finding[] {
  const all = [...findings, ...scenarios.flatMap((scenario) => scenario.findings)];
  return (['error', 'warning'] as const).flatMap((severity) => all.filter((finding) => finding.severity === severity));
}

export const notUndone = ({ undo }: Pick<RunResult, 'undo'>): RunResult['undo'] =>
  undo.filter(({ state }) => state === 'failed');

const words: Readonly<Record<Verdict, string>> = {
  pass: 'PASS',
  fail: 'FAIL',
  inconclusive: 'INCONCLUSIVE',
  error: 'ERROR',
};

function listed(what: string, items: readonly (string | number)[]): readonly string[] {
  return items.length === 0 ? [] : [`${what}: ${items.join(', ')}`];
}

const criteriaNot = (numbers: readonly number[], what: string): string =>
  `${numbers.length === 1 ? 'criterion' : 'criteria'} ${what}`;

/** One reason for each finding id, because a flapping application has thousands of the same. */
function findingReasons(findings: readonly Finding[]): readonly string[] {
  return Object.values(Object.groupBy(findings, ({ id }) => id)).flatMap(([first, ...more] = []) => {
    if (first === undefined) return [];
    const others = more.length === 0 ? '' : `, and ${more.length} more like it`;
    return [`${first.subject}: ${first.observed}${others}`];
  });
}
