import type { RunResult } from '../validation/judge/run-result.ts';
import { troubles } from './verdict.ts';

/** Errors and warnings that have a line in a manifest, as GitHub shows them there (GitHub, "Workflow commands for GitHub Actions"). */
export function githubAnnotations(result: Pick<RunResult, 'scenarios' | 'findings'>): readonly string[] {
  return troubles(result).flatMap(({ severity, subject, expected, observed, advice, at }) => {
    if (at === undefined || at === null) return [];
    const properties = [`file=${property(at.file)}`, `line=${at.line}`, `title=${property(`${subject}: ${expected}`)}`];
    const message = [`observed: ${observed}`, ...(advice === '' ? [] : [advice]), at.field].join('\n');
    return [`::${severity} ${properties.join(',')}::${data(message)}`];
  });
}

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
