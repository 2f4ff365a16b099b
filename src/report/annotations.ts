import type { RunResult } from '../validation/judge/run-result.ts';
import { troubles } from './verdict.ts';

/** GitHub shows no more of each kind in a step (GitHub, "Workflow commands for GitHub Actions"; "Usage limits"). */
const mostOfAKind = 10;

/** Errors and warnings as GitHub shows them: at their line of a manifest where they have one, else with the job. */
export function githubAnnotations(result: Pick<RunResult, 'scenarios' | 'findings'>): readonly string[] {
  const all = troubles(result).flatMap((finding) => {
    const { severity, subject, expected, observed, advice, at } = finding;
    // A warning that no line can be changed for is only in the report.
    if (severity === 'warning' && !at) return [];
    const message = [`observed: ${observed}`, ...(advice === '' ? [] : [advice]), ...(at ? [at.field] : [])].join('\n');
    return [{ severity, line: githubAnnotation(severity, `${subject}: ${expected}`, message, at ?? undefined) }];
  });
  return (['error', 'warning'] as const).flatMap((kind) =>
    all
      .filter(({ severity }) => severity === kind)
      .slice(0, mostOfAKind)
      .map(({ line }) => line),
  );
}

/** One workflow command. */
export function githubAnnotation(
  kind: string,
  title: string,
  message: string,
  at?: { readonly file: string; readonly line: number },
): string {
  const place = at === undefined ? [] : [`file=${property(at.file)}`, `line=${at.line}`];
  return `::${kind} ${[...place, `title=${property(title)}`].join(',')}::${data(message)}`;
}

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
