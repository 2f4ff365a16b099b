import type { Finding } from '../validation/finding.ts';
import type { Paint } from './text.ts';

/** Findings as a list: good ones in a line, the others with what was expected and what to do. */
export function findingsText(findings: readonly Finding[], colors: Paint): string {
  return findings.map((finding) => `${findingText(finding, colors)}\n`).join('');
}

function findingText({ severity, subject, expected, observed, advice }: Finding, colors: Paint): string {
  if (severity === 'info') return `${colors.good('ok')}    ${subject}: ${observed}`;
  const mark = severity === 'error' ? colors.bad('error') : colors.doubtful('warn');
  const lines = [`expected ${expected}`, `observed ${observed}`, ...(advice === '' ? [] : [advice])];
  return [`${mark} ${subject}`, ...lines.map((line) => `      ${line}`)].join('\n');
}
