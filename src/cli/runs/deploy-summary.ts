import type { DeployDocument } from '../../deployment/record/document.ts';
import { readableDuration } from '../../figures/figures.js';
import { githubAnnotation } from '../../report/annotations.ts';
import { printable } from '../../report/printable.ts';

/** An error for a deploy that did not go well. */
export function deployAnnotations({ state, because, exitCode }: DeployDocument): readonly string[] {
  return because === null ? [] : [githubAnnotation('error', `holdfast: ${state}, exit ${exitCode}`, because)];
}

/** A deploy as Markdown (GFM): the outcome, why, the health checks and the steps. */
export function deploySummary(document: DeployDocument, what: string): string {
  const { state, exitCode, because, previousCommit, newCommit, checks, steps, probe } = document;
  const visitors = probe === null ? [] : [`- visitors: ${probe.failed} of ${probe.requests} requests failed`];
  return [
    `# ${escaped(what)}: ${state}, exit ${exitCode}`,
    [
      ...(because === null ? [] : [`- because: ${escaped(because)}`]),
      `- previous commit: ${previousCommit ?? 'none'}`,
      `- new commit: ${newCommit ?? 'none'}`,
      ...visitors,
    ].join('\n'),
    table(
      ['Health check of', 'HTTP status', 'Took'],
      checks.map(({ commit, httpStatus, seconds }) => [commit, String(httpStatus), readableDuration(seconds)]),
    ),
    table(
      ['Step', 'Took', 'Exit code'],
      steps.map(({ name, seconds, exitCode: code }) => [name, readableDuration(seconds), String(code)]),
    ),
  ].join('\n\n');
}

const escaped = (text: string): string => printable(text).replaceAll(/[\\`*_[\]<>|~&]/g, '\\$&');

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |`;
  return [line(columns), `|${columns.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}
