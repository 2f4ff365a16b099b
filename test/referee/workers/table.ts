import { sumOf } from './cases.ts';
import type { WorkersRun } from './workers.ts';

/** Markdown, a row for each case. */
export function workersTable(runs: readonly WorkersRun[]): string {
  const head = [
    '| Case | Answers | Failures | Not sent | Sum | Workers | What is said |',
    '|---|---|---|---|---|---|---|',
  ];
  return [...head, ...runs.map(lineOf), ...runs.flatMap(complaints)].join('\n');
}

function lineOf({ name, load }: WorkersRun): string {
  if (load?.workers === undefined) return `| ${name} | – | – | – | – | – | – |`;
  const { statuses, errors, unsent = 0 } = load;
  const { asked, sound, startSpreadSeconds, amiss } = load.workers;
  const of = (counts: object): string =>
    Object.entries(counts)
      .map(([key, one]) => `${one} × ${key}`)
      .join(', ') || '0';
  const said = amiss.map(
    (one) => `${one.index} ${one.what}: ${one.because}; ${one.unsent} of ${one.requests} not sent`,
  );
  const spread = startSpreadSeconds === null ? '' : `, within ${startSpreadSeconds.toFixed(3)} s`;
  const sum = sumOf(statuses) + sumOf(errors) + unsent;
  const cells = [name, of(statuses), of(errors), unsent, sum, `${sound} of ${asked}${spread}`, said.join('; ') || '–'];
  return `| ${cells.join(' | ')} |`;
}

const complaints = ({ name, mistakes, changed }: WorkersRun): readonly string[] => [
  ...mistakes.map((one) => `- **${name}**: ${one}`),
  ...changed.map((one) => `- ${name}: not as before: ${one}`),
];
