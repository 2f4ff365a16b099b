import { downtimeCell } from '../figures/figures.js';
import type { ResultRow, RunResult, Verdict } from '../validation/judge/run-result.ts';
import { plainScreen, type Screen } from './screen.ts';
import { rule, table } from './table.ts';
import { verdictWords } from './verdict.ts';

/** Several runs in the order of their starts: `report RUN… --trend --json`. */
export interface Trend {
  readonly schemaVersion: 1;
  readonly runs: readonly TrendRun[];
}
export interface TrendRun {
  readonly folder: string;
  readonly id: string;
  readonly startedAt: string;
  readonly verdict: Verdict;
  readonly partial: boolean;
  /** The rows of the result table; null where a scenario was not tested or not measured. */
  readonly downtime: readonly Pick<ResultRow, 'scenario' | 'downtime'>[];
}

export function trendOf(runs: readonly { readonly folder: string; readonly result: RunResult }[]): Trend {
  const inOrder = runs.toSorted((one, other) => startOf(one) - startOf(other));
  return { schemaVersion: 1, runs: inOrder.map(trendRun) };
}

const startOf = ({ result }: { readonly result: RunResult }): number => Date.parse(result.run.startedAt);

const trendRun = ({ folder, result }: { readonly folder: string; readonly result: RunResult }): TrendRun => ({
  folder,
  id: result.run.id,
  startedAt: result.run.startedAt,
  verdict: result.verdict,
  partial: result.partial,
  downtime: result.resultTable.map(({ scenario, downtime }) => ({ scenario, downtime })),
});

/** A row for each run, a column for each row of the result table. */
export function trendText({ runs }: Trend, given: Partial<Screen> = {}): string {
  const screen = { ...plainScreen, ...given };
  const { paint } = screen;
  const scenarios = runs[0]?.downtime.map(({ scenario }) => scenario) ?? [];
  const heading = ['Started', 'Verdict', ...scenarios].map((words) => ({ words, paint: paint.strong }));
  const paints = { pass: paint.good, fail: paint.bad, error: paint.bad, inconclusive: paint.doubtful };
  const rows = runs.map((run) => [
    `${run.startedAt.slice(0, 16).replace('T', ' ')}Z`,
    { words: verdictWords(run), paint: paints[run.verdict] },
    ...run.downtime.map(({ downtime }) => (downtime === null ? '–' : downtimeCell(downtime))),
  ]);
  return `${table([heading, rule, ...rows], screen)}\n`;
}
