import type { Case } from './measured.ts';

/** The cases of one program. */
export interface Result {
  readonly name: string;
  readonly cases: readonly Case[];
}

export const meanError = (cases: readonly Case[]): number => mean(cases.map(({ error }) => Math.abs(error)));
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const number = (value: number) => value.toFixed(2);

/** A row for each outage, a column for each program: the mean of its numbers, and its mean error. */
export function accuracyTable(results: readonly Result[]): readonly string[] {
  const outages = [...new Set(results[0]?.cases.map(({ outage }) => outage))];
  const rows = outages.map((outage) => {
    const cells = results.map(({ cases }) => cell(cases.filter((one) => one.outage === outage)));
    const [first] = results[0]?.cases.filter((one) => one.outage === outage) ?? [];
    return [outage.fault, number(first?.trueSeconds ?? Number.NaN), ...cells];
  });
  const totals = [
    ['mean error', '', ...results.map(({ cases }) => number(meanError(cases)))],
    ['worst error', '', ...results.map(({ cases }) => number(worst(cases)))],
    ['seen', '', ...results.map(({ cases }) => `${cases.filter(({ seen }) => seen).length} of ${cases.length}`)],
    ['bounds hold the truth', '', ...results.map(({ cases }) => held(cases))],
  ];
  const head = ['Outage', 'True', ...results.map(({ name }) => name)];
  return [head, head.map((_, index) => (index === 0 ? '---' : '---:')), ...rows, ...totals].map(
    (cells) => `| ${cells.join(' | ')} |`,
  );
}

/** `1.25 ± 0.30`: the mean of the numbers, and their mean error. */
const cell = (cases: readonly Case[]) =>
  `${number(mean(cases.map(({ seconds }) => seconds)))} ± ${number(meanError(cases))}`;

/** The one that is furthest off, with its sign. */
const worst = (cases: readonly Case[]) =>
  cases.reduce((furthest, { error }) => (Math.abs(error) > Math.abs(furthest) ? error : furthest), 0);

function held(cases: readonly Case[]): string {
  const bounded = cases.flatMap(({ held: one }) => (one === undefined ? [] : [one]));
  return bounded.length === 0 ? 'none told' : `${bounded.filter(Boolean).length} of ${bounded.length}`;
}
