import type { ScenarioResult } from './run-result.ts';

/** The results of one scenario in several runs (docs/facts/measuring.md, "Repetition"). */
export interface Repetition {
  readonly name: string;
  readonly title: string;
  /** In how many runs it was tested, and in how many of them it passed. */
  readonly runs: number;
  readonly passed: number;
  readonly downtimeSeconds: Spread | null;
  /** Of the downtime as people see it. */
  readonly spanSeconds: Spread | null;
  readonly nodeReadySeconds: Spread | null;
  readonly podReadySeconds: Spread | null;
}
/** The 99th percentile is null for fewer than a hundred values, where it would be the maximum. */
export interface Spread {
  readonly median: number;
  readonly max: number;
  readonly p99: number | null;
}

const leastForPercentile = 100;

/** One row for each scenario that was tested at least once, in the order of the table. */
export function repetitions(runs: readonly (readonly ScenarioResult[])[]): readonly Repetition[] {
  const byName = Map.groupBy(runs.flat(), ({ name }) => name);
  return [...byName.values()].flatMap((all) => {
    const tested = all.filter(({ verdict }) => verdict !== 'not-tested');
    const [first] = tested;
    if (first === undefined) return [];
    return [
      {
        name: first.name,
        title: first.title,
        runs: tested.length,
        passed: tested.filter(({ verdict }) => verdict === 'pass').length,
        downtimeSeconds: spread(tested.map(({ downtime }) => downtime?.seconds ?? null)),
        spanSeconds: spread(tested.map(({ downtime }) => downtime?.span.seconds ?? null)),
        nodeReadySeconds: spread(tested.map(({ nodeReadySeconds }) => nodeReadySeconds)),
        podReadySeconds: spread(tested.map(({ podReadySeconds }) => podReadySeconds)),
      },
    ];
  });
}

function spread(values: readonly (number | null)[]): Spread | null {
  const sorted = values.filter((value) => value !== null).toSorted((a, b) => a - b);
  const max = sorted.at(-1);
  if (max === undefined) return null;
  return { median: middle(sorted), max, p99: sorted.length < leastForPercentile ? null : atRank(sorted, 0.99) };
}

function middle(sorted: readonly number[]): number {
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1] ?? 0, sorted[Math.floor(sorted.length / 2)] ?? 0];
  return (low + high) / 2;
}

/** The percentile by the nearest rank. */
const atRank = (sorted: readonly number[], share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
