import type { ScenarioResult } from './run-result.ts';

/** Several runs of the same scenarios, put together (facts 6.4). */
export interface Repetition {
  readonly name: string;
  readonly title: string;
  /** In how many runs it was made, and in how many of them as expected. */
  readonly runs: number;
  readonly passed: number;
  readonly downtimeSeconds: Spread | null;
  readonly nodeReadySeconds: Spread | null;
  readonly podReadySeconds: Spread | null;
}
/** A 99th percentile of fewer than a hundred values would be the largest under another name. */
export interface Spread {
  readonly median: number;
  readonly max: number;
  readonly p99: number | null;
}

const leastForPercentile = 100;

/** Pure. One row for each scenario that was made at least once, in the order of the table. */
export function repetitions(runs: readonly (readonly ScenarioResult[])[]): readonly Repetition[] {
  const byName = Map.groupBy(runs.flat(), ({ name }) => name);
  return [...byName.values()].flatMap((all) => {
    const made = all.filter(({ verdict }) => verdict !== 'not-tested');
    const [first] = made;
    if (first === undefined) return [];
    return [
      {
        name: first.name,
        title: first.title,
        runs: made.length,
        passed: made.filter(({ verdict }) => verdict === 'pass').length,
        downtimeSeconds: spread(made.map(({ downtime }) => downtime?.seconds ?? null)),
        nodeReadySeconds: spread(made.map(({ nodeReadySeconds }) => nodeReadySeconds)),
        podReadySeconds: spread(made.map(({ podReadySeconds }) => podReadySeconds)),
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

/** Nearest rank. */
const atRank = (sorted: readonly number[], share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
