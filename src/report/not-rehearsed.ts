import type { RunResult } from '../validation/judge/run-result.ts';

export const notRehearsedColumns = ['At', 'Not rehearsed as it is', 'Concerns'] as const;

/** What of the manifests a rehearsal left out or took otherwise, with the scenarios whose answer that may change. */
export function notRehearsedRows({ notRehearsed = [], scenarios }: Pick<RunResult, 'notRehearsed' | 'scenarios'>) {
  const concernsText = (concerns: readonly string[]) => {
    if (concerns.length === 0) return 'no scenario';
    if (scenarios.every(({ name }) => concerns.includes(name))) return 'every scenario';
    return concerns.join(', ');
  };
  return notRehearsed.map(({ at, what, concerns }) => [`${at.file}:${at.line}`, what, concernsText(concerns)] as const);
}
