import type { Finding } from '../validation/finding.ts';
import type { RunResult } from '../validation/run-result.ts';
import { criterionCells, resultCells, resultColumns, verdictSentence } from './cells.ts';
import { table, wrap } from './table.ts';

/** The report on a screen: the specification's table, the six criteria, what deserves a look, the verdict. 80 columns. */
export function reportText(result: RunResult): string {
  const troubles = [...result.scenarios.flatMap(({ findings }) => findings), ...result.findings].filter(
    ({ severity }) => severity !== 'info',
  );
  const undone = result.undo.filter(({ state }) => state === 'failed');
  return [
    table([resultColumns, ...result.resultTable.map(resultCells)]),
    table(result.criteria.map(criterionCells)),
    ...(troubles.length === 0 ? [] : [troubles.map(findingText).join('\n')]),
    ...(undone.length === 0
      ? []
      : [undone.map(({ action, target }) => `NOT UNDONE: ${action} of ${target}`).join('\n')]),
    wrap(`Verdict: ${verdictSentence(result)}`, 80).join('\n'),
  ]
    .map((part) => `${part}\n`)
    .join('\n');
}

function findingText({ severity, subject, expected, observed, advice }: Finding): string {
  const sentence = `${severity}: ${subject}: expected ${expected}; observed ${observed}${advice === '' ? '' : `. ${advice}`}`;
  return wrap(sentence, 78)
    .map((line, index) => (index === 0 ? line : `  ${line}`))
    .join('\n');
}
