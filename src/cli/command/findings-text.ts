import type { Finding } from '../../validation/finding.ts';
import { hangingIndent } from './hanging-indent.ts';
import type { Paint } from './text.ts';

/** Findings as a list for people: good ones as one sentence; others with subject, expected, observed and advice on lines of their own. */
export function findingsText(findings: readonly Finding[], colors: Paint): string {
  return findings.map((finding) => `${findingText(finding, colors)}\n`).join('');
}

function findingText({ severity, subject, expected, observed, advice }: Finding, colors: Paint): string {
  if (severity === 'info')
    return hangingIndent(`${colors.good('ok')}    `, `${subject}: ${observed} (expected: ${expected})`);
  const mark = severity === 'error' ? colors.bad('error') : colors.doubtful('warn');
  const lines = [
    hangingIndent(`${mark} `, subject, indent.length),
    hangingIndent(`${indent}expected `, expected),
    hangingIndent(`${indent}observed `, observed),
    ...(advice === '' ? [] : [hangingIndent(indent, advice)]),
  ];
  return lines.join('\n');
}

const indent = ' '.repeat(6);
