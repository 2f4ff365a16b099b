import type { Finding } from '../../validation/finding.ts';
import { hangingIndent } from './hanging-indent.ts';
import type { Page } from './page.ts';

/**
 * Findings as a list for people: good ones as one sentence; others with subject, expected, observed and advice on lines
 * of their own.
 */
export function findingsText(findings: readonly Finding[], page: Page): string {
  return findings.map((finding) => `${findingText(finding, page)}\n`).join('');
}

function findingText({ severity, subject, expected, observed, advice }: Finding, page: Page): string {
  const { paint } = page;
  if (severity === 'info')
    return hangingIndent(page, `${paint.good('ok')}    `, `${subject}: ${observed} (expected: ${expected})`);
  const mark = severity === 'error' ? paint.bad('error') : paint.doubtful('warn');
  const lines = [
    hangingIndent(page, `${mark} `, subject, indent.length),
    hangingIndent(page, `${indent}expected `, expected),
    hangingIndent(page, `${indent}observed `, observed),
    ...(advice === '' ? [] : [hangingIndent(page, indent, advice)]),
  ];
  return lines.join('\n');
}

const indent = ' '.repeat(6);
