import type { Finding } from '../../validation/finding.ts';
import { hanging } from './hanging-indent.ts';
import type { Paint } from './text.ts';

/** Findings as a list, each with what was expected of what: good ones in a sentence, the others line by line and with what to do. */
export function findingsText(findings: readonly Finding[], colors: Paint): string {
  return findings.map((finding) => `${findingText(finding, colors)}\n`).join('');
}

function findingText({ severity, subject, expected, observed, advice }: Finding, colors: Paint): string {
  if (severity === 'info') return hanging(`${colors.good('ok')}    `, `${subject}, ${expected}: ${observed}`);
  const mark = severity === 'error' ? colors.bad('error') : colors.doubtful('warn');
  const lines = [
    hanging(`${mark} `, subject, indent.length),
    hanging(`${indent}expected `, expected),
    hanging(`${indent}observed `, observed),
    ...(advice === '' ? [] : [hanging(indent, advice)]),
  ];
  return lines.join('\n');
}

const indent = ' '.repeat(6);
