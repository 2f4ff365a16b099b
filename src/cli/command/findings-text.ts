import type { Finding } from '../../validation/finding.ts';
import { hangingIndent } from './hanging-indent.ts';
import type { Paint } from './text.ts';

/** Findings as a list, each with what was expected of what: good ones in a sentence, the others line by line and with what to do. */
export function findingsText(findings: readonly Finding[], colors: Paint): string {
  return findings.map((finding) => `${findingText(finding, colors)}\n`).join('');
}

function findingText({ severity, subject, expected, observed, advice }: Finding, colors: Paint): string {
  if (severity === 'info') return hangingIndent(`${colors.good('ok')}    `, `${subject}, ${expected}: ${observed}`);
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
