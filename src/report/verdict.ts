import type { Finding } from '../validation/finding.ts';
import type { RunResult, Verdict } from '../validation/run-result.ts';

/** The verdict in words, and whether it speaks of the whole table or of what was chosen. */
export function verdictWords({ verdict, partial }: Pick<RunResult, 'verdict' | 'partial'>): string {
  return partial ? `${words[verdict]} (partial)` : words[verdict];
}

/** Why the verdict is what it is: one sentence without its full stop, never empty. */
export function verdictReason(result: RunResult): string {
  const { partial, scenarios, criteria, findings } = result;
  const numbers = (outcome: string) => criteria.filter((one) => one.outcome === outcome).map(({ number }) => number);
  const names = (verdict: string) => scenarios.filter((one) => one.verdict === verdict).map(({ name }) => name);
  const reasons = [
    ...listed(
      'could not be undone',
      notUndone(result).map(({ action, target }) => `${action} of ${target}`),
    ),
    ...findings.filter(({ id, severity }) => severity === 'error' || isOpen(id)).map(reasonOf),
    ...listed(criteriaNot(numbers('not-met'), 'not met'), numbers('not-met')),
    ...listed('not as expected', names('fail')),
    ...listed(criteriaNot(numbers('inconclusive'), 'inconclusive'), numbers('inconclusive')),
    ...listed('inconclusive', names('inconclusive')),
    ...(partial ? [] : listed('not tested', names('not-tested'))),
  ];
  if (reasons.length > 0) return reasons.join('; ');
  return partial ? `${names('pass').join(', ')} as expected` : 'six criteria met, every scenario as expected';
}

/** All that deserves a look, the worst first; each names what to do. */
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

const isOpen = (id: string): boolean => ['background-outage', 'interrupted', 'unfinished'].includes(id);
const reasonOf = ({ subject, observed }: Finding): string => `${subject}: ${observed}`;
